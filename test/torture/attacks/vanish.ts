import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack, Trial } from "../attack.ts";
import { HttpClient } from "../http-client.ts";
import { ERAS } from "../peer.ts";

/** Checks that after a client disconnects during a call, the server exits or serves the next client. */
export const vanish: Attack = {
  name: "vanish",
  about: "clients that disconnect during a call, on stdio and over HTTP",
  async round(trial) {
    mkdirSync(join(trial.folder, "work"), { recursive: true });
    writeFileSync(join(trial.folder, "work", "hello.txt"), "hello\n");
    await (trial.random.chance(0.5) ? fromStdio(trial) : fromHttp(trial));
  },
};

const CALLS = [
  ["bash", { command: "seq 1 100000; sleep 1" }],
  ["build", { action: "exec", tool: "sleep 1" }],
  ["grep", { pattern: "h" }],
  ["search_code", { query: "hello" }],
  ["run_command", { command: "seq 1 5; sleep 0.5" }],
] as const;

async function fromStdio(trial: Trial): Promise<void> {
  const { random } = trial;
  const peer = await trial.serve({
    era: random.pick(ERAS),
    args: ["--toolsets", "code,run,files,index,jobs"],
  });
  const calls = Array.from({ length: random.int(1, 6) }, () => {
    const [tool, args] = random.pick(CALLS);
    return peer.call(tool, args);
  });
  await delay(random.size(400));
  const way = random.pick(["stdin", "stdout", "both"] as const);
  if (way !== "stdin") peer.stdout.destroy();
  if (way !== "stdout") peer.stdin.end();
  // Only the end of stdin tells a server that its client is gone; a closed stdout must not crash it.
  if (way === "stdout") {
    await delay(random.size(400));
    peer.stdin.end();
  }
  if (!(await peer.ended(60_000))) trial.found("hang", `the server outlived its client (${way})`);
  await Promise.all(calls);
  trial.tried("clients gone on stdio");
}

async function fromHttp(trial: Trial): Promise<void> {
  const { random } = trial;
  const peer = await trial.serve({ http: true, args: ["--toolsets", "code,run,files,index,jobs"] });
  await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const mine = random.fork(String(i));
      const client = await HttpClient.open(peer.url, mine.pick(ERAS));
      const [tool, args] = mine.pick(CALLS);
      // The call may be answered before the client disconnects.
      await client.call(tool, args, AbortSignal.timeout(mine.size(400))).catch(() => undefined);
    }),
  );
  trial.tried("clients gone over HTTP", 6);
  const client = await HttpClient.open(peer.url, random.pick(ERAS));
  const reply = await client.call("read", { file_path: "hello.txt" });
  if (reply.text !== "1| hello") trial.found("lost", `after clients vanished: ${reply.text.slice(0, 300)}`);
}
