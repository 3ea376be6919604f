import { spawn } from "node:child_process";
import { once } from "node:events";

/** A process of ours that lives on when this one ends. */
export interface DetachedProcess {
  readonly exited: Promise<unknown>;
  /** Asks it to stop what it does. */
  stop(): void;
}

/** Starts a script of ours in a process of its own session, and hands it its input. */
export function startDetached(script: string, input: string, cwd: string): DetachedProcess {
  const child = spawn(process.execPath, [script], {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const exited = Promise.race([once(child, "exit"), once(child, "error")]).catch(() => undefined);
  // It may die before it has read all: then its exit says so.
  child.stdin.on("error", () => child.stdin.destroy());
  child.stdin.end(input);
  child.unref();
  return { exited, stop: () => void child.kill("SIGTERM") };
}
