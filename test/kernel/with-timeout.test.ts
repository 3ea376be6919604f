import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { TimeoutError, waitAtMost, withTimeout } from "../../src/kernel/with-timeout.ts";

/** Starts a service that never ends its responses, and returns its address. */
async function startDripping(): Promise<string> {
  const server = createServer((_request, response) => {
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("withTimeout", () => {
  it("ends each of many slow responses", async () => {
    const url = await startDripping();
    const read = async (signal: AbortSignal): Promise<string> => (await fetch(url, { signal })).text();
    const rounds = Array.from({ length: 40 }, async (_, line) => {
      for (let round = 0; round < 10; round++)
        await expect(withTimeout(30 + ((line * 7 + round * 31) % 150), read)).rejects.toThrow(TimeoutError);
    });
    await Promise.all(rounds);
  });

  it("passes on the result and the error of the work", async () => {
    expect(await withTimeout(60_000, () => Promise.resolve(7))).toBe(7);
    await expect(withTimeout(60_000, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });

  it("stops the work when its caller gives up, before it starts or while it runs", async () => {
    const forever = (signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        const stop = (): void => reject(signal.reason);
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop, { once: true });
      });
    const caller = new AbortController();
    const work = withTimeout(60_000, forever, caller.signal);
    caller.abort(new Error("not wanted any more"));
    await expect(work).rejects.toThrow("not wanted any more");
    await expect(withTimeout(60_000, forever, caller.signal)).rejects.toThrow("not wanted any more");
  });
});

describe("waitAtMost", () => {
  const never = new Promise<number>(() => undefined);

  it("passes on the result and the error of work that ends in time", async () => {
    expect(await waitAtMost(60_000, Promise.resolve(7))).toBe(7);
    expect(await waitAtMost(Infinity, Promise.resolve(7))).toBe(7);
    await expect(waitAtMost(60_000, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });

  it("stops waiting when the time is over, and ignores a later error", async () => {
    expect(await waitAtMost(-1, never)).toBeUndefined();
    let fail = (): void => undefined;
    const late = new Promise<number>((_resolve, reject) => {
      fail = () => reject(new Error("nobody waits for this"));
    });
    expect(await waitAtMost(1, late)).toBeUndefined();
    fail();
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("stops waiting when the signal is aborted, before the wait or during it", async () => {
    const caller = new AbortController();
    const wait = waitAtMost(Infinity, never, { signal: caller.signal });
    caller.abort();
    expect(await wait).toBeUndefined();
    expect(await waitAtMost(Infinity, never, { signal: caller.signal })).toBeUndefined();
  });
});
