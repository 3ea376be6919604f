import { accessSync, constants } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Attack, Trial } from "../attack.ts";
import { plant } from "../edits.ts";
import { askOne, refusing } from "../oracle.ts";
import { BINARY } from "../peer.ts";
import { Tree } from "../tree.ts";

/** The user "nobody", to whom a process limit applies; root has no limit. */
const NOBODY = 65_534;

/**
 * Checks that with few file descriptors or processes, calls fail only with documented errors and the server keeps
 * running.
 */
export const limits: Attack = {
  name: "limits",
  about: "servers with few file descriptors or few processes",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(60) + 3);
    const wrap = random.chance(0.6) ? fewDescriptors(trial) : fewProcesses(trial);
    if (wrap === undefined) return;
    const peer = await trial.serve({ wrap, mayFail: true, mute: true });
    if (peer.isAlive) await peer.greet();
    const busy = Array.from({ length: 10 }, (_, i) =>
      random.pick([
        () => peer.call("bash", { command: `echo ${i}; sleep 0.1` }),
        () => peer.call("build", { action: "exec", tool: `seq 1 ${i * 100}` }),
        () => peer.call("grep", { pattern: "fn_" }),
        () => peer.call("search_code", { query: "fn_" }),
        () => peer.call("sync_repo"),
        () => peer.call("index_repository", { force_reindex: true }),
      ])(),
    );
    await Promise.all(busy);
    trial.tried("calls", busy.length);
    for (let i = 0; i < 4; i++) await askOne(trial, tree, refusing(peer), random);
    const list = peer.isAlive ? await peer.request("tools/list") : {};
    if (peer.isAlive && list["result"] === undefined) trial.found("hang", "no tool list under a limit");
  },
};

function fewDescriptors(trial: Trial): string[] {
  const count = trial.random.pick([30, 40, 50, 60, 80, 100]);
  trial.tried("few descriptors");
  return ["sh", "-c", `ulimit -n ${count}; exec "$@"`, "sh"];
}

function fewProcesses(trial: Trial): string[] | undefined {
  const limited = (before: string): string[] => ["sh", "-c", `${before}; exec "$@"`, "sh"];
  if (process.getuid?.() !== 0) {
    trial.untried("few processes", "the limit would count all of this user's processes");
    return undefined;
  }
  try {
    accessSync(BINARY, constants.R_OK);
    // The user "nobody" needs access to the server's files and the workspace.
    execFileSync("setpriv", ["--reuid", String(NOBODY), "--clear-groups", "test", "-r", BINARY], {
      stdio: "pipe",
    });
    execFileSync("chown", ["-R", String(NOBODY), trial.folder]);
  } catch (error) {
    trial.untried("few processes", String(error).split("\n")[0] ?? "no setpriv");
    return undefined;
  }
  trial.tried("few processes");
  // A Node process has about eleven threads, and each counts.
  const count = trial.random.int(12, 30);
  return [
    ...limited("ulimit -n 4096"),
    "setpriv",
    "--reuid",
    String(NOBODY),
    "--clear-groups",
    ...limited(`ulimit -u ${count}`),
  ];
}
