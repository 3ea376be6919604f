import { errnoOf, PithError } from "../../kernel/errors.ts";
import { findKeyBody } from "../../security/secrets/private-key.ts";
import { isRandomValue } from "../../security/secrets/randomness.ts";
import type { JailedPath } from "../jail.ts";
import { readLines } from "./read.ts";

/** A line of base64 that is shorter may be a name, and where it is none it gives little of a key away... */
const MIN_KEY_LINE = 16;
/** ...and one of this length is no name. */
const FULL_KEY_LINE = 48;
/** Of a larger part of a file only the beginning is read. */
const MAX_READ = 8 * 1024 * 1024;

/** Whether a line that stands alone could be one of a private key. */
export function mayBeKeyLine(line: string): boolean {
  const body = findKeyBody(line);
  if (body === undefined) return false;
  const text = line.slice(...body);
  return text.length >= FULL_KEY_LINE || (text.length >= MIN_KEY_LINE && isRandomValue(text));
}

/** A line of a file that has a secret, masked, and the line in which the secret begins. */
interface SecretLine {
  readonly text: string;
  readonly begins: number;
}

/** Those of a file's lines that have secrets. */
export async function readMaskedLines(
  file: JailedPath,
  range: { readonly startLine: number; readonly endLine: number },
): Promise<ReadonlyMap<number, SecretLine>> {
  const found = new Map<number, SecretLine>();
  try {
    const slice = await readLines(file, { ...range, maxCharacters: MAX_READ, mask: true });
    for (const { line, lastLine } of slice.masked)
      for (
        let number = Math.max(line, slice.startLine);
        number <= Math.min(lastLine, slice.endLine);
        number++
      )
        found.set(number, { text: slice.lines[number - slice.startLine] ?? "", begins: line });
  } catch (error) {
    // Changed or gone since it was searched: then it cannot be told what its lines belong to.
    if (!(error instanceof PithError) && errnoOf(error) === undefined) throw error;
  }
  return found;
}
