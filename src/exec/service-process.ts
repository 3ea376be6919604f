import { waitAtMost } from "../kernel/with-timeout.ts";
import { spawn } from "node:child_process";
import { HAS_GROUPS, signalGroup } from "./process-group.ts";

export interface ServiceProcess {
  readonly pid: number | undefined;
  /** Resolves with how the process ended; `error` is the reason why it could not be started. */
  readonly ended: Promise<ServiceEnd>;
  /** Sends SIGTERM, and SIGKILL after the timeout. The result says whether SIGKILL was needed. */
  stop(timeoutMs: number): Promise<{ readonly escalated: boolean }>;
  /** Kills the process and all processes that it started, at once. */
  kill(): void;
}

export interface ServiceEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: Error;
}

export interface ServiceOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  onStderrLine(line: string): void;
}

/**
 * Starts a program that runs until it is stopped. Its stdin stays open as long as this process lives, so a service that
 * exits at the end of its stdin is never left behind.
 */
export function startService(argv: readonly [string, ...string[]], options: ServiceOptions): ServiceProcess {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    detached: HAS_GROUPS,
    windowsHide: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  child.stdin.on("error", () => child.stdin.destroy());
  readLines(child.stderr, options.onStderrLine.bind(options));
  const ended = new Promise<ServiceEnd>((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, error }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const kill = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  };
  return {
    pid: child.pid,
    ended,
    kill,
    async stop(timeoutMs) {
      child.kill("SIGTERM");
      const escalated = (await waitAtMost(timeoutMs, ended)) === undefined;
      // The group is killed even after the service has ended, because processes that it started may still run.
      kill();
      await ended;
      return { escalated };
    },
  };
}

/** An unfinished line is kept up to this many characters; lines of a log are shorter. */
const MAX_LINE_LENGTH = 64 * 1024;

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let partial = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (partial + text).split("\n");
    partial = (lines.pop() ?? "").slice(-MAX_LINE_LENGTH);
    for (const line of lines) onLine(line);
  });
}
