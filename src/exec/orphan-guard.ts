import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { HAS_GROUPS } from "./process-group.ts";

/**
 * A shell that kills process groups when this process has ended, however it ended: the pipe to its stdin closes then.
 * Without it, a helper that waits for a pipe or reads a device would stay after this process was killed. It reads
 * `+ PID` and `- PID`, and gives the helpers a second to end by themselves.
 */
const GUARD = `
live=
while read -r change pid; do
  case $change in
    +) live="$live $pid" ;;
    -) rest=; for one in $live; do [ "$one" = "$pid" ] || rest="$rest $one"; done; live=$rest ;;
  esac
done
[ -z "$live" ] && exit
sleep 1
for one in $live; do kill -9 "-$one"; done
`;

let guard: ChildProcess | undefined;

/** Most helpers end within this time. The others are guarded. */
const GUARD_AFTER_MS = 50;

const guarded = new Set<number>();

/** Has the process group of a helper killed when this process ends while the helper runs. */
export function guardGroup(pid: number, isRunning: () => boolean): void {
  if (!HAS_GROUPS) return;
  const timer = setTimeout(() => {
    if (!isRunning()) return;
    guarded.add(pid);
    tell(`+ ${pid}`);
  }, GUARD_AFTER_MS);
  timer.unref();
}

export function unguardGroup(pid: number): void {
  if (guarded.delete(pid)) tell(`- ${pid}`);
}

function tell(line: string): void {
  if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) guard = startGuard();
  guard.stdin?.write(`${line}\n`);
}

function startGuard(): ChildProcess {
  // It runs in its own session, so that a signal to this process and its group does not end it too.
  const child = spawn("/bin/sh", ["-c", GUARD], {
    detached: true,
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
  });
  // If no shell can be started, helpers are still ended when this process exits in an orderly way.
  child.on("error", () => child.unref());
  // A child that could not be started has no pipes, whatever its type says.
  const stdin: Writable | undefined = child.stdin;
  stdin?.on("error", () => stdin.destroy());
  child.unref();
  // The pipe of a child process is a socket, which must not keep this process alive.
  if (stdin !== undefined && "unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return child;
}
