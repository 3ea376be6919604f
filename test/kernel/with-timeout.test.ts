import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { OutOfTime, withinTime } from "../../src/kernel/with-timeout.ts";

/** The address of a service that never ends its responses. */
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

it("ends every one of many slow responses", async () => {
  const url = await startDripping();
  const read = async (signal: AbortSignal): Promise<string> => (await fetch(url, { signal })).text();
  const rounds = Array.from({ length: 40 }, async (_, line) => {
    for (let round = 0; round < 10; round++)
      await expect(withinTime(30 + ((line * 7 + round * 31) % 150), read)).rejects.toThrow(OutOfTime);
  });
  await Promise.all(rounds);
});

it("gives what the work gives, and throws what it throws", async () => {
  expect(await withinTime(60_000, () => Promise.resolve(7))).toBe(7);
  await expect(withinTime(60_000, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});

it("stops the work when its caller gives up, before or meanwhile", async () => {
  const forever = (signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  const caller = new AbortController();
  const work = withinTime(60_000, forever, caller.signal);
  caller.abort(new Error("not wanted any more"));
  await expect(work).rejects.toThrow("not wanted any more");
  await expect(withinTime(60_000, forever, caller.signal)).rejects.toThrow("not wanted any more");
});
