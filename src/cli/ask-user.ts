import { createInterface } from "node:readline/promises";
import type { Context } from "./command.ts";

/** Asks a question that is answered with yes or no; anything but yes means no. Only call it if the terminal is interactive. */
export async function askUser(question: string, { signal }: Pick<Context, "signal">): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // While the terminal reads a line, Ctrl-C causes no signal, so the signal is sent from here.
  terminal.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
