import { PithError } from "../kernel/errors.ts";
import { readCommandLine } from "./command-line.ts";
import { hasPlainOutput } from "./program-kinds.ts";

/** Matches ways to start a background process, which may write after the command has ended. */
const BACKGROUND = /(?:^|[^&<>|\\])&(?![&>])|\b(?:nohup|setsid|disown|coproc)\b/;

/**
 * Checks whether the output of a script must be left as it is: the script starts background processes, or all its
 * commands print data that the caller wants unchanged.
 */
export function keepsRawOutput(script: string): boolean {
  if (BACKGROUND.test(script)) return true;
  return readCommandLine(script).commands.every(hasPlainOutput);
}

/** Checks that no command of a script runs a build tool; false if the script cannot be parsed. */
export function hasOnlyPlainCommands(script: string): boolean {
  try {
    return readCommandLine(script).commands.every(hasPlainOutput);
  } catch (error) {
    // The script has an unclosed quote, so nothing is known about its commands.
    if (error instanceof PithError) return false;
    throw error;
  }
}
