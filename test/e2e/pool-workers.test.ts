import { beforeEach, describe, expect, it, vi } from "vitest";
import { bubblewrapProblem } from "../../src/exec/isolation/enclosure.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { kept } from "../support/kept-folder.ts";
import {
  LONG_MS,
  callJson,
  connectServer,
  isAlive,
  makeGate,
  startServer,
  startWorker,
  submitJob,
  until,
  usePool,
  useStore,
} from "../support/pool.ts";

vi.setConfig({ testTimeout: LONG_MS });

function repository(files: Record<string, string> = { "a.txt": "one\n" }): GitFolder {
  return kept(temporaryRepository(files));
}

const noBubblewrap = await bubblewrapProblem();

describe("a worker with limits and rules", () => {
  const pool = usePool(() => ({
    env: {
      PITH_POOL_MAX_MEMORY_MB: "300",
      PITH_POOL_MAX_PROCESSES: "5",
      PITH_POOL_MAX_DISK_MB: "20",
      PITH_POOL_MAX_TIME_MS: "60000",
      PITH_PERMISSIONS_DENY: "rm",
    },
  }));

  it("stops a job that uses more memory, processes or disk, and says which limit it exceeded", async () => {
    // As files, because a rule of the machine makes it wary of code in a command.
    const folder = repository({
      "memory.js": "global.a = Buffer.alloc(4e8, 1); setInterval(() => {}, 1000);",
      "processes.sh": "for i in 1 2 3 4 5 6 7; do sleep 90 & done; wait",
      "disk.sh": "head -c 50000000 /dev/zero > big; sleep 90",
    });
    const client = await connectServer(folder.root, pool().url);
    const commands = ["node memory.js", "sh processes.sh", "sh disk.sh", "echo fine"];
    const answers = await Promise.all(
      commands.map((command) => callJson(client, "run_command", { command, timeout_secs: 100 })),
    );
    const ends = answers.map(({ success, cause, detail }) => [success, cause, detail]);
    expect(ends).toEqual([
      [
        false,
        "resource_limit",
        expect.stringMatching(/^it used \d+ MB of memory, and this worker allows 300$/),
      ],
      [
        false,
        "resource_limit",
        expect.stringMatching(/^it had \d+ processes at once, and this worker allows 5$/),
      ],
      [
        false,
        "resource_limit",
        expect.stringMatching(/^its folder grew to \d+ MB, and this worker allows 20$/),
      ],
      [true, undefined, undefined],
    ]);
  });

  it("applies them whatever the server of a job allows", async () => {
    const client = await connectServer(repository().root, pool().url);
    const answer = await callJson(client, "run_command", { command: "rm a.txt" });
    expect(answer).toMatchObject({ success: false, cause: "spawn_failed" });
    expect(answer["detail"]).toMatch(/^on the worker: .*deny "rm"/);
  });
});

describe("a worker", () => {
  const store = useStore(beforeEach);

  it.skipIf(noBubblewrap !== undefined)("isolates its jobs, and what is installed for them", async () => {
    const { url } = store();
    const folder = repository({
      "a.txt": "",
      "pith.toml": `[pool.prepare]\ncommands = ["mkdir deps; touch /usr/pith-test 2> deps/refused; true"]\nfiles = ["a.txt"]\n`,
    });
    await startWorker({ url, args: ["--sandbox"] });
    const client = await connectServer(folder.root, url);
    const command = "sh -c 'cat deps/refused; touch /usr/pith-test'";
    const answer = await callJson(client, "run_command", { command, verbosity: "full" });
    expect(answer).toMatchObject({ exit_code: 1, prepared: [{ outcome: "made" }] });
    expect(answer["stdout"]).toContain("Read-only file system");
    expect(answer["worker_labels"]).toContain("sandbox");
    // The processes of bubblewrap itself end with the command.
    expect(answer).not.toHaveProperty("detail");
  });

  it.skipIf(noBubblewrap !== undefined)(
    "keeps caches of isolated jobs that it did not have before",
    async () => {
      const { url } = store();
      await startWorker({ url, args: ["--sandbox"] });
      const client = await connectServer(repository().root, url);
      const write =
        "sh -c 'mkdir -p ~/go/pkg/mod/cache && echo downloaded > ~/go/pkg/mod/cache/a && echo b > ~/b'";
      expect(await callJson(client, "run_command", { command: write })).toMatchObject({ success: true });
      const command = "sh -c 'cat ~/go/pkg/mod/cache/a; ls ~/b'";
      const answer = await callJson(client, "run_command", { command, verbosity: "full" });
      expect(answer).toMatchObject({ stdout: "downloaded", success: false });
    },
  );

  it("finishes its jobs after one signal to end, and releases them after a second one", async () => {
    const { url, queue } = store();
    const client = await connectServer(repository().root, url, { PITH_POOL_FALLBACK: "false" });
    const [gate, second] = [makeGate(), makeGate()];
    const patient = await startWorker({ url, args: ["--id", "patient"] });
    const job = await submitJob(queue, client, `sh -c 'echo one; ${gate.wait}'`);
    await until(async () => ((await isAlive(job.id, 1)) ? true : undefined));
    patient.child.kill("SIGTERM");
    await patient.told((event) => event["kind"] === "draining");
    const hasty = await startWorker({ url, args: ["--id", "hasty"] });
    gate.open();
    expect(await job.done).toMatchObject({ success: true });
    await patient.ended;
    expect(patient.child.exitCode).toBe(0);
    const given = await submitJob(queue, client, `sh -c 'echo two; ${second.wait}'`);
    await until(async () => ((await isAlive(given.id, 1)) ? true : undefined));
    hasty.child.kill("SIGTERM");
    await hasty.told((event) => event["kind"] === "draining");
    hasty.child.kill("SIGTERM");
    await hasty.ended;
    expect(await isAlive(given.id, 1)).toBe(false);
    second.open();
    await startWorker({ url, args: ["--id", "third"] });
    expect(await given.done).toMatchObject({ success: true });
    expect((await queue.get(given.id))?.attempts).toMatchObject([
      { outcome: "released", worker: "hasty" },
      { outcome: "won", worker: "third" },
    ]);
  });

  it("takes only jobs whose labels it has, and serves submitters in turn", async () => {
    const { url, queue } = store();
    const folder = repository();
    const ada = await connectServer(folder.root, url, { PITH_POOL_SUBMITTER: "ada" });
    const bob = await connectServer(folder.root, url, { PITH_POOL_SUBMITTER: "bob" });
    const worker = await startWorker({ url, args: ["--slots", "1", "--label", "big"] });
    const gate = makeGate();
    const blocker = await submitJob(queue, ada, `sh -c '${gate.wait}'`);
    await until(async () => ((await isAlive(blocker.id, 1)) ? true : undefined));
    const many = [
      await submitJob(queue, ada, "echo a1"),
      await submitJob(queue, ada, "echo a2"),
      await submitJob(queue, ada, "echo a3"),
    ];
    const one = await submitJob(queue, bob, "echo b1", { labels: ["big", "os=linux"] });
    const heard: string[] = [];
    const picky = await submitJob(queue, bob, "echo gpu", { labels: ["gpu"] }, (message) =>
      heard.push(message),
    );
    expect(await queue.position(picky.id)).toMatchObject({ fitting: 0, workers: 1 });
    expect(await callJson(bob, "worker_status")).toMatchObject({
      workers: [{ max_jobs: 1, active_jobs: 1 }],
      queued_jobs: 5,
      local_fallback_active: false,
    });
    gate.open();
    await Promise.all([...many, one].map((job) => job.done));
    const order = worker.events.filter((event) => event["kind"] === "started").map((event) => event["id"]);
    expect(order).toEqual([blocker.id, many[0]?.id, one.id, many[1]?.id, many[2]?.id]);
    expect(await callJson(bob, "build", { action: "log", runId: picky.id, wait_ms: 1 })).toMatchObject({
      waiting: "queued: no worker has gpu",
    });
    // Its log says so too, whoever reads it.
    expect(await call(bob, "build", { action: "log", runId: picky.id, lineCount: 5 })).toBe(
      `run ${picky.id}, queued: no worker has gpu, no output`,
    );
    expect(await call(bob, "get_job_logs", { job_id: picky.id })).toBe(
      `job ${picky.id}, queued: no worker has gpu`,
    );
    await until(() => heard.find((message) => message.includes("queued: no worker has gpu")));
    const hurried = { command: "echo gpu", labels: ["gpu", "big"], timeout_secs: 1 };
    expect(await callJson(bob, "run_command", hurried)).toMatchObject({
      success: false,
      cause: "timed_out",
      detail: "It was queued: no worker has gpu.",
    });
    await startWorker({ url, args: ["--label", "gpu"] });
    expect(await picky.done).toMatchObject({ success: true });
  });
});

describe("a pool without a worker", () => {
  const store = useStore();

  it("lets the server run the job on the same files, and names this machine", async () => {
    const { url, queue } = store();
    const folder = repository();
    const client = await connectServer(folder.root, url);
    folder.write("a.txt", "two\n");
    const answer = await callJson(client, "run_command", {
      command: "sh -c 'cat a.txt; touch made-here'",
      verbosity: "full",
    });
    expect(answer).toMatchObject({
      success: true,
      stdout: "two",
      local_fallback: true,
      worker: expect.any(String),
    });
    // A run outside the pool names none.
    expect(await callJson(client, "bash", { command: "true" })).not.toHaveProperty("worker");
    expect(folder.git("status", "--porcelain")).toBe(" M a.txt\n");
    expect(await callJson(client, "worker_status")).toMatchObject({
      workers: [],
      local_fallback_active: true,
    });
    expect((await queue.get(String(answer["job_id"])))?.worker).toMatch(/^server /);
  });

  it("lets the server continue its jobs after a restart", async () => {
    const { url, queue } = store();
    const folder = repository();
    const dataFolder = makeFolder();
    const gate = makeGate();
    const first = await startServer(folder.root, url, { dataFolder });
    const job = await submitJob(queue, first, `sh -c '${gate.wait}; cat a.txt'`);
    await until(async () => ((await isAlive(job.id, 1)) ? true : undefined));
    await first.close();
    gate.open();
    const second = await startServer(folder.root, url, { dataFolder });
    const answer = await until(async () => {
      const shown = await callJson(second, "build", { action: "log", runId: job.id, wait_ms: 1_000 });
      return "success" in shown ? shown : undefined;
    });
    expect(answer).toMatchObject({ success: true });
    expect((await queue.get(job.id))?.attempts).toMatchObject([{ token: 1 }, { outcome: "won" }]);
  });

  it("and without its database lets the server run in the working tree, and says so", async () => {
    const folder = makeFolder({ "a.txt": "one\n" });
    const client = await connectServer(folder, "postgres://nobody@127.0.0.1:1/none");
    const answer = await callJson(client, "run_command", { command: "cat a.txt", verbosity: "full" });
    expect(answer).toMatchObject({ success: true, stdout: "one" });
    expect(answer["detail"]).toContain("Pool unavailable");
  });
});
