import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Attack, Trial } from "../attack.ts";
import { knownCommand, type KnownCommand } from "../commands.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne } from "../oracle.ts";
import { BINARY, serverEnvironment, type Peer } from "../peer.ts";
import { endProcess, processesOf } from "../stage.ts";
import { checkLog, readLog, waitForEnd } from "../run-logs.ts";
import { Tree } from "../tree.ts";

/** Checks that everything reported before a kill -9 is still true afterwards: log lines, runs and the index. */
export const kill: Attack = {
  name: "kill",
  about: "kill -9 of servers, their helpers and indexing at random moments, then a new server",
  async round(trial) {
    const { random } = trial;
    const tree = new Tree(join(trial.folder, "work"), random.fork("tree"));
    plant(tree, random, random.size(60) + 3);
    for (let turn = random.int(1, 2); turn > 0; turn--) await killOnce(trial, tree);
    const after = await trial.serve();
    for (let i = 0; i < 6; i++) await askOne(trial, tree, after, random);
  },
};

async function killOnce(trial: Trial, tree: Tree): Promise<void> {
  const { random } = trial;
  if (random.chance(0.3)) return killIndexing(trial);
  const peer = await trial.serve();
  const known = knownCommand(random, { slow: random.chance(0.7) });
  const run = peer.call("build", { action: "exec", tool: known.command, response_format: "json" });
  const asking = askOne(trial, tree, peer, random.fork("ask"));
  const before = logsOf(trial.folder);
  await delay(random.size(1_500));
  editOnce(tree, random);
  if (random.chance(0.8)) await until(() => logsOf(trial.folder).length > before.length);
  const started = logsOf(trial.folder).find((id) => !before.includes(id));
  const seen = started === undefined ? [] : await readLog(peer, started, "stdout");
  const supervisor = random.chance(0.3);
  if (supervisor) killHelpers(trial.folder);
  else await peer.kill();
  trial.tried(supervisor ? "helpers killed" : "servers killed");
  await Promise.all([run, asking]);
  if (started === undefined) return;
  const next = supervisor ? peer : await trial.serve();
  await checkAfter(trial, next, { id: started, known, atLeast: "error" in seen ? 0 : seen.length });
}

/** Checks that a run has a correct end state and that its log still contains its earlier lines. */
async function checkAfter(
  trial: Trial,
  peer: Peer,
  run: { id: string; known: KnownCommand; atLeast: number },
): Promise<void> {
  const cause = await waitForEnd(peer, run.id);
  if (cause !== "exit" && cause !== "interrupted" && cause !== "signal" && cause !== "gone")
    trial.found("lost", `run ${run.id} ended as ${cause} after a kill`);
  await checkLog(trial, peer, { ...run, whole: cause === "exit" });
}

/** Returns the ids of runs that have a log, because a caller learns an id only from the reply. */
function logsOf(folder: string): string[] {
  try {
    const logs = readdirSync(join(folder, "data", "runs"), { recursive: true }).map(String);
    return logs.flatMap((name) => /(r\d{6})\.idx$/.exec(name)?.[1] ?? []);
  } catch {
    // There are no runs yet.
    return [];
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; Date.now() < end && !holds(); await delay(10));
}

/** Kills the supervisor processes of runs. */
function killHelpers(folder: string): void {
  for (const { pid, command } of processesOf(folder)) if (command.includes("supervisor.js")) endProcess(pid);
}

async function killIndexing(trial: Trial): Promise<void> {
  const child = spawn(process.execPath, [BINARY, "index", "--force"], {
    cwd: join(trial.folder, "work"),
    env: serverEnvironment(trial.folder),
    stdio: "ignore",
  });
  await Promise.race([delay(trial.random.size(2_000)), once(child, "exit")]);
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
  trial.tried("indexing killed");
}
