import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Trial } from "../attack.ts";
import { knownCommand, type KnownCommand } from "../commands.ts";
import { damage } from "../damage.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne, refusing } from "../oracle.ts";
import type { Peer } from "../peer.ts";
import type { Random } from "../random.ts";
import { readLog } from "../run-logs.ts";
import { Tree } from "../tree.ts";

/** Damage is told or repaired: no wrong line, no crash, and doing what the error says brings everything back. */
export const corrupt: Attack = {
  name: "corrupt",
  about: "bits flipped, pages lost, tails cut, files gone in the store: index, runs, logs, usage",
  async round(trial) {
    const { random, folder } = trial;
    const tree = new Tree(join(folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(60) + 3);
    const known = knownCommand(random);
    const before = await trial.serve();
    const run = await before.call("build", { action: "exec", tool: known.command, response_format: "json" });
    await before.call("sync_repo");
    const live = random.chance(0.3);
    if (!live) await before.close();
    const sparing = live ? /-shm$/ : /^$/;
    if (live)
      trial.untried(
        "the -shm file of a live server",
        "SQLite maps it: cutting it ends any process that does",
      );
    for (let i = random.int(1, 3); i > 0; i--)
      trial.tried(damageStore(random, join(folder, "data"), sparing));
    if (random.chance(0.5)) editOnce(tree, random);
    const peer = live ? before : await trial.serve();
    await useDamaged(trial, peer, tree);
    await checkRun(trial, peer, { id: String(run.meta["run_id"]), known });
    await repair(trial, peer, tree);
  },
};

/** Any answer may be an error of the list, which the peer checks; a line that is told must be right. */
async function useDamaged(trial: Trial, peer: Peer, tree: Tree): Promise<void> {
  for (let i = 0; i < 6; i++) await askOne(trial, tree, refusing(peer), trial.random);
  await peer.call("health_check");
  await peer.call("index_status");
  await peer.call("build", { action: "exec", tool: "echo here" });
}

/** A damaged log may have lost lines or hold wrong bytes; one that is read must not break the server. */
async function checkRun(trial: Trial, peer: Peer, run: { id: string; known: KnownCommand }): Promise<void> {
  for (const stream of ["stdout", "stderr"] as const) await readLog(peer, run.id, stream);
  await peer.call("build", { action: "log", runId: run.id, grep: "out 1" });
  await peer.call("build", { action: "log", runId: run.id, startLine: -5 });
  trial.tried("damaged logs read");
}

/** What an error suggests: index anew by force, and where the runs' database is named, move it away. */
async function repair(trial: Trial, peer: Peer, tree: Tree): Promise<void> {
  const { random, folder } = trial;
  const indexed = await peer.call("index_repository", { force_reindex: true });
  if (indexed.error !== undefined)
    trial.found("lost", `a forced index failed: ${indexed.text.slice(0, 300)}`);
  for (let i = 0; i < 4; i++) await askOne(trial, tree, peer, random);
  const ran = await peer.call("build", { action: "exec", tool: "echo here" });
  if (ran.error === undefined) return;
  for (const end of ["", "-wal", "-shm"])
    rmSync(join(folder, "data", "runs", `runs.db${end}`), { force: true, recursive: true });
  await peer.close();
  const again = await (await trial.serve()).call("build", { action: "exec", tool: "echo here" });
  if (again.error !== undefined) trial.found("lost", `runs do not come back: ${again.text.slice(0, 300)}`);
}

/** Breaks one file of the store in one way; says which. */
function damageStore(random: Random, data: string, sparing: RegExp): string {
  // The index has the most to lose: lines that are wrong and look right.
  const index = random.chance(0.4);
  const { path, way } = damage(
    random,
    data,
    (one) => !sparing.test(one) && (!index || one.includes("index.db")),
  );
  const kinds = ["index.db", "runs.db", ".out", ".err", ".idx", ".jsonl"];
  return `${kinds.find((kind) => path.includes(kind)) ?? "other"} ${way}`;
}
