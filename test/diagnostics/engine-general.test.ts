import { describe, expect, it } from "vitest";
import { parseText } from "../../src/diagnostics/engine.ts";

/** What the general matcher alone makes of a text: no tool is registered. */
function found(text: string): unknown[] {
  return parseText(text, { tools: [] }).diagnostics.map(({ tool: _tool, ...rest }) => rest);
}

describe("places of unknown tools", () => {
  const cases: [string, object][] = [
    [
      "src/main.zig:3:5: error: expected ';'",
      { severity: "error", file: "src/main.zig", line: 3, column: 5, message: "expected ';'" },
    ],
    [
      "lib/a.proto:12: warning: unused import [unused-import]",
      { severity: "warning", file: "lib/a.proto", line: 12, code: "unused-import", message: "unused import" },
    ],
    [
      String.raw`C:\work\app.xy(12,5): error AB1234: bad thing`,
      {
        severity: "error",
        file: String.raw`C:\work\app.xy`,
        line: 12,
        column: 5,
        code: "AB1234",
        message: "bad thing",
      },
    ],
    [
      "./run.sh: line 7: foo: command not found",
      { severity: "error", file: "./run.sh", line: 7, message: "foo: command not found" },
    ],
    [
      "error: conf/app.toml:4:1: unknown key",
      { severity: "error", file: "conf/app.toml", line: 4, column: 1, message: "unknown key" },
    ],
    [
      "src/compile.ts:31:22 - Unknown word (jitless)",
      { severity: "error", file: "src/compile.ts", line: 31, column: 22, message: "Unknown word (jitless)" },
    ],
    [
      "lib/app.js: line 25, col 27, Missing semicolon.",
      { severity: "error", file: "lib/app.js", line: 25, column: 27, message: "Missing semicolon." },
    ],
    [
      "css/a.css: line 3, col 1, Warning - Overqualified element (overqualified-elements)",
      {
        severity: "warning",
        file: "css/a.css",
        line: 3,
        column: 1,
        code: "overqualified-elements",
        message: "Overqualified element",
      },
    ],
    ["Makefile:12: error: nothing", { severity: "error", file: "Makefile", line: 12, message: "nothing" }],
  ];
  for (const [line, expected] of cases) it(line, () => expect(found(`${line}\n`)).toEqual([expected]));

  it("takes a message from the indented lines below the place", () => {
    const text = "src/Main.hs:3:5: error:\n    • No instance for Num\n      arising from 1\n\nnext\n";
    expect(found(text)).toEqual([
      {
        severity: "error",
        file: "src/Main.hs",
        line: 3,
        column: 5,
        message: "• No instance for Num\n  arising from 1",
      },
    ]);
  });
});

describe("complaints of an unknown tool without a severity", () => {
  it("are all counted, also those too many to keep", () => {
    const lines = Array.from({ length: 6_000 }, (_, line) => `a.md:${line + 1}:1 - Unknown word`);
    const { diagnostics, counts, notKept } = parseText(`${lines.join("\n")}\n`, { tools: [] });
    expect(counts.error).toBe(6_000);
    expect(diagnostics.length + notKept.diagnostics).toBe(6_000);
  });
});

describe("prose and data that only look like places", () => {
  const lines = [
    "server listening on example.com:443: ready",
    "2024-01-02 12:30:45: error is a word",
    "see README.md:12 for details",
    "src/a.ts:12:5:const x = 1;",
    "main.go:12: started worker 3",
    "src/a.ts:12 - 15 lines",
    "http://localhost:3000: warning: slow",
    "The value at foo:12:5: was fine",
    "error handling is covered in chapter 3",
    "12:30:45: error: from a clock",
    "no errors found",
    "Warning: 3 packages look for funding",
  ];
  for (const line of lines) it(line, () => expect(found(`${line}\n`)).toEqual([]));
});

describe("stack traces", () => {
  it("JavaScript: the first frame of the project", () => {
    const text = [
      "Error: cannot open",
      "  the second line of the message",
      "    at read (/repo/node_modules/lib/index.js:10:3)",
      "    at load (/repo/src/load.js:7:11)",
      "    at node:internal/main:1:1",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/src/load.js",
        line: 7,
        column: 11,
        message: "Error: cannot open\n  the second line of the message",
      },
    ]);
  });

  it("Python: the innermost frame of the project", () => {
    const text = [
      "Traceback (most recent call last):",
      '  File "/repo/app/main.py", line 3, in <module>',
      "    run()",
      '  File "/repo/app/core.py", line 9, in run',
      "    json.loads('x')",
      '  File "/usr/lib/python3.11/json/__init__.py", line 346, in loads',
      "    return _default_decoder.decode(s)",
      "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/app/core.py",
        line: 9,
        message: "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
      },
    ]);
  });

  it("Java: with its causes", () => {
    const text = [
      'Exception in thread "main" java.lang.IllegalStateException: no shop',
      "\tat java.base/java.util.Optional.orElseThrow(Optional.java:403)",
      "\tat com.acme.Shop.open(Shop.java:12)",
      "Caused by: java.io.IOException: disk",
      "\tat com.acme.Disk.read(Disk.java:3)",
      "\t... 1 more",
    ];
    const [one] = found(text.join("\n"));
    expect(one).toMatchObject({ file: "Shop.java", line: 12 });
    expect(one).toMatchObject({ message: expect.stringContaining("Caused by: java.io.IOException: disk") });
  });

  it("Go: a panic", () => {
    const text = [
      "panic: runtime error: index out of range [5] with length 3",
      "",
      "goroutine 1 [running]:",
      "main.main()",
      "\t/repo/main.go:8 +0x1d",
      "exit status 2",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/main.go",
        line: 8,
        message: "panic: runtime error: index out of range [5] with length 3",
      },
    ]);
  });

  it("C#: an unhandled exception", () => {
    const text = [
      "Unhandled exception. System.InvalidOperationException: no stock",
      "   at Shop.Cart.Add() in /repo/Cart.cs:line 14",
      "   at Program.Main() in /repo/Program.cs:line 3",
    ];
    expect(found(text.join("\n"))).toEqual([
      {
        severity: "error",
        file: "/repo/Cart.cs",
        line: 14,
        message: "Unhandled exception. System.InvalidOperationException: no stock",
      },
    ]);
  });
});

describe("error lines without a place", () => {
  it("count where nothing else explains the run", () => {
    expect(found("doing things\nerror: no input files\n")).toEqual([
      { severity: "error", message: "no input files" },
    ]);
    expect(found("sh: 1: tsc: not found\n")).toEqual([{ severity: "error", message: "tsc: not found" }]);
    expect(found("##[error]Process completed with exit code 1.\n")).toEqual([]);
    expect(found("##[error]The runner lost its connection\n")).toEqual([
      { severity: "error", message: "The runner lost its connection" },
    ]);
  });

  it("do not count beside errors of a known tool", () => {
    const text = "src/a.ts(1,7): error TS2322: Type 'a' is not 'b'.\nerror: script failed\n";
    expect(parseText(text).diagnostics.map((one) => one.tool)).toEqual(["tsc"]);
  });
});
