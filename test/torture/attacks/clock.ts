import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack } from "../attack.ts";
import { knownCommand } from "../commands.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne } from "../oracle.ts";
import { checkLog } from "../run-logs.ts";
import { Tree } from "../tree.ts";

const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/faketime/libfaketime.so.1",
].find((path) => existsSync(path));

/** Checks that neither a jumping clock nor files from the future cause wrong answers. */
export const clock: Attack = {
  name: "clock",
  about: "clocks that jump by days and years, and files from the past and the future",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(40) + 3);
    const known = knownCommand(random);
    const before = await trial.serve();
    const run = await before.call("build", { action: "exec", tool: known.command });
    await before.call("sync_repo");
    await before.close();
    const days = random.pick([-4_000, -30, -1, 1, 10, 4_000]);
    const peer = await trial.serve(shifted(days, random.chance(0.5)));
    for (let i = 0; i < 6; i++) {
      const paths = [...tree.files().keys()];
      if (random.chance(0.5)) tree.setTime(random.pick(paths), new Date(random.pick([0, 9e11, 4e12])));
      else editOnce(tree, random);
      await askOne(trial, tree, peer, random);
      if (random.chance(0.3)) await delay(random.size(100));
    }
    // Runs are kept for some days, so with a clock far ahead the old run may be removed when the new one ends.
    if (days < 10) await checkLog(trial, peer, { id: String(run.meta["run_id"]), known, whole: true });
    const later = await peer.call("build", { action: "exec", tool: "echo later", response_format: "json" });
    if (later.meta["exit_code"] !== 0) trial.found("lost", `after a jump: ${later.text.slice(0, 300)}`);
    trial.tried(FAKETIME === undefined ? "jumps of Date" : "jumps by libfaketime");
    if (FAKETIME === undefined)
      trial.untried("a jump of the system's clock", "no libfaketime; Date jumps instead");
  },
};

/** Shifts the clock for all processes of the server; with `restless` it keeps jumping back and forth. */
function shifted(days: number, restless: boolean): { env?: Record<string, string>; nodeArgs?: string[] } {
  if (FAKETIME !== undefined)
    return {
      env: {
        LD_PRELOAD: FAKETIME,
        FAKETIME: `${days >= 0 ? "+" : ""}${days}d`,
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    };
  const jump = `const now = Date.now; let calls = 0;
    const shift = () => ${days * 86_400_000} * (${restless} && ++calls % 7 < 3 ? -1 : 1);
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...args) { if (args.length === 0) super(now() + shift()); else super(...args); }
      static now() { return now() + shift(); }
    };`;
  return { nodeArgs: ["--import", `data:text/javascript,${encodeURIComponent(jump)}`] };
}
