import { spawn } from "node:child_process";
import { constants } from "node:os";
import { errnoOf } from "../kernel/errors.ts";

/** The exit codes of shells for a program that does not exist or is not executable. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

interface ForegroundOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with the reason if the program cannot be started; the exit code is then that of a shell. */
  readonly onStartFailure?: (reason: string) => void;
}

/** Runs a program in this terminal as if the user had started it directly, with its streams, signals and exit code. */
export async function runInForeground(
  argv: readonly [string, ...string[]],
  { onStartFailure, ...options }: ForegroundOptions,
): Promise<number> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { ...options, stdio: "inherit", windowsHide: true });
  // The terminal sends its signals to the child too, but a signal that is sent only to this process must be forwarded.
  const passOn = PASSED_ON.map((signal) => {
    const handler = (): void => void child.kill(signal);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  try {
    return await new Promise<number>((resolve) => {
      child.once("error", (error) => {
        const code = errnoOf(error);
        const reason =
          code === "ENOENT" ? "no such program" : code === "EACCES" ? "not executable" : error.message;
        onStartFailure?.(reason);
        resolve(code === "EACCES" ? NOT_EXECUTABLE : NOT_FOUND);
      });
      child.once("exit", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  } finally {
    for (const off of passOn) off();
  }
}
