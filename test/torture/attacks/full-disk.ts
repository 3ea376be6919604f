import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Trial } from "../attack.ts";
import { knownCommand } from "../commands.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne, refusing } from "../oracle.ts";
import type { Peer } from "../peer.ts";
import { checkLog } from "../run-logs.ts";
import { Tree } from "../tree.ts";

/**
 * Checks that on a full disk every call is answered, stored data is not lost, and everything works once there is space.
 */
export const fullDisk: Attack = {
  name: "full-disk",
  about: "a data folder that fills up: a small tmpfs, or a limit on the size of files",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(60) + 3);
    const limited = random.chance(0.3) || !mountSmall(trial);
    await (limited ? underLimit(trial, tree) : onSmallDisk(trial, tree));
  },
};

async function onSmallDisk(trial: Trial, tree: Tree): Promise<void> {
  const { random, folder } = trial;
  const disk = join(folder, "disk");
  const peer = await trial.serve({ dataFolder: join(disk, "data") });
  const known = knownCommand(random);
  const first = await peer.call("build", { action: "exec", tool: known.command, response_format: "json" });
  if (random.chance(0.5)) await askOne(trial, tree, peer, random);
  fill(disk, random.size(200_000));
  await useAll(trial, peer, tree);
  trial.tried("tmpfs filled");
  rmSync(join(disk, "filler"));
  const again = await peer.call("build", { action: "exec", tool: "echo again", response_format: "json" });
  if (again.meta["exit_code"] !== 0) trial.found("lost", `with room again: ${again.text.slice(0, 300)}`);
  await checkLog(trial, peer, { id: String(first.meta["run_id"]), known, whole: true });
  for (let i = 0; i < 4; i++) await askOne(trial, tree, peer, random);
}

/** Limits the file size. Node ignores the signal, so a write beyond the limit fails with EFBIG. */
async function underLimit(trial: Trial, tree: Tree): Promise<void> {
  const blocks = trial.random.pick([0, 8, 64, 200, 2_000]);
  const peer = await trial.serve({ wrap: ["sh", "-c", `ulimit -f ${blocks}; exec "$@"`, "sh"] });
  await useAll(trial, peer, tree);
  trial.tried("file sizes limited");
}

/** Makes calls of every kind; the peer checks each reply. */
async function useAll(trial: Trial, peer: Peer, tree: Tree): Promise<void> {
  const { random } = trial;
  const calls = [
    () => peer.call("build", { action: "exec", tool: "seq 1 3000" }),
    () => peer.call("bash", { command: "echo here" }),
    () => peer.call("index_repository", { force_reindex: random.chance(0.5) }),
    () => peer.call("health_check"),
    () => peer.call("index_status"),
    () => askOne(trial, tree, refusing(peer), random),
    () => askOne(trial, tree, refusing(peer), random),
  ];
  for (let i = 0; i < 6; i++) {
    if (random.chance(0.3)) editOnce(tree, random);
    await random.pick(calls)();
  }
  const alive = await peer.call("grep", { pattern: "fn_" });
  if (alive.error !== undefined) trial.found("lost", `grep needs no store: ${alive.text.slice(0, 300)}`);
  trial.tried("calls", 7);
}

function mountSmall(trial: Trial): boolean {
  const disk = join(trial.folder, "disk");
  mkdirSync(disk);
  try {
    const size = `size=${trial.random.pick([2, 4, 8])}m,mode=700`;
    execFileSync("mount", ["-t", "tmpfs", "-o", size, "tmpfs", disk], { stdio: "pipe" });
  } catch (error) {
    trial.untried("a small tmpfs", String(error).split("\n")[0] ?? "mount failed");
    return false;
  }
  trial.afterwards(() => void execFileSync("umount", ["-l", disk]));
  return true;
}

/** Fills the disk almost completely. */
function fill(disk: string, left: number): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(join(disk, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)));
  } catch {
    // The server has used some of the space meanwhile, so the disk is already full.
  }
}
