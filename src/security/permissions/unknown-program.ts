import { basename } from "node:path";
import type { Inspection, ProgramCall, Scope } from "./inspection.ts";
import { DATA_PROGRAMS } from "./programs.ts";
import type { Argument } from "./rule.ts";

/** A word that has the same meaning for every shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]*$/;
/** Patterns for files, which a program gets as they are or as the names of files. */
const FILE_PATTERN = /^[\w@%+=:,./*{}!-]*\.(?:\w+|\{[\w,]+\})$/;
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\/[\w@%+=:,./?&#~-]*$/i;

/**
 * Reads the arguments of a program that nobody here knows. It may be a wrapper, such as `chronic make`, so every
 * argument that names a program is read as the beginning of a command, and every other text as a script.
 */
export function inspectUnknown({ name, args }: ProgramCall, scope: Scope, finder: Inspection): void {
  const inner = { ...scope, byRunner: true, isGuess: true, hasInput: false };
  for (const [i, arg] of args.entries()) {
    if (arg.expands && !FILE_PATTERN.test(arg.text))
      return finder.doubt(`${name}, which is not known and may run ${arg.text}`);
    for (const text of valuesIn(arg.text)) inspectText(text, args.slice(i + 1), inner, finder);
  }
}

/** Reads the value of a variable that programs get, any of which may run it. */
export function inspectValue(text: string, scope: Scope, finder: Inspection): void {
  inspectText(text, [], { ...scope, byRunner: false, isGuess: true, hasInput: false }, finder);
}

/** The word itself, and the value of an option in it: `--exec=make`, `-cmake`. */
function valuesIn(text: string): readonly string[] {
  const values = [text, text.replace(/^-{0,2}[\w.-]+=/, "")];
  if (/^-\w/.test(text)) values.push(text.slice(2));
  return [...new Set(values)].filter((value) => value !== "" && !value.startsWith("-"));
}

function inspectText(text: string, rest: readonly Argument[], scope: Scope, finder: Inspection): void {
  if (FILE_PATTERN.test(text) && !PLAIN_WORD.test(text)) return;
  if (ADDRESS.test(text)) return;
  if (!PLAIN_WORD.test(text)) {
    finder.readScript(text, rest, scope);
    // The text may be code of another language than the shell's, as in `!make` or `sh,-c,make`.
    for (const part of text.split(/[^\w@%+./-]+/))
      if (part !== "" && !DATA_PROGRAMS.has(basename(part)) && finder.isProgram(part))
        finder.add([{ text: part, expands: false, splits: false }, ...rest], scope, "data");
  } else if (!DATA_PROGRAMS.has(basename(text)) && finder.isProgram(text))
    finder.inspect([{ text, expands: false, splits: false }, ...rest], scope);
}
