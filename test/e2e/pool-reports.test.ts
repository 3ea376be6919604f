import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { folderAt, type GitFolder } from "../support/git-folder.ts";
import { LONG_MS, callJson, connectServer, startWorker } from "../support/pool.ts";
import { freshDatabase } from "../support/postgres.ts";

vi.setConfig({ testTimeout: LONG_MS });

let url: string;
beforeEach(async () => {
  const database = await freshDatabase();
  url = database.url;
  return () => database.drop();
});

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
