import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { folderAt, type GitFolder } from "../support/git-folder.ts";
import { connect, pithInside } from "../support/inside.ts";
import { LONG_MS, PATIENT, callJson, connectServer, startWorker, useStore } from "../support/pool.ts";
import { OLDEST_VERSION, wantedVersion } from "../support/postgres-process.ts";

vi.setConfig({ testTimeout: LONG_MS });

// One whole pool is on the oldest PostgreSQL; the other files use the newest.
const store = useStore(beforeEach, wantedVersion() || OLDEST_VERSION);

/** A fake PHPUnit: runs the test runner of Node and writes its report to the file that the option of PHPUnit names, without output. */
const RUNNER = `#!/usr/bin/env node
const { spawnSync } = require("node:child_process");
const report = process.argv[process.argv.indexOf("--log-junit") + 1];
const args = ["--test", "--test-reporter=junit", "--test-reporter-destination=" + report];
process.exit(spawnSync(process.execPath, args, { stdio: "ignore" }).status);
`;
const TEST = `const { test } = require("node:test");
const assert = require("node:assert");
test("adds", () => {
  assert.equal(1 + 1, 3, "not equal in " + __filename);
});
`;

/** A project whose tests write only a report file. */
function project(name: string): GitFolder {
  const folder = folderAt(join(makeFolder(), name), {
    "phpunit.xml": "<phpunit/>\n",
    "vendor/bin/phpunit": RUNNER,
    "test/sum.test.js": TEST,
  });
  chmodSync(join(folder.root, "vendor/bin/phpunit"), 0o755);
  folder.git("init", "-q");
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", "first");
  return folder;
}

describe("a report file of a tool that runs in the pool", () => {
  it("names the submitter's files, whatever their folder is called", async () => {
    const { url } = store();
    const worker = await startWorker({ url, dataFolder: join(makeFolder({ "R&D/x": "" }), "R&D") });
    const { root } = project(`it's <"R&D">`);
    const client = await connectServer(root, url);
    const answer = await callJson(client, "run_tests", { verbosity: "full" });
    await worker.told((event) => event["kind"] === "ended" && event["id"] === answer["job_id"]);
    const file = "test/sum.test.js";
    const failure = { name: "adds", file, line: 4, message: `not equal in ${join(root, file)}` };
    expect(answer).toMatchObject({ success: false, summary: { failed: 1, failures: [failure] } });
    expect(JSON.stringify(answer)).not.toContain("/trees/");
  });
});

const SUM = "export const sum = (a, b) => a + b;\n";
const SUM_TEST = `import assert from "node:assert";
import { test } from "node:test";
import { sum } from "../src/sum.mjs";
test("adds", () => assert.equal(sum(1, 2), 3));
`;

/** A project with a green suite, and changes that are not committed. */
function greenProject(): GitFolder {
  const folder = folderAt(makeFolder(), {
    "package.json": '{ "scripts": { "test": "node --test" } }\n',
    "src/sum.mjs": SUM,
    "test/sum.test.mjs": SUM_TEST,
  });
  folder.git("init", "-q");
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", "first");
  folder.write("src/notes.mjs", "export const notes = [];\n");
  return folder;
}

describe("a red run in the pool", () => {
  it("names what changed since the last green one, also on the command line", async () => {
    const { url } = store();
    await startWorker({ url });
    const folder = greenProject();
    const setup = { env: { ...PATIENT, PITH_STORE: url }, dataFolder: makeFolder() };
    const client = await connect(folder.root, setup);
    const green = await callJson(client, "run_command", { command: "node --test" });
    expect(green).toMatchObject({ success: true });
    folder.write("src/sum.mjs", SUM.replace("a + b", "a - b"));
    const red = await callJson(client, "run_command", { command: "node --test" });
    const suspect = { file: "src/sum.mjs", change: "modified", lines: [[1, 1]], uncommitted: true };
    expect(red).toMatchObject({
      success: false,
      since_green: { green_run: green["job_id"], uncommitted_files: 1, suspects: [suspect] },
    });
    // The same run by another process, after the files have changed once more: the lines are not known any more.
    folder.write("src/sum.mjs", SUM.replace("a + b", "a * b"));
    const printed = (...args: string[]) => pithInside(args, folder.root, serverEnvironment(setup));
    // On a busy machine git may need longer than the command line waits for it, which then says less.
    const eventually = (...args: string[]) =>
      expect.poll(async () => (await printed(...args)).stdout, { timeout: LONG_MS });
    await eventually("logs", String(red["job_id"]), "--verbosity", "minimal").toMatch(
      /^green \d+ s earlier \(run \w+\) at \w+ \+ 1 uncommitted file; suspect: src\/sum\.mjs \(uncommitted\)$/m,
    );
    folder.git("commit", "-q", "-a", "-m", "multiply");
    await eventually("exec", "--pool", "--", "node", "--test").toMatch(
      /suspect: src\/sum\.mjs:1 \(commit \w+ "multiply"\)$/m,
    );
  });
});
