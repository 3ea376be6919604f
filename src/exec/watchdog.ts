import { spawn } from "node:child_process";

export interface Watchdog {
  /** Sends it away: it has nothing to clear. */
  dismiss(): void;
}

/**
 * Starts a script of ours that hears when this process ends, however it ends: the pipe to its stdin closes. It lives
 * in a session of its own, so that what ends this process does not end it too.
 */
export function startWatchdog(script: string, args: readonly string[]): Watchdog {
  const child = spawn(process.execPath, [script, ...args], {
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without it a killed worker's leftovers wait for the next worker on this machine.
  child.on("error", () => child.unref());
  child.stdin.on("error", () => child.stdin.destroy());
  child.unref();
  const { stdin } = child;
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return { dismiss: () => void stdin.end("goodbye") };
}
