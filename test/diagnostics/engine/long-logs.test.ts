import { expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { fixturesOf } from "../fixtures.ts";

/** A program's own output, longer than the part of a log in which a tool's lines are expected around its signatures. */
const CHATTER = "the server answered a request in 12 ms and wrote it to its store\n".repeat(2_200);

function fixture(tool: string, name: string): string {
  const found = fixturesOf(tool).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no fixture ${tool}/${name}`);
  return found.raw.toString("utf8");
}

const PARTS = [
  fixture("tsc", "plain"),
  fixture("eslint", "v9-fail"),
  fixture("cargo", "fail"),
  fixture("mypy", "columns"),
  fixture("gcc", "clang-cpp-errors"),
];

it("finds in a long log with much text between the tools what each prints alone", () => {
  const { diagnostics } = parseText(PARTS.join(CHATTER));
  expect(diagnostics).toEqual(PARTS.flatMap((part) => parseText(part).diagnostics));
});

it("wakes a tool that has rested since the beginning of the log", () => {
  const [tsc = ""] = PARTS;
  const again = tsc.replaceAll("src/", "lib/");
  const { diagnostics } = parseText(tsc + PARTS.slice(1).join(CHATTER) + CHATTER + again);
  for (const one of parseText(again).diagnostics) expect(diagnostics).toContainEqual(one);
});

it("counts tests whose summary stands far below the first failure", () => {
  const failed = "FAILED tests/test_cart.py::test_total - assert 3 == 4\n";
  const log = `============================= test session starts ==============================\n${CHATTER}=========================== short test summary info ============================\n${failed}========================= 1 failed, 2 passed in 9.12s =========================\n`;
  expect(parseText(log).tests).toMatchObject([{ runner: "pytest", failed: 1, passed: 2 }]);
});

it("keeps each channel's tools awake although other channels write much more", () => {
  const [tsc = ""] = PARTS;
  const lines = tsc.split("\n").map((line) => `api:build: ${line}`);
  const chatter = CHATTER.split("\n").map((line) => `web:dev: ${line}`);
  const chunk = Math.ceil(chatter.length / lines.length);
  const mixed = lines.flatMap((line, at) => [line, ...chatter.slice(at * chunk, (at + 1) * chunk)]);
  const head = "api:build: cache miss, executing 01\nweb:dev: cache miss, executing 02\n";
  const found = parseText(head + mixed.join("\n")).diagnostics.map(({ code, line }) => ({ code, line }));
  expect(found).toEqual(parseText(tsc).diagnostics.map(({ code, line }) => ({ code, line })));
});
