import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { HAS_GROUPS } from "./process-group.ts";

/** A process of ours that lives on when this one ends. */
export interface DetachedProcess {
  readonly exited: Promise<unknown>;
  /** Tells it to look at once whether it shall stop. */
  stop(): void;
}

/** One that was started ahead of time and waits for its input. */
export interface WaitingProcess {
  readonly isAlive: boolean;
  begin(input: string): DetachedProcess;
  /** It is not needed: without input it ends by itself. */
  dismiss(): void;
}

/** Starts a script of ours in a process of its own session. It waits for its input, and ends with us until it has it. */
export function prepareDetached(script: string, cwd: string): WaitingProcess {
  const child = spawn(process.execPath, [script], {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const exited = Promise.race([once(child, "exit"), once(child, "error")]).catch(() => undefined);
  // It may die before it has read all: then its exit says so.
  child.stdin.on("error", () => child.stdin.destroy());
  letGo(child);
  return {
    get isAlive() {
      return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
    },
    begin(input) {
      child.stdin.end(input);
      // Where there are no signals this would be its end, and its tree would be left: there it finds out by itself.
      return { exited, stop: () => void (HAS_GROUPS && child.kill("SIGTERM")) };
    },
    dismiss: () => void child.stdin.end(),
  };
}

/** Neither it nor the pipe to it keeps this process running. */
function letGo(child: ChildProcess): void {
  child.unref();
  const { stdin } = child;
  if (stdin !== null && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
}
