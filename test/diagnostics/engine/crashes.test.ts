import { expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";

/** Returns what the fallback matcher finds in a text without any registered tool. */
function found(text: string): unknown[] {
  return parseText(text, { tools: [] }).diagnostics.map(({ tool: _tool, ...rest }) => rest);
}

const ASSERTIONS: [string, string, object][] = [
  [
    "glibc",
    'cart: src/cart.c:3: total: Assertion `x==1 && "x: is one"\' failed.',
    { file: "src/cart.c", line: 3, message: 'Assertion `x==1 && "x: is one"\' failed.' },
  ],
  [
    "libstdc++",
    "/usr/include/c++/12/bits/stl_vector.h:1123: std::vector<_Tp>::reference std::vector<_Tp>::operator[](size_type) [with _Tp = int]: Assertion '__n < this->size()' failed.",
    {
      file: "/usr/include/c++/12/bits/stl_vector.h",
      line: 1123,
      message: "Assertion '__n < this->size()' failed.",
    },
  ],
  [
    "macOS",
    "Assertion failed: (x == 1), function main, file cart.c, line 12.",
    { file: "cart.c", line: 12, message: "Assertion failed: (x == 1)" },
  ],
  [
    "Windows",
    String.raw`Assertion failed: x == 1, file src\cart.c, line 12`,
    { file: String.raw`src\cart.c`, line: 12, message: "Assertion failed: x == 1" },
  ],
  [
    "musl",
    "Assertion failed: x == 1 (cart.c: main: 12)",
    { file: "cart.c", line: 12, message: "Assertion failed: x == 1" },
  ],
  [
    "newlib",
    'assertion "x == 1" failed: file "cart.c", line 12, function: main',
    { file: "cart.c", line: 12, message: 'assertion "x == 1" failed' },
  ],
];

it.each(ASSERTIONS)("reads a failed assertion in the format of %s", (_library, line, wanted) => {
  expect(found(`starting\n${line}\n`)).toEqual([{ severity: "error", ...wanted }]);
});

it("reads why a C++ program crashed", () => {
  const text =
    "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector is empty\nbash: line 1: 18068 Aborted                 ./cart\n";
  expect(found(text)).toEqual([
    {
      severity: "error",
      message: "terminate called after throwing an instance of 'std::out_of_range': vector is empty",
    },
  ]);
});

it.each([
  ["free(): double free detected in tcache 2", "free(): double free detected in tcache 2"],
  ["malloc(): corrupted top size", "malloc(): corrupted top size"],
  ["*** stack smashing detected ***: terminated", "*** stack smashing detected ***: terminated"],
  ["Segmentation fault (core dumped)", "Segmentation fault (core dumped)"],
  ["bash: line 1: 18070 Segmentation fault      ./cart", "Segmentation fault ./cart"],
  [
    "libc++abi: terminating due to uncaught exception of type int",
    "terminating due to uncaught exception of type int",
  ],
])("reports a crash as an error: %s", (line, message) => {
  expect(found(`starting\n${line}\n`)).toEqual([{ severity: "error", message }]);
});

it.each([
  "free memory: 12 MB",
  "the worker was terminated",
  "size of the corrupted block",
  "Floating point numbers",
])("does not mistake similar words for a crash: %s", (line) => {
  expect(found(`${line}\n`)).toEqual([]);
});
