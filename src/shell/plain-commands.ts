import { PithError } from "../kernel/errors.ts";
import { readCommandLine } from "./command-line.ts";
import { hasPlainOutput } from "./program-kinds.ts";

/** Matches ways to start a background process, which may write after the command has ended. */
const BACKGROUND = /(?:^|[^&<>|\\])&(?![&>])|\b(?:nohup|setsid|disown|coproc)\b/;

/** Returns whether a script starts background processes or consists only of commands whose output must not be rewritten. */
export function keepsRawOutput(script: string): boolean {
  if (BACKGROUND.test(script)) return true;
  return readCommandLine(script).commands.every(hasPlainOutput);
}

/** Returns whether no command of a script runs a build tool; false if the script cannot be parsed. */
export function hasOnlyPlainCommands(script: string): boolean {
  try {
    return readCommandLine(script).commands.every(hasPlainOutput);
  } catch (error) {
    // The script has an unclosed quote, so nothing is known about its commands.
    if (error instanceof PithError) return false;
    throw error;
  }
}
