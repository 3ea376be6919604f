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

/**
 * Checks that damage is reported or repaired: no wrong line, no crash, and following the error's suggestion repairs
 * everything.
 */
export const corrupt: Attack = {
  name: "corrupt",
  about: "flipped bits, lost pages, truncated and missing files in the store: index, runs, logs, usage",
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

/** Accepts any documented error, which the peer checks; every reported line must be correct. */
async function useDamaged(trial: Trial, peer: Peer, tree: Tree): Promise<void> {
  for (let i = 0; i < 6; i++) await askOne(trial, tree, refusing(peer), trial.random);
  await peer.call("health_check");
  await peer.call("index_status");
  await peer.call("build", { action: "exec", tool: "echo here" });
}

/** Accepts lost lines and wrong bytes in a damaged log, but reading it must not break the server. */
async function checkRun(trial: Trial, peer: Peer, run: { id: string; known: KnownCommand }): Promise<void> {
  for (const stream of ["stdout", "stderr"] as const) await readLog(peer, run.id, stream);
  await peer.call("build", { action: "log", runId: run.id, grep: "out 1" });
  await peer.call("build", { action: "log", runId: run.id, startLine: -5 });
  trial.tried("damaged logs read");
}

/** Follows an error's suggestion: forces indexing and, if it names the runs' database, moves that aside. */
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

/** Damages one file of the store in one way and returns which. */
function damageStore(random: Random, data: string, sparing: RegExp): string {
  // The index is damaged most often, because wrong lines could look right.
  const index = random.chance(0.4);
  const { path, way } = damage(
    random,
    data,
    (one) => !sparing.test(one) && (!index || one.includes("index.db")),
  );
  const kinds = ["index.db", "runs.db", ".out", ".err", ".idx", ".jsonl"];
  return `${kinds.find((kind) => path.includes(kind)) ?? "other"} ${way}`;
}
