import { describe, expect, it } from "vitest";
import { createSemaphore } from "../../src/kernel/semaphore.ts";
import { createDeferred } from "../support/deferred.ts";

describe("a semaphore", () => {
  it("runs no more work at once than it has permits, in the order of arrival", async () => {
    const semaphore = createSemaphore(2);
    const gates = Array.from({ length: 4 }, () => createDeferred<void>());
    const started: number[] = [];
    const all = gates.map((gate, index) =>
      semaphore.run(() => {
        started.push(index);
        return gate.promise;
      }),
    );
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1]);
    gates[1]?.resolve();
    await all[1];
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    await Promise.all(all);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  it("gives the permit of failed work to the next waiter", async () => {
    const semaphore = createSemaphore(1);
    const first = createDeferred<never>();
    const failing = semaphore.run(() => first.promise);
    const next = semaphore.run(() => Promise.resolve("ran"));
    first.reject(new Error("failed"));
    await expect(failing).rejects.toThrow("failed");
    await expect(next).resolves.toBe("ran");
  });

  it("skips a waiter that was aborted, without losing a permit", async () => {
    const semaphore = createSemaphore(1);
    const release = await semaphore.acquire();
    const stop = new AbortController();
    const aborted = semaphore.run(() => Promise.resolve("never"), stop.signal);
    const next = semaphore.run(() => Promise.resolve("ran"));
    stop.abort(new Error("gave up"));
    await expect(aborted).rejects.toThrow("gave up");
    release();
    await expect(next).resolves.toBe("ran");
    await expect(semaphore.run(() => Promise.resolve("again"))).resolves.toBe("again");
  });
});
