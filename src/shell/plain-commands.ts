import { PithError } from "../kernel/errors.ts";
import { readCommandLine } from "./command-line.ts";
import { isEverydayProgram } from "./program-kinds.ts";

/** A process that is left in the background writes on after the command has ended. */
const BACKGROUND = /(?:^|[^&<>|\\])&(?![&>])|\b(?:nohup|setsid|disown|coproc)\b/;

/** Whether a script leaves processes behind, or consists of commands whose output has to stay as it is. */
export function isEveryday(script: string): boolean {
  if (BACKGROUND.test(script)) return true;
  return readCommandLine(script).commands.every(isEverydayProgram);
}

/** Whether nothing in a script runs a tool, as far as it can be read. */
export function hasOnlyEveryday(script: string): boolean {
  try {
    return readCommandLine(script).commands.every(isEverydayProgram);
  } catch (error) {
    // An open quote: then nothing of it is known.
    if (error instanceof PithError) return false;
    throw error;
  }
}
