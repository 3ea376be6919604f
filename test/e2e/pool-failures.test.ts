import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openPoolStore } from "../../src/storage/postgres/queue/pool-store.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import {
  callJson,
  connectServer,
  isAlive,
  logLines,
  makeGate,
  pith,
  QUICK,
  startServer,
  startWorker,
  submitJob,
  treesOf,
  until,
  LONG_MS,
  useStore,
} from "../support/pool.ts";
import { startPostgres } from "../support/postgres-process.ts";

vi.setConfig({ testTimeout: LONG_MS });

/** A command that writes the same lines in every attempt. */
const COUNTING = "for i in 1 2 3; do echo line $i; done";
const ALONE = { PITH_POOL_FALLBACK: "false" };

function repository(): string {
  const folder = temporaryRepository({ "a.txt": "one\n" });
  onTestFinished(() => folder.dispose());
  return folder.root;
}

describe("a lost worker", () => {
  const store = useStore(beforeEach);

  it("that was killed leaves nothing behind, and its job runs again from the start", async () => {
    const { url, queue } = store();
    const client = await connectServer(repository(), url, ALONE);
    const gate = makeGate();
    const first = await startWorker({ url, args: ["--id", "first"], env: QUICK });
    const job = await submitJob(queue, client, `sh -c '${COUNTING}; ${gate.wait}; echo end'`);
    await until(async () => ((await queue.totals(job.id))?.lines === 3 ? true : undefined));
    first.child.kill("SIGKILL");
    await first.ended;
    await until(async () => ((await isAlive(job.id, 1)) ? undefined : true));
    await until(() => (treesOf(first.dataFolder).length === 0 ? true : undefined));
    gate.open();
    await startWorker({ url, args: ["--id", "second"] });
    const answer = await job.done;
    expect(answer).toMatchObject({ success: true });
    expect(answer["detail"]).toContain("attempt 2");
    expect(answer).toMatchObject({ attempt: 2, earlier_attempts_ms: expect.any(Number) });
    expect(await logLines(queue, job.id)).toEqual(["line 1", "line 2", "line 3", "end"]);
    expect(await logLines(queue, job.id, 1)).toEqual(["line 1", "line 2", "line 3"]);
    const { stdout } = await pith(url, ["jobs", "show", job.id]);
    expect(stdout).toMatch(
      /attempt 1 lost, on first, 3 lines, worker first sent no heartbeat for .* the last: line 3/,
    );
    expect(stdout).toMatch(/attempt 2 won, on second, 4 lines/);
    // The time of the first worker and of its lease is not that of the second one.
    const leaseMs = Number(QUICK.PITH_POOL_LEASE_MS);
    expect(answer["worked_ms"]).toBeLessThan(Number(answer["duration_ms"]) - leaseMs);
    const [, earlier, ran] = /earlier attempts ([\d.]+) s, .*ran ([\d.]+) s$/m.exec(stdout) ?? [];
    expect(Number(earlier) * 1000).toBeGreaterThanOrEqual(leaseMs);
    expect(Number(ran) * 1000).toBeLessThan(Number(answer["duration_ms"]) - leaseMs);
    expect((await pith(url, ["jobs", "show", job.id, "--attempt", "1"])).stdout).toBe(
      "line 1\nline 2\nline 3\n",
    );
  });

  it("that paused longer than its lease can write neither output nor a result afterwards", async () => {
    const { url, queue } = store();
    const client = await connectServer(repository(), url, ALONE);
    const [early, late] = [makeGate(), makeGate()];
    const paused = await startWorker({ url, args: ["--id", "paused"], env: QUICK });
    const job = await submitJob(queue, client, `sh -c '${COUNTING}; ${early.wait}; echo end; ${late.wait}'`);
    await until(async () => ((await queue.totals(job.id))?.lines === 3 ? true : undefined));
    paused.child.kill("SIGSTOP");
    const second = await startWorker({ url, args: ["--id", "second"] });
    await second.told((event) => event["kind"] === "started" && event["id"] === job.id);
    // The command is not paused and keeps writing to its paused worker.
    early.open();
    await until(async () => ((await queue.totals(job.id))?.lines === 4 ? true : undefined));
    paused.child.kill("SIGCONT");
    await paused.told((event) => event["kind"] === "lost" && event["id"] === job.id);
    expect(await isAlive(job.id, 1)).toBe(false);
    late.open();
    expect(await job.done).toMatchObject({ success: true });
    expect(await logLines(queue, job.id)).toEqual(["line 1", "line 2", "line 3", "end"]);
    expect(await logLines(queue, job.id, 1)).toEqual(["line 1", "line 2", "line 3"]);
    expect((await queue.get(job.id))?.attempts).toMatchObject([
      { outcome: "stalled", worker: "paused" },
      { outcome: "won", worker: "second" },
    ]);
    // The worker continues with other jobs.
    second.child.kill("SIGTERM");
    await second.ended;
    expect(await callJson(client, "run_command", { command: "true" })).toMatchObject({ success: true });
  });

  it("in every attempt at a job ends the job, with a report on each attempt", async () => {
    const { url, queue } = store();
    const client = await connectServer(repository(), url, ALONE);
    const dataFolder = makeFolder();
    const gate = makeGate();
    // The parent of a job's command is its worker, and the gate lets one worker pass at a time.
    const command = `sh -c 'echo about to fail; ${gate.wait}; rm ${gate.file}; kill -9 $PPID; sleep 600'`;
    const job = await submitJob(queue, client, command);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const worker = await startWorker({ url, dataFolder });
      await until(async () => ((await queue.totals(job.id, attempt))?.lines === 1 ? true : undefined));
      gate.open();
      await worker.ended;
    }
    await startWorker({ url, dataFolder });
    const answer = await job.done;
    expect(answer).toMatchObject({ success: false, cause: "worker_lost" });
    expect(String(answer["detail"]).match(/the last: about to fail/g)).toHaveLength(3);
    expect((await queue.get(job.id))?.attempts.map((attempt) => attempt.outcome)).toEqual([
      "lost",
      "lost",
      "lost",
    ]);
  });
});

describe("a server that is killed", () => {
  const store = useStore();

  it("does not end its jobs, and another server has their results", async () => {
    const { url, queue } = store();
    const root = repository();
    const client = await startServer(root, url, { env: ALONE });
    await startWorker({ url: url });
    const gate = makeGate();
    const job = await submitJob(queue, client, `sh -c 'echo on; ${gate.wait}; echo off'`);
    await until(async () => ((await isAlive(job.id, 1)) ? true : undefined));
    const gone = expect(job.done).rejects.toThrow();
    await client.close();
    await gone;
    gate.open();
    const other = await connectServer(root, url, ALONE);
    const answer = await callJson(other, "build", { action: "log", runId: job.id, wait_ms: 40_000 });
    expect(answer).toMatchObject({ success: true, exitCode: 0 });
  });
});

describe("a database that restarts", () => {
  it("interrupts no job, and the worker sends later what it could not send", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const { queue } = await openPoolStore(server.url, 2);
    const client = await connectServer(repository(), server.url, ALONE);
    const worker = await startWorker({ url: server.url });
    const [early, late] = [makeGate(), makeGate()];
    const job = await submitJob(
      queue,
      client,
      `sh -c '${COUNTING}; ${early.wait}; echo meanwhile; ${late.wait}'`,
    );
    await until(async () => ((await queue.totals(job.id))?.lines === 3 ? true : undefined));
    await server.stop();
    early.open();
    await worker.told((event) => event["kind"] === "away");
    late.open();
    await server.start();
    await worker.told((event) => event["kind"] === "ended" && event["id"] === job.id);
    const answer = await until(async () => {
      const shown = await callJson(client, "build", { action: "log", runId: job.id, wait_ms: 5_000 });
      return "success" in shown ? shown : undefined;
    });
    expect(answer).toMatchObject({ success: true });
    expect(await logLines(queue, job.id)).toEqual(["line 1", "line 2", "line 3", "meanwhile"]);
    expect((await queue.get(job.id))?.attempts).toMatchObject([{ outcome: "won" }]);
    await queue.close();
  });
});
