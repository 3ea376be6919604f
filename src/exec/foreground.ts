import { spawn } from "node:child_process";
import { constants } from "node:os";
import { errnoOf } from "../kernel/errors.ts";

/** What shells answer for a program that is not there, or may not be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;
const PASSED_ON = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Runs a program in this terminal, as if it had been started directly: its streams, its signals, its exit code. */
export async function runInForeground(
  argv: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<number> {
  const [program, ...args] = argv;
  const child = spawn(program, args, { ...options, stdio: "inherit", windowsHide: true });
  // A signal of the terminal reaches the child by itself; one that is sent to us alone would not.
  const passOn = PASSED_ON.map((signal) => {
    const handler = (): void => void child.kill(signal);
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  try {
    return await new Promise<number>((resolve) => {
      child.once("error", (error) => resolve(errnoOf(error) === "EACCES" ? NOT_EXECUTABLE : NOT_FOUND));
      child.once("exit", (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
    });
  } finally {
    for (const off of passOn) off();
  }
}
