import { describe, expect, it } from "vitest";
import type { Claim } from "../../../src/pool/queue.ts";
import { begin, putBack } from "../../../src/storage/postgres/queue-begin.ts";
import { handedOut, openHand, PASSED, useQueueBench } from "../../support/job-queue.ts";

const LEASE_MS = 60_000;
const bench = useQueueBench();

async function registered(id: string, labels: readonly string[] = []) {
  const worker = bench().worker(id, labels);
  await bench().queue.register(worker, 3);
  return worker;
}

async function theEntry() {
  const [entry, ...others] = await bench().entries();
  expect(others).toEqual([]);
  if (entry === undefined) throw new Error("there is no entry");
  return entry;
}

/** A worker takes the job's entry and dies, or sleeps, before it begins. */
async function takeWithoutBeginning(agoMs: number): Promise<void> {
  await bench().store.query(
    `UPDATE pith_queue._private_jobs SET attempts = attempts + 1, locked_by = 'pool-of-the-dead',
       locked_at = now() - $1::integer * interval '1 ms'`,
    [agoMs],
  );
}

describe("a job whose labels nobody had asked for yet", () => {
  it("is put back by a worker that it does not fit, at its place", async () => {
    const plain = await registered("w1");
    const id = await bench().submit("ada@desk", ["gpu"]);
    await bench().submit("ada@desk");
    const { number } = (await bench().entries())[0] ?? { number: 0 };
    expect(await begin(bench().store, plain, { id, again: false })).toBe("unfit");
    const [first] = await bench().entries();
    expect(first).toMatchObject({ id, isTaken: false });
    expect(first?.number).toBeGreaterThan(number);
    expect(await bench().queue.get(id)).toMatchObject({ state: "queued", attempts: [] });
  });

  it("comes to the worker that it fits, while others are free", async () => {
    const idle = await openHand(bench().queue, await registered("w1"));
    const id = await bench().submit("ada@desk", ["gpu"]);
    expect((await handedOut(bench().queue, await registered("w2", ["gpu"]), 1))[0]?.id).toBe(id);
    const other = await bench().submit("ada@desk");
    expect((await idle.has(1))[0]?.id).toBe(other);
    await idle.stop();
    expect((await bench().queue.get(id))?.attempts).toMatchObject([{ worker: "w2" }]);
  });
});

describe("a worker that sleeps past its lease", () => {
  it("removes nothing but its own entry when it wakes up", async () => {
    const id = await bench().submit();
    const sleeper = await openHand(bench().queue, await registered("w1"));
    await sleeper.has(1);
    const { number } = await theEntry();
    await bench().expire(id);
    await bench().queue.reap(3);
    expect(await theEntry()).toMatchObject({ id, isTaken: false });
    expect((await theEntry()).number).toBeGreaterThan(number);
    // It wakes up while nobody has the job, and the library completes its entry.
    await sleeper.stop();
    const [claim] = await handedOut(bench().queue, await registered("w2"), 1);
    expect(claim).toMatchObject({ id, token: 2 });
    expect(await bench().queue.finish(claim as Claim, PASSED, [])).toBe(true);
    expect(await bench().entries()).toEqual([]);
  });

  it("does not begin what another has begun meanwhile", async () => {
    const id = await bench().submit();
    const sleeper = await registered("w1");
    await takeWithoutBeginning(2 * LEASE_MS);
    await bench().queue.reclaim(LEASE_MS);
    const [claim] = await handedOut(bench().queue, await registered("w2"), 1);
    expect(claim?.id).toBe(id);
    expect(await begin(bench().store, sleeper, { id, again: false })).toBe("gone");
    expect(await begin(bench().store, sleeper, { id, again: true })).toBe("gone");
    expect((await bench().queue.get(id))?.attempts).toMatchObject([{ worker: "w2" }]);
  });
});

describe("an entry that was taken and never begun", () => {
  it("is handed out again after a lease, and not before", async () => {
    const id = await bench().submit();
    const worker = await registered("w2");
    await takeWithoutBeginning(0);
    await bench().queue.reclaim(LEASE_MS);
    expect(await theEntry()).toMatchObject({ id, isTaken: true });
    await takeWithoutBeginning(LEASE_MS + 1_000);
    await bench().queue.reclaim(LEASE_MS);
    expect(await theEntry()).toMatchObject({ id, isTaken: false });
    expect((await handedOut(bench().queue, worker, 1))[0]).toMatchObject({ id, token: 1 });
  });

  it("is left to a job that runs, however long it does", async () => {
    await bench().submit();
    await handedOut(bench().queue, await registered("w1"), 1);
    await bench().queue.reclaim(0);
    expect(await bench().entries()).toEqual([]);
  });

  it("is made anew where it is missing", async () => {
    const id = await bench().submit();
    await bench().store.query("TRUNCATE pith_queue._private_jobs");
    await bench().queue.reclaim(LEASE_MS);
    expect((await handedOut(bench().queue, await registered("w1"), 1))[0]?.id).toBe(id);
  });
});

describe("beginning", () => {
  it("is heard of the second time, where the answer was lost", async () => {
    const id = await bench().submit();
    const worker = await registered("w1");
    const first = await begin(bench().store, worker, { id, again: false });
    expect(first).toMatchObject({ id, token: 1 });
    expect(await begin(bench().store, worker, { id, again: false })).toBe("gone");
    expect(await begin(bench().store, worker, { id, again: true })).toEqual(first);
  });

  it("is for workers that are known, and leaves the job to them", async () => {
    const id = await bench().submit();
    const stranger = bench().worker("w9");
    expect(await begin(bench().store, stranger, { id, again: false })).toBe("unregistered");
    expect(await theEntry()).toMatchObject({ id, isTaken: false });
  });

  it("does not follow on a job that ended, and its entry is not put back", async () => {
    const id = await bench().submit();
    const worker = await registered("w1");
    await bench().queue.cancel(id);
    expect(await begin(bench().store, worker, { id, again: false })).toBe("gone");
    await putBack(bench().store, id);
    expect(await bench().entries()).toEqual([]);
  });
});
