import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { errnoOf, PithError } from "../kernel/errors.ts";
import { HAS_GROUPS } from "./process-group.ts";
import { processIdentity } from "./process-identity.ts";

/** A helper process of Pith that keeps running when this process exits. */
export interface DetachedProcess {
  /** The first line that the process prints; empty if it exits before it has printed a whole line. */
  readonly reported: Promise<string>;
  /** Makes the process check at once whether a request to stop has been stored; kills it if it does not end. */
  stop(): void;
}

/** A detached process that was started ahead of time and waits for its input. */
export interface WaitingProcess {
  readonly isAlive: boolean;
  begin(input: string): DetachedProcess;
  /** Closes the input of a process that is no longer needed, so that it exits. */
  dismiss(): void;
}

/**
 * Starts one of Pith's scripts as a process in its own session. Until it has received its input, it exits when this
 * process exits.
 */
export function prepareDetached(script: string, cwd: string): WaitingProcess {
  const child = spawn(process.execPath, [script], {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // A child that could not be started has no pipes, whatever its type says, and reports an error later.
  if (child.pid === undefined) {
    child.on("error", () => child.unref());
    throw new PithError("spawn_failed", "No process could be started for the command", {
      suggestion: "Try again when fewer commands run.",
    });
  }
  const reported = readFirstLine(child);
  // A write fails if the process dies before it has read its input; `reported` then resolves because the process has
  // exited.
  child.stdin.on("error", () => child.stdin.destroy());
  unrefChild(child);
  return {
    get isAlive() {
      return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
    },
    begin(input) {
      child.stdin.end(input);
      // On Windows a signal would kill the process but not its children, so there the process polls for the request to
      // stop.
      return { reported, stop: () => void (HAS_GROUPS && endProcess(child)) };
    },
    dismiss: () => void child.stdin.end(),
  };
}

/** How long a process may take to end what it started before it is killed: its command has two seconds to exit. */
const KILL_AFTER_MS = 8_000;

/** Asks a process to end, and kills it if it does not answer, for example because it is stuck in an endless loop. */
function endProcess(child: ChildProcess): void {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
  child.once("exit", () => clearTimeout(timer));
}

/**
 * Kills a process that another process started from one of Pith's scripts, if it is still the process that is meant.
 * Only Linux shows which script a process runs; on other systems nothing is done.
 */
export async function killDetached(
  { pid, identity }: { readonly pid: number; readonly identity: string },
  script: string,
): Promise<void> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => {
    // The process has exited, or this is not Linux.
    return "";
  });
  if (!command.split("\0").includes(script) || (await processIdentity(pid)) !== identity) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (errnoOf(error) !== "ESRCH") throw error;
  }
}

/** Waits for the first line of stdout; empty if the process exits before it has printed a whole line. */
async function readFirstLine(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  const said = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunk.includes(10)) resolve();
    });
  });
  await Promise.race([said, once(child, "close"), once(child, "error")]).catch(() => undefined);
  const text = Buffer.concat(chunks).toString("utf8");
  return text.slice(0, text.indexOf("\n") + 1);
}

/** Lets this process exit although the child and the pipes to it are still open. */
function unrefChild(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout])
    if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
}

export interface Watchdog {
  /** Ends the watchdog without any cleanup. */
  dismiss(): void;
}

/**
 * Starts one of Pith's scripts that notices when this process ends in any way, because the pipe to its stdin closes. It
 * runs in its own session, so that a signal that kills this process does not kill it too.
 */
export function startWatchdog(script: string, args: readonly string[]): Watchdog {
  const child = spawn(process.execPath, [script, ...args], {
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // A watchdog that cannot be started is no error, because the next worker on this machine also cleans up after a
  // killed one.
  child.on("error", () => child.unref());
  if (child.pid === undefined) return { dismiss: () => undefined };
  child.stdin.on("error", () => child.stdin.destroy());
  unrefChild(child);
  return { dismiss: () => void child.stdin.end("goodbye") };
}
