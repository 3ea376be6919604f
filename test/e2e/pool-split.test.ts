import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import {
  callJson,
  connectServer,
  LONG_MS,
  logLines,
  makeGate,
  QUICK,
  startWorker,
  until,
  useStore,
} from "../support/pool.ts";

vi.setConfig({ testTimeout: LONG_MS });

const SPLIT = { PITH_POOL_SPLIT: "2", PITH_POOL_FALLBACK: "false", PITH_POOL_MAX_ATTEMPTS: "1" };
const testFile = (name: string, body = ""): string =>
  `const test = require("node:test"), assert = require("node:assert");
   test("${name} one", () => {}); test("${name} two", () => { ${body} });`;

const store = useStore(beforeEach);

function project() {
  const folder = temporaryRepository({
    "package.json": '{"scripts": {"test": "node --test"}}',
    ...Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.test.js`, testFile(name)])),
  });
  onTestFinished(() => folder.dispose());
  return folder;
}

it("gives one verdict on tests that ran in parts, with one comparison and the logs of all parts", async () => {
  const { url, queue } = store();
  const folder = project();
  await startWorker({ url, args: ["--slots", "2"] });
  const client = await connectServer(folder.root, url, SPLIT);
  const green = await callJson(client, "run_tests");
  expect(green).toMatchObject({ success: true, summary: { passed: 6, failed: 0 } });
  expect(green["detail"]).toMatch(/^Split into 2 parts: runs r\w+ on \S+, r\w+ on \S+\.$/);
  const parts = (await queue.list({ limit: 10 })).map(({ id }) => id);
  expect(parts).toHaveLength(2);
  const lines = await Promise.all(parts.map(async (id) => (await logLines(queue, id)).join("\n")));
  const log = await call(client, "get_job_logs", { job_id: String(green["job_id"]), lineCount: 500 });
  for (const name of ["a one", "b two", "c one"]) {
    expect(lines.filter((text) => text.includes(name))).toHaveLength(1);
    expect(log).toContain(name);
  }
  folder.write("b.test.js", testFile("b", "assert.equal(1, 2)"));
  const red = await callJson(client, "run_tests");
  expect(red).toMatchObject({ success: false, exit_code: 1, summary: { passed: 5, failed: 1 } });
  expect(red["delta"]).toMatchObject({ new: expect.anything() });
  // On a slow machine the first run took long enough for the second to be split too.
  expect(red["detail"]).toMatch(
    /^(?:Not split: the last run took [\d.]+ s|Split into 2 parts: runs r\w+ on \S+, r\w+ on \S+)\.$/,
  );
  expect(JSON.stringify(red["errors"] ?? red)).toContain("b two");
});

it("is no pass if a part has died, although the other part passed", async () => {
  const { url, queue } = store();
  const folder = project();
  const gate = makeGate();
  const wait = `const fs = require("node:fs"); return new Promise((done) => setInterval(() => fs.existsSync(${JSON.stringify(gate.file)}) && done(), 50))`;
  folder.write("a.test.js", testFile("a", wait));
  const worker = await startWorker({ url, args: ["--slots", "2"], env: QUICK });
  const client = await connectServer(folder.root, url, SPLIT);
  const answer = callJson(client, "run_tests");
  await until(async () => ((await queue.list({ limit: 9, state: "ended" })).length === 1 ? true : undefined));
  worker.child.kill("SIGKILL");
  await worker.ended;
  const dead = await answer;
  expect(dead).toMatchObject({ success: false });
  expect(JSON.stringify(dead)).toMatch(/Part \d of 2 \(run r\w+\) has no result: 1 workers were lost/);
});

it("is no pass if a part ends with 0 and reports no test", async () => {
  const { url } = store();
  const folder = project();
  folder.write("package.json", '{"scripts": {"test": "node -r ./stop.cjs --test"}}');
  // Node's runner ends without a word in the second part, as after process.exit(0) in a test of Mocha.
  folder.write("stop.cjs", 'if (process.execArgv.includes("--test-shard=2/2")) process.exit(0);');
  await startWorker({ url, args: ["--slots", "2"] });
  const client = await connectServer(folder.root, url, SPLIT);
  const silent = await callJson(client, "run_tests");
  expect(silent).toMatchObject({ success: false, exit_code: 0 });
  expect(silent["disagreements"]).toEqual([
    expect.stringMatching(/^part 2 of 2 \(run r\w+\) reported no test$/),
  ]);
});

it("names the attempt of a part whose first worker died, and how long that one had it", async () => {
  const { url, queue } = store();
  const folder = project();
  const gate = makeGate();
  const wait = `const fs = require("node:fs"); return new Promise((done) => { const timer = setInterval(() => fs.existsSync(${JSON.stringify(gate.file)}) && (clearInterval(timer), done()), 50); })`;
  folder.write("a.test.js", testFile("a", wait));
  const first = await startWorker({ url, args: ["--slots", "2"], env: QUICK });
  const client = await connectServer(folder.root, url, { ...SPLIT, PITH_POOL_MAX_ATTEMPTS: "3" });
  const answer = callJson(client, "run_tests");
  await until(async () => ((await queue.list({ limit: 9, state: "ended" })).length === 1 ? true : undefined));
  await startWorker({ url, args: ["--id", "second"], env: QUICK });
  first.child.kill("SIGKILL");
  await first.ended;
  gate.open();
  const { success, detail } = await answer;
  expect([success, detail]).toEqual([
    true,
    expect.stringMatching(/^Split into 2 parts: .*r\w+ on second \(attempt 2 after [\d.]+ s\)/),
  ]);
});
