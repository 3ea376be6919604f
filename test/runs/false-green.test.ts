import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { runIn, shown } from "../support/run-service.ts";

/**
 * Cases that other tools report as passed although they failed. Every case runs for real; none may be reported as a
 * success, and each report must give the reason.
 */
interface Case {
  readonly files?: Readonly<Record<string, string>>;
  readonly command: string;
  readonly says: RegExp;
  readonly timeoutMs?: number;
}

const NODE_OK = "require('node:test').test('fine', () => {});\n";
const NODE: Readonly<Record<string, Case>> = {
  "a suite that will not load": {
    files: { "ok.test.js": NODE_OK, "bad.test.js": "this is no JavaScript\n" },
    command: "node --test",
    says: /bad\.test\.js[^]*SyntaxError/,
  },
  "a rejection after all tests passed": {
    files: { "a.test.js": `${NODE_OK}setTimeout(() => Promise.reject(new Error('too late')), 10);\n` },
    command: "node --test",
    says: /a\.test\.js/,
  },
  "no tests found": { command: "node --test", says: /no test ran/ },
  "a crash after the report": {
    files: { "ok.test.js": NODE_OK },
    command: "node --test; kill -9 $$",
    says: /killed by SIGKILL/,
  },
  "a runner that hangs after its last test": {
    files: { "ok.test.js": `${NODE_OK}setInterval(() => {}, 1000);\n` },
    command: "node --test",
    timeoutMs: 3_000,
    says: /timed out after/,
  },
  "a failure that the shell hides": {
    files: { "bad.test.js": "require('node:test').test('broken', () => { throw new Error('x'); });\n" },
    command: "node --test || true",
    says: /! exit 1 before "\|\| true"; 1 test failed/,
  },
};

const VITEST_OK = "import { test } from 'vitest';\ntest('fine', () => {});\n";
const VITEST: Readonly<Record<string, Case>> = {
  "a suite that will not load": {
    files: { "ok.test.ts": VITEST_OK, "bad.test.ts": "import './nowhere.ts';\n" },
    command: "vitest run",
    says: /1 suite did not load[^]*nowhere\.ts/,
  },
  "a rejection after all tests passed": {
    files: {
      "a.test.ts": `${VITEST_OK}setTimeout(() => void Promise.reject(new Error('too late')), 1);\ntest('slow', () => new Promise((r) => setTimeout(r, 50)));\n`,
    },
    command: "vitest run",
    says: /outside tests[^]*too late/,
  },
  "no tests found": { command: "vitest run", says: /[Nn]o test/ },
  "a crash after the report": {
    files: { "ok.test.ts": VITEST_OK },
    command: "vitest run && exit 3",
    says: /exit (?:code )?3(?:, yet 1 test passed| though all tests passed)/,
  },
};

const PYTEST: Readonly<Record<string, Case>> = {
  "a test that ends the process": {
    files: {
      "test_a.py": "import os\ndef test_a():\n    pass\ndef test_b():\n    os._exit(0)\n",
    },
    command: "python3 -m pytest -v",
    says: /pytest ended without its final counts/,
  },
};

const SHELL: Readonly<Record<string, Case>> = {
  "a && b where a fails": { command: "false && echo all good", says: /exit 1/ },
  "0 errors and exit 1": { command: "echo 'Found 0 errors.'; exit 1", says: /exit 1/ },
  "all passed and exit 1": { command: "echo '12 passed, 0 failed'; exit 1", says: /exit 1/ },
  "a runner that was killed": { command: "echo '3 passed'; kill -TERM $$", says: /killed by SIGTERM/ },
  "a command that is not there": { command: "no-such-runner test", says: /not installed/ },
};

function check(
  cases: Readonly<Record<string, Case>>,
  prepare: (folder: string) => void = () => undefined,
): void {
  it.each(Object.entries(cases))("%s", async (_name, { files = {}, command, says, timeoutMs }) => {
    const folder = makeFolder(files);
    prepare(folder);
    const report = await runIn(folder, command, timeoutMs === undefined ? {} : { timeoutMs });
    expect(report).toMatchObject({ success: false, passed: false });
    const text = shown(report);
    expect(text).toMatch(says);
    expect(text).toMatch(/^(?:FAIL|UNCLEAR)/);
    expect(JSON.parse(shown(report, "json"))).toMatchObject({ success: false });
    expect(shown(report, "markdown")).toMatch(/^## (?:FAIL|UNCLEAR)/);
  });
}

describe("node:test is not green after", () => check(NODE));

describe("vitest is not green after", () =>
  check(VITEST, (folder) => symlinkSync(resolve("node_modules"), join(folder, "node_modules"))));

describe.skipIf(spawnSync("python3", ["-c", "import pytest"]).status !== 0)("pytest is not green after", () =>
  check(PYTEST),
);

describe("no command is green after", () => check(SHELL));

describe("a success", () => {
  it("is reported if exit code and output agree", async () => {
    const report = await runIn(makeFolder({ "ok.test.js": NODE_OK }), "node --test");
    expect(report).toMatchObject({ success: true, passed: true });
    expect(shown(report)).toMatch(/^PASS [\w-]+ 1 passed exit 0 run \w+$/);
  });

  it("is reported for a command that only prints a failing log", async () => {
    const report = await runIn(makeFolder({ "ci.log": "a.c:1:2: error: broken\n" }), "cat ci.log");
    expect(report).toMatchObject({ success: true, passed: false });
    expect(shown(report)).toMatch(/^UNCLEAR exit 0/);
  });
});
