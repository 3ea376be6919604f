import { onTestFinished, expect, it } from "vitest";
import type { RunReport } from "../../../src/model/run-report.ts";
import { type GitFolder, temporaryRepository } from "../../support/git-folder.ts";
import { makeRunService, runIn, shown } from "../../support/run-service.ts";

/** A test that reads its result from an ignored file, as one that depends on the time or on a server. */
const TEST =
  'import { readFileSync } from "node:fs";\nimport { test } from "node:test";\nimport assert from "node:assert/strict";\ntest("is steady", () => {});\ntest("asks the server", () => assert.equal(readFileSync("state", "utf8"), "up"));\n';

function makeShop(): GitFolder {
  const folder = temporaryRepository({
    ".gitignore": "state\n",
    "a.test.mjs": TEST,
    "src/a.mjs": "export const a = 1;\n",
  });
  onTestFinished(() => folder.dispose());
  return folder;
}

it("marks a test that passed and failed on the same tree, in red and in green replies", async () => {
  const folder = makeShop();
  const service = makeRunService({ treeTimeoutMs: 60_000 });
  const run = (state: string): Promise<RunReport> => {
    folder.write("state", state);
    return runIn(folder.root, "node --test a.test.mjs", { service });
  };
  const first = await run("up");
  expect(first.flaky).toBeUndefined();
  const red = await run("down");
  expect(red.flaky).toMatchObject([{ name: "asks the server", failed: 1, runs: 2 }]);
  expect(shown(red, "text")).toContain("flaky (1 of 2 on this tree): asks the server");
  const green = await run("up");
  expect(green.passed).toBe(true);
  const text = "flaky (1 of 3 on this tree): asks the server";
  for (const format of ["text", "markdown"] as const) expect(shown(green, format)).toContain(text);
  expect(JSON.parse(shown(green, "json"))).toMatchObject({
    flaky: [{ name: "asks the server", failed: 1, runs: 3 }],
  });

  // On another tree an edit may be the cause, so nothing is said until it happens there too.
  folder.write("src/a.mjs", "export const a = 2;\n");
  expect((await run("down")).flaky).toBeUndefined();
  expect(shown(await run("down"), "text")).not.toContain("flaky");
  expect(shown(await run("up"), "text")).toContain("flaky (2 of 3 on this tree): asks the server");

  await runIn(folder.root, "exit 3", { service });
  const { commands, files } = await service.history(folder.root, 100);
  expect(commands.map(({ command }) => command)).toEqual(["exit 3", "node --test a.test.mjs"]);
  expect(commands[0]).toMatchObject({ runs: [{ cause: "exit", exitCode: 3, failedTests: 0 }], tests: [] });
  expect(commands[1]?.runs.map(({ failedTests }) => failedTests)).toEqual([0, 1, 0, 1, 1, 0]);
  expect(commands[1]?.tests).toMatchObject([
    {
      name: "asks the server",
      outcomes: ["passed", "failed", "passed", "failed", "failed", "passed"],
      failures: 3,
      isFlaky: true,
    },
  ]);
  const lastRed = commands[1]?.runs[4]?.id;
  expect(files).toEqual([{ file: "a.test.mjs", runs: 3, failures: 3, errors: 0, lastRun: lastRed }]);
  // Only the latest runs count.
  expect((await service.history(folder.root, 2)).commands[1]?.runs).toHaveLength(1);
});

it("says nothing of a test that did not run again", async () => {
  const folder = makeShop();
  const service = makeRunService({ treeTimeoutMs: 60_000 });
  folder.write("state", "down");
  await runIn(folder.root, "node --test a.test.mjs", { service });
  folder.write("state", "up");
  const other = await runIn(folder.root, "node --test --test-name-pattern=steady a.test.mjs", { service });
  expect(other.flaky).toBeUndefined();
});
