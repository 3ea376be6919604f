import { expect, it } from "vitest";
import { failedTestFiles } from "../../../src/runs/reply/failed-files.ts";
import type { StoredRun } from "../../../src/runs/record/store.ts";
import { makeFolder } from "../../support/folder.ts";
import { makeRunService, runIn } from "../../support/run-service.ts";

const TEST = (name: string) =>
  `import { existsSync } from "node:fs";\nimport { test } from "node:test";\ntest("${name}", () => { if (existsSync("broken")) throw new Error("${name}"); });\n`;

it("forgets a failure when another command has run the file since and it passed", async () => {
  const root = makeFolder({ "a.test.mjs": TEST("a"), "b.test.mjs": TEST("b"), broken: "" });
  const service = makeRunService();
  await runIn(root, "node --test a.test.mjs b.test.mjs", { service });
  expect([...(await service.failedTestFiles(root)).keys()].toSorted()).toEqual(["a.test.mjs", "b.test.mjs"]);
  await runIn(root, "rm broken", { service });
  await runIn(root, "node --test ./a.test.mjs", { service });
  expect([...(await service.failedTestFiles(root)).keys()]).toEqual(["b.test.mjs"]);
});

it("reads from a red run which files completed", async () => {
  const run = (id: string, command: string, failed: string[], files: string[]): StoredRun => {
    const tests = [
      {
        runner: "pytest",
        passed: files.length,
        failed: failed.length,
        failures: failed.map((file) => ({ name: file, file })),
        outcomes: { passed: [], skipped: [], files: files.map((file) => ({ file })) },
      },
    ];
    const end = { cause: "exit", exitCode: failed.length > 0 ? 1 : 0 };
    const stored: unknown = {
      id,
      key: command,
      command,
      workspace: "/w",
      cwd: "/w/app",
      end,
      findings: { tests },
    };
    return stored as StoredRun;
  };
  const runs = [
    run("r3", "pytest test_b.py test_c.py", ["test_c.py"], ["test_b.py"]),
    run("r2", "pytest", ["test_a.py", "test_b.py"], []),
  ];
  const store = {
    list: () => Promise.resolve(runs),
    get: (id: string) => Promise.resolve(runs.find((one) => one.id === id)),
  };
  expect(Object.fromEntries(await failedTestFiles("/w", store))).toEqual({
    "app/test_a.py": "r2",
    "app/test_c.py": "r3",
  });
});
