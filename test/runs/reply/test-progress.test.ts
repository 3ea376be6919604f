import { describe, expect, it } from "vitest";
import { TestProgress } from "../../../src/runs/reply/test-progress.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { stripEscapes } from "../../../src/diagnostics/clean/escapes.ts";
import { fixturesOf } from "../../diagnostics/fixtures.ts";
import { makeFolder } from "../../support/folder.ts";
import { makeRunService } from "../../support/run-service.ts";
import { planLine } from "../../../src/runs/plan/plan.ts";

/** Counts the tests in a runner's whole captured output. */
function countTests(tool: string, name: string, isTest: boolean): string {
  const fixture = fixturesOf(tool).find((one) => one.name === name);
  const progress = new TestProgress(isTest);
  for (const line of stripEscapes(fixture?.raw.toString("utf8") ?? "").split("\n")) progress.read(line);
  return progress.text();
}

describe("the tests of a running command", () => {
  it.each([
    ["vitest", "pass"],
    ["node-test", "pass"],
    ["mocha", "pass"],
    ["tap", "tape"],
    ["go-test", "pass-verbose"],
    ["cargo-test", "pass"],
    ["pytest", "pass-warnings"],
  ])("are counted as %s prints them", (tool, name) => {
    const expected = fixturesOf(tool).find((one) => one.name === name)?.case.snapshot?.tests[0];
    if (expected === undefined) throw new Error(`no fixture ${tool}/${name} with tests`);
    const { passed, failed } = expected;
    const all = passed + failed;
    expect(countTests(tool, name, true)).toBe(
      `${all} test${all === 1 ? "" : "s"}${failed > 0 ? ` (${failed} failed)` : ""}`,
    );
  });

  it("are not counted in the output of compilers and linters", () => {
    const compilers = buildTools.filter(({ kinds }) =>
      kinds.every((kind) => kind !== "test" && kind !== "run"),
    );
    const wrong = compilers.flatMap((tool) =>
      fixturesOf(tool.id).flatMap(({ name }) => {
        const text = countTests(tool.id, name, false);
        return text === "" ? [] : [`${tool.id}/${name}: ${text}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("are reported while it runs", async () => {
    const cwd = makeFolder({
      "slow.js": "console.log('ok 1 - adds\\nnot ok 2 - subtracts'); setInterval(() => {}, 1000);\n",
    });
    const service = makeRunService();
    const stop = new AbortController();
    const said: string[] = [];
    const progress = (message: string): void => {
      said.push(message);
      if (message.includes("tests")) stop.abort();
    };
    await service.exec(
      { workspace: cwd, cwd, plan: planLine("node slow.js") },
      { verbosity: "minimal", progress, signal: stop.signal },
    );
    expect(said.at(-1)).toMatch(
      /^node slow\.js: 2 lines, 2 tests \(1 failed\), \d+ s: not ok 2 - subtracts$/,
    );
  });
});
