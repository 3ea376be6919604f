import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openChunkLog } from "../../../../src/pool/chunk-log.ts";
import { ChunkWriter } from "../../../../src/pool/chunk-writer.ts";
import { type MachineFacts, readRequirements } from "../../../../src/pool/choice/needs.ts";
import { JobClaimer } from "../../../../src/pool/job-claimer.ts";
import { JobWatch } from "../../../../src/pool/submit/job-watch.ts";
import type { PoolNews, WorkerEntry } from "../../../../src/pool/queue.ts";
import { openPostgres } from "../../../../src/storage/postgres/database.ts";
import { createJobQueue } from "../../../../src/storage/postgres/queue/queue.ts";
import { claimNext, PASSED, useQueueBench } from "../../../support/job-queue.ts";
import { freshStore } from "../../../support/postgres.ts";

const bench = useQueueBench();

/** Registers a worker that has claimed the next job. */
async function taken(workerId = "w1") {
  const worker = bench().worker(workerId);
  await bench().queue.register(worker, 3);
  const [claim] = await claimNext(bench().queue, worker, 1);
  if (claim === undefined) throw new Error("nothing was handed out");
  return { worker, claim };
}

function pieces(text: string, stream: "stdout" | "stderr" = "stdout") {
  const writer = new ChunkWriter();
  writer.write(stream, Buffer.from(text));
  return writer.take();
}

describe("claiming", () => {
  it("gives each job to one worker, however many ask at once", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) ids.push(await bench().submit());
    const workers = Array.from({ length: 8 }, (_, i) => bench().worker(`w${i}`));
    await Promise.all(workers.map((worker) => bench().queue.register(worker, 3)));
    const got: string[] = [];
    while (got.length < ids.length) {
      const claims = await Promise.all(
        workers.map((worker) => bench().queue.claim({ worker, count: 2, except: [] })),
      );
      got.push(...claims.flat().map((claim) => claim.id));
    }
    expect(got.sort()).toEqual(ids);
  });

  it("serves submitters round-robin", async () => {
    const many = [];
    for (let i = 0; i < 5; i++) many.push(await bench().submit("ada@desk"));
    const first = await bench().submit("bob@desk");
    const second = await bench().submit("bob@desk");
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    const order = (await claimNext(bench().queue, worker, 7)).map((claim) => claim.id);
    expect(order).toEqual([many[0], first, many[1], second, many[2], many[3], many[4]]);
  });

  it("keeps the order of turns in a pool that is never idle", async () => {
    await bench().submit("ada@desk");
    // The number of turns after a year at two per second.
    await bench().store.query("UPDATE pith.job SET turn = 63000000");
    const [second, third] = [await bench().submit("ada@desk"), await bench().submit("ada@desk")];
    const first = await bench().submit("bob@desk");
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    const order = (await claimNext(bench().queue, worker, 4)).map((claim) => claim.id);
    expect(order.slice(1)).toEqual([first, second, third]);
  });

  it("serves a late submitter after the current round", async () => {
    for (let i = 0; i < 6; i++) await bench().submit("ada@desk");
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    await claimNext(bench().queue, worker, 2);
    const late = await bench().submit("bob@desk");
    expect(await bench().queue.position(late)).toMatchObject({ ahead: 1, fitting: 1 });
    const next = await claimNext(bench().queue, worker, 2);
    expect(next[1]?.id).toBe(late);
  });

  it("gives a job only to a worker with its labels, and reports that no worker has them", async () => {
    const id = await bench().submit("ada@desk", ["gpu", "os=linux"]);
    const plain = bench().worker("w1", ["os=linux"]);
    await bench().queue.register(plain, 3);
    const other = await bench().submit("ada@desk", ["os=linux"]);
    expect((await claimNext(bench().queue, plain, 1))[0]?.id).toBe(other);
    expect(await bench().queue.position(id)).toEqual({ ahead: 0, fitting: 0, workers: 1, lacking: ["gpu"] });
    const strong = bench().worker("w2", ["gpu", "os=linux", "x"]);
    await bench().queue.register(strong, 3);
    expect((await claimNext(bench().queue, strong, 1))[0]?.id).toBe(id);
  });

  it("gives a job only to a machine that has the versions it needs", async () => {
    const { needs } = readRequirements(["node>=20", "cores>=4"], "test");
    const id = await bench().submit("ada@desk", [], { needs });
    const machine = (name: string, facts: MachineFacts) => ({ ...bench().worker(name), facts });
    const old = machine("w1", { node: [[18, 20, 4]], cores: [[8, 0, 0]] });
    const small = machine("w2", { node: [[22, 0, 0]], cores: [[2, 0, 0]] });
    const fitting = machine("w3", {
      node: [
        [18, 1, 0],
        [20, 0, 0],
      ],
      cores: [[4, 0, 0]],
    });
    for (const worker of [old, small]) {
      await bench().queue.register(worker, 3);
      expect(await bench().queue.claim({ worker, count: 1, except: [] })).toEqual([]);
    }
    expect(await bench().queue.position(id)).toEqual({
      ahead: 0,
      fitting: 0,
      workers: 2,
      lacking: ["node >=20 with cores >=4"],
    });
    expect(await bench().queue.get(id)).toMatchObject({ needs: ["node >=20", "cores >=4"] });
    await bench().queue.register(fitting, 3);
    expect(await bench().queue.position(id)).toMatchObject({ fitting: 1 });
    expect((await claimNext(bench().queue, fitting, 1))[0]?.id).toBe(id);
  });

  it("starts urgent jobs first, and takes turns between submitters of the same priority", async () => {
    const low = await bench().submit("ada@desk", [], { priority: -1 });
    const normal = [await bench().submit("ada@desk"), await bench().submit("ada@desk")];
    const high = [
      await bench().submit("ada@desk", [], { priority: 1 }),
      await bench().submit("ada@desk", [], { priority: 1 }),
    ];
    const other = await bench().submit("bob@desk", [], { priority: 1 });
    expect(await bench().queue.position(low)).toMatchObject({ ahead: 5 });
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    const order = (await claimNext(bench().queue, worker, 6)).map((claim) => claim.id);
    expect(order).toEqual([high[0], other, high[1], ...normal, low]);
  });

  it("leaves a new job to an idle worker that has its caches", async () => {
    const [warm, cold] = [{ ...bench().worker("w1"), slots: 2 }, bench().worker("w2")];
    for (const worker of [warm, cold]) await bench().queue.register(worker, 3);
    const caches = { caches: ["npm abc"] };
    const ask = async (worker: WorkerEntry) =>
      (await bench().queue.claim({ worker, count: 1, except: [] }))[0]?.id;
    const first = await bench().submit("ada@desk", [], caches);
    expect(await ask(warm)).toBe(first);
    expect(await bench().queue.get(first)).toMatchObject({ warm: 0 });
    const second = await bench().submit("ada@desk", [], caches);
    expect(await ask(cold)).toBeUndefined();
    expect(await ask(warm)).toBe(second);
    // The job's caches are its packages and its repository.
    expect(await bench().queue.get(second)).toMatchObject({ warm: 2 });
    // Now the worker with the caches is busy.
    const third = await bench().submit("ada@desk", [], caches);
    expect(await ask(cold)).toBe(third);
  });

  it("gives a job to any worker if the one with its caches does not take it", async () => {
    const [warm, cold] = [bench().worker("w1"), bench().worker("w2")];
    for (const worker of [warm, cold]) await bench().queue.register(worker, 3);
    await bench().submit();
    await claimNext(bench().queue, warm, 1);
    const id = await bench().submit();
    await bench().store.query("UPDATE pith.job SET submitted_at = now() - interval '3 s' WHERE id = $1", [
      id,
    ]);
    expect((await claimNext(bench().queue, cold, 1))[0]?.id).toBe(id);
  });

  it("gives nothing to an unregistered worker", async () => {
    await bench().submit();
    expect(await bench().queue.claim({ worker: bench().worker("w9"), count: 1, except: [] })).toEqual([]);
  });

  it("skips jobs whose last attempt is still being cleaned up", async () => {
    const [first, second] = [await bench().submit(), await bench().submit()];
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    const claims = await bench().queue.claim({ worker, count: 2, except: [first] });
    expect(claims.map((claim) => claim.id)).toEqual([second]);
  });

  it("leaves a job to the workers as long as one could take it", async () => {
    const id = await bench().submit("ada@desk");
    const server = { ...bench().worker("s1"), kind: "fallback" as const };
    await bench().queue.register(server, 3);
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    expect(await bench().queue.claim({ worker: server, count: 1, except: [], only: [id] })).toEqual([]);
    await bench().queue.unregister(worker);
    expect(await bench().queue.claim({ worker: server, count: 1, except: [], only: ["r999999"] })).toEqual(
      [],
    );
    expect((await bench().queue.claim({ worker: server, count: 1, except: [], only: [id] }))[0]?.id).toBe(id);
    expect(await bench().queue.status()).toMatchObject({ workers: [], localFallback: true, running: 1 });
  });
});

describe("a lost lease", () => {
  it("rejects result and output of the old attempt and accepts those of the new one", async () => {
    const id = await bench().submit();
    const old = await taken("w1");
    expect(await bench().queue.append(old.claim, pieces("from the first\n"))).toBe(true);
    await bench().expire(id);
    await bench().queue.reap(3);
    const fresh = await taken("w2");
    expect(fresh.claim.token).toBe(old.claim.token + 1);
    expect(await bench().queue.append(old.claim, pieces("too late\n"))).toBe(false);
    expect(await bench().queue.finish(old.claim, PASSED, pieces("too late\n"))).toBe(false);
    expect(await bench().queue.append(fresh.claim, pieces("from the second\n"))).toBe(true);
    expect(await bench().queue.finish(fresh.claim, PASSED, [])).toBe(true);
    expect(await bench().queue.finish(old.claim, PASSED, [])).toBe(false);
    const job = await bench().queue.get(id);
    expect(job).toMatchObject({ state: "ended", end: { cause: "exit" }, worker: "w2" });
    expect(job?.attempts).toMatchObject([
      { token: 1, worker: "w1", outcome: "lost", lines: 1 },
      { token: 2, worker: "w2", outcome: "won", lines: 1 },
    ]);
    expect(job?.attempts[0]?.seen).toContain("the last: from the first");
    const lines = async (attempt?: number) =>
      (await openChunkLog(bench().queue, id, attempt).lines({ stream: "both", from: 1, count: 10 })).map(
        (line) => line.bytes.toString(),
      );
    expect(await lines()).toEqual(["from the second"]);
    expect(await lines(1)).toEqual(["from the first"]);
  });

  it("is reported to the worker that comes back, whose return does not count as a death", async () => {
    const id = await bench().submit();
    const { worker, claim } = await taken();
    await bench().expire(id);
    await bench().queue.reap(3);
    expect(await bench().queue.renew(worker, [claim], false)).toEqual({ registration: "own", held: [] });
    expect((await bench().queue.get(id))?.attempts[0]).toMatchObject({ outcome: "stalled" });
  });

  it("ends the job after three deaths, with what was known each time", async () => {
    const id = await bench().submit();
    for (const name of ["w1", "w2", "w3"]) {
      const { claim } = await taken(name);
      await bench().queue.append(claim, pieces(`boom on ${name}\n`, "stderr"));
      await bench().expire(id);
      await bench().queue.reap(3);
    }
    const job = await bench().queue.get(id);
    expect(job?.state).toBe("ended");
    expect(job?.end?.cause).toBe("worker_lost");
    for (const name of ["w1", "w2", "w3"]) expect(job?.end?.detail).toContain(`the last: boom on ${name}`);
  });

  it("expires at once when a worker with the same id starts again", async () => {
    const id = await bench().submit();
    const { worker } = await taken("w1");
    await bench().queue.register({ ...worker, session: "another" }, 3);
    expect(await bench().queue.get(id)).toMatchObject({ state: "queued", attempts: [{ outcome: "lost" }] });
    expect(await bench().queue.renew(worker, [], false)).toMatchObject({ registration: "replaced" });
  });
});

describe("ending", () => {
  it("has the same effect however often it is reported", async () => {
    const id = await bench().submit();
    const { claim } = await taken();
    const chunks = pieces("once\n");
    expect(await bench().queue.finish(claim, PASSED, chunks)).toBe(true);
    expect(await bench().queue.finish(claim, PASSED, chunks)).toBe(true);
    expect(await bench().queue.totals(id)).toMatchObject({ lines: 1, token: 1 });
  });

  it("happens at once for a cancelled job in the queue, and through its worker for a running one", async () => {
    const queued = await bench().submit();
    await bench().queue.cancel(queued);
    expect((await bench().queue.get(queued))?.end?.cause).toBe("cancelled");
    const running = await bench().submit();
    const { worker, claim } = await taken();
    await bench().queue.cancel(running);
    expect((await bench().queue.renew(worker, [claim], false)).held).toEqual([
      { id: running, cancelRequested: true },
    ]);
    await bench().expire(running);
    await bench().queue.reap(3);
    expect((await bench().queue.get(running))?.end?.cause).toBe("cancelled");
  });

  it("puts a released job back to its place in the queue", async () => {
    const id = await bench().submit();
    await bench().submit();
    const { claim } = await taken();
    await bench().queue.release(claim, "it was told to stop");
    expect((await bench().queue.get(id))?.attempts).toMatchObject([{ outcome: "released" }]);
    expect((await taken()).claim).toMatchObject({ id, token: 2 });
  });
});

describe("a new job", () => {
  /** Submits a job and returns the workers that its notification names; undefined if there is none. */
  async function namedFor(labels: readonly string[] = [], caches: readonly string[] = []) {
    let names: readonly string[] | undefined;
    let heardLast = (): void => undefined;
    const last = new Promise<void>((resolve) => (heardLast = resolve));
    let hasBegun = false;
    const stop = await bench().queue.listen((one) => {
      if (one.kind === "queued" && hasBegun) names = one.for ?? [];
      else if (one.kind === "ended") heardLast();
    });
    hasBegun = true;
    await bench().submit("ada@desk", labels, { caches });
    // Notifications arrive in the order of their commits.
    await bench().store.query(`NOTIFY pith_pool, '{"kind":"ended","id":"the last"}'`);
    await last;
    await stop();
    return names;
  }

  it("wakes free workers that may take it, those with its caches first, one more than there are jobs", async () => {
    const workers = ["w1", "w2", "w3", "w4"].map((id) => ({ ...bench().worker(id, ["a"]), slots: 1 }));
    for (const worker of [...workers, bench().worker("other")]) await bench().queue.register(worker, 3);
    const [busy, warm] = workers;
    if (busy === undefined || warm === undefined) throw new Error("there are four workers");
    await bench().submit("ada@desk", ["a"], { caches: ["npm abc"] });
    const [first] = await claimNext(bench().queue, warm, 1);
    if (first === undefined) throw new Error("nothing was handed out");
    await bench().queue.finish(first, PASSED, []);
    await bench().submit("ada@desk", ["a"], { caches: ["pip abc"] });
    await bench().store.query("UPDATE pith.job SET submitted_at = now() - interval '3 s'");
    await claimNext(bench().queue, busy, 1);
    const names = await namedFor(["a"], ["npm abc"]);
    expect(names?.[0]).toBe("w2");
    expect(names).toHaveLength(2);
    expect([...((await namedFor(["a"])) ?? [])].sort()).toEqual(["w2", "w3", "w4"]);
    expect(await namedFor(["b"])).toBeUndefined();
  });

  it("wakes nobody while no worker is free, because each looks for jobs when it becomes free", async () => {
    const worker = { ...bench().worker("w1"), slots: 1 };
    await bench().queue.register(worker, 3);
    await bench().submit();
    const [first] = await claimNext(bench().queue, worker, 1);
    if (first === undefined) throw new Error("nothing was handed out");
    expect(await namedFor()).toBeUndefined();
    await bench().queue.finish(first, PASSED, []);
    expect(await claimNext(bench().queue, worker, 1)).toHaveLength(1);
  });

  it("is found by the other workers if those do not take it", async () => {
    const worker = bench().worker("w1");
    await bench().queue.register(worker, 3);
    const id = await bench().submit();
    const found = await new Promise((resolve, reject) => {
      const claimer = new JobClaimer({
        queue: bench().queue,
        worker,
        held: new Map(),
        start: (claim) => resolve(claim.id),
        onError: reject,
      });
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      claimer.hear(["w2"]);
      vi.advanceTimersByTime(3_000);
      vi.useRealTimers();
    });
    expect(found).toBe(id);
  });
});

it("notifies listeners of events", async () => {
  const news: PoolNews[] = [];
  let heard = (): void => undefined;
  const stop = await bench().queue.listen((one) => {
    news.push(one);
    heard();
  });
  const worker = bench().worker("w1");
  await bench().queue.register(worker, 3);
  const [finished, cancelled] = [await bench().submit(), await bench().submit()];
  const [claim] = await claimNext(bench().queue, worker, 1);
  if (claim === undefined) throw new Error("nothing was handed out");
  await bench().queue.finish(claim, PASSED, []);
  await bench().queue.cancel(cancelled);
  for (const id of [finished, cancelled])
    while (!news.some((one) => one.kind === "ended" && one.id === id))
      await new Promise<void>((resolve) => (heard = resolve));
  await stop();
});

it("notifies in transactions of its own, because commits that notify wait for each other", async () => {
  const rows = await bench().store.query(
    "SELECT proname AS name FROM pg_proc WHERE pronamespace = 'pith'::regnamespace AND prosrc LIKE '%pg_notify%' ORDER BY 1",
  );
  // The first is called for that alone; the others are for what rarely happens.
  expect(rows.map(({ name }) => name)).toEqual(["announce_job", "cancel_job", "end_job", "return_job"]);
});

it("a server listens while it waits for jobs, and not much longer", async () => {
  const { queue, store } = bench();
  const listeners = async () =>
    (
      await store.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'",
      )
    ).length;
  const before = await listeners();
  const watch = new JobWatch(queue, { maxAttempts: 3, onTrouble: () => undefined });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await watch.open();
  const id = await bench().submit();
  const ended = watch.ended(id);
  vi.advanceTimersByTime(60_000);
  expect(await listeners()).toBe(before + 1);
  await queue.cancel(id);
  await ended;
  vi.advanceTimersByTime(60_000);
  while ((await listeners()) > before) await new Promise(setImmediate);
  await watch.open();
  expect(await listeners()).toBe(before + 1);
  await watch.close();
});

it("a server that closes while it looks for ended jobs reports no trouble", async () => {
  const database = await freshStore();
  onTestFinished(() => database.drop());
  const queue = createJobQueue(await openPostgres(database.url));
  const troubles: unknown[] = [];
  const watch = new JobWatch(queue, { maxAttempts: 3, onTrouble: (error) => troubles.push(error) });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const ended = watch.ended("r000000");
  vi.advanceTimersByTime(1_000);
  // The driver hands out a connection in a later step; the question is on its way when the queue closes.
  await new Promise(setImmediate);
  await watch.close();
  await Promise.all([ended, queue.close()]);
  await new Promise(setImmediate);
  expect(troubles).toEqual([]);
});
