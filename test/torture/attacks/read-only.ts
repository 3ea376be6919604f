import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack, Trial } from "../attack.ts";
import { knownCommand } from "../commands.ts";
import { plant } from "../edits.ts";
import { askOne, refusing } from "../oracle.ts";
import type { Peer } from "../peer.ts";
import { checkLog } from "../run-logs.ts";
import { Tree } from "../tree.ts";

/** Checks that an unwritable data folder is reported and that tools without a store still answer. */
export const readOnly: Attack = {
  name: "read-only",
  about: "a data folder that is read-only, is a file, or cannot be created; then writable again",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(30) + 3);
    await random.pick([turnsReadOnly, turnsReadOnly, isFile, cannotBeMade])(trial, tree);
  },
};

async function turnsReadOnly(trial: Trial, tree: Tree): Promise<void> {
  const { random, folder } = trial;
  const disk = join(folder, "disk");
  const remount = mount(trial, disk);
  if (remount === undefined) return;
  const known = knownCommand(random);
  const used = random.chance(0.7);
  let runId = "";
  if (used) {
    const before = await trial.serve({ dataFolder: join(disk, "data") });
    const run = await before.call("build", { action: "exec", tool: known.command, response_format: "json" });
    runId = String(run.meta["run_id"]);
    await before.call("sync_repo");
    await before.close();
  }
  remount("ro");
  const peer = await trial.serve({ dataFolder: join(disk, "data") });
  await use(trial, peer, tree);
  remount("rw");
  if (used) await checkLog(trial, peer, { id: runId, known, whole: true });
  const again = await peer.call("build", { action: "exec", tool: "echo again" });
  if (again.meta["exit_code"] !== 0) trial.found("lost", `writable again: ${again.text.slice(0, 300)}`);
  trial.tried("turned read-only");
}

async function isFile(trial: Trial, tree: Tree): Promise<void> {
  writeFileSync(join(trial.folder, "plain"), "");
  const peer = await trial.serve({ dataFolder: join(trial.folder, "plain") });
  await use(trial, peer, tree);
  trial.tried("data folder is a file");
}

async function cannotBeMade(trial: Trial, tree: Tree): Promise<void> {
  const peer = await trial.serve({ dataFolder: "/proc/none/such" });
  await use(trial, peer, tree);
  trial.tried("data folder cannot be made");
}

async function use(trial: Trial, peer: Peer, tree: Tree): Promise<void> {
  const replies = await Promise.all([
    peer.call("build", { action: "exec", tool: "echo here" }),
    peer.call("bash", { command: "echo here" }),
    peer.call("index_repository", {}),
    peer.call("locate_symbol", { name: "fn_nothing" }),
    peer.call("search_code", { query: "fn_nothing" }),
    peer.call("health_check"),
  ]);
  const health = replies.at(-1);
  if (health?.error !== undefined) trial.found("lost", `no health: ${health.text.slice(0, 300)}`);
  const [path = ""] = tree.files().keys();
  for (const [tool, args] of [
    ["read", { file_path: path }],
    ["grep", { pattern: "fn_" }],
  ] as const) {
    const reply = await peer.call(tool, args);
    if (reply.error !== undefined) trial.found("lost", `${tool} needs no store: ${reply.text.slice(0, 300)}`);
  }
  await askOne(trial, tree, refusing(peer), trial.random);
  trial.tried("calls", 9);
}

/** Makes a folder read-only: by a mount for root, who ignores permissions, else by permissions. */
function mount(trial: Trial, disk: string): ((mode: "ro" | "rw") => void) | undefined {
  mkdirSync(disk);
  if (process.getuid?.() !== 0) {
    trial.afterwards(() => chmodSync(join(disk, "data"), 0o700));
    mkdirSync(join(disk, "data"));
    return (mode) => execFileSync("chmod", ["-R", mode === "ro" ? "u-w" : "u+w", join(disk, "data")]);
  }
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m,mode=700", "tmpfs", disk], { stdio: "pipe" });
  } catch (error) {
    trial.untried("a read-only mount", String(error).split("\n")[0] ?? "mount failed");
    return undefined;
  }
  trial.afterwards(() => void execFileSync("umount", ["-l", disk]));
  // The kernel refuses this while a server has files open for writing.
  return (mode) => void execFileSync("mount", ["-o", `remount,${mode}`, disk], { stdio: "pipe" });
}
