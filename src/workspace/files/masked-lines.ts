import { errnoOf, PithError } from "../../kernel/errors.ts";
import { findKeyBody } from "../../security/secrets/private-key.ts";
import { isRandomValue } from "../../security/secrets/randomness.ts";
import type { JailedPath } from "../jail.ts";
import { readLines } from "./read.ts";

/**
 * Minimum length of a base64 line that may belong to a private key. A shorter one may be an ordinary name, and even as
 * part of a key it reveals little.
 */
const MIN_KEY_LINE_LENGTH = 16;
/** Length from which a base64 line is certainly not an ordinary name. */
const FULL_KEY_LINE_LENGTH = 48;
/** Maximum number of characters that are read of the requested lines. */
const MAX_READ_CHARACTERS = 8 * 1024 * 1024;

/** Tests whether a line, without knowledge of the lines around it, could belong to a private key. */
export function mayBeKeyLine(line: string): boolean {
  const body = findKeyBody(line);
  if (body === undefined) return false;
  const text = line.slice(...body);
  return text.length >= FULL_KEY_LINE_LENGTH || (text.length >= MIN_KEY_LINE_LENGTH && isRandomValue(text));
}

/** A line in which secrets are masked, and the number of the line in which its secret begins. */
interface SecretLine {
  readonly text: string;
  readonly begins: number;
}

/** Reads a range of lines and returns those that contain secrets, masked, by line number. */
export async function readMaskedLines(
  file: JailedPath,
  range: { readonly startLine: number; readonly endLine: number },
): Promise<ReadonlyMap<number, SecretLine>> {
  const found = new Map<number, SecretLine>();
  try {
    const slice = await readLines(file, { ...range, maxCharacters: MAX_READ_CHARACTERS, mask: true });
    for (const { line, lastLine } of slice.masked)
      for (
        let number = Math.max(line, slice.startLine);
        number <= Math.min(lastLine, slice.endLine);
        number++
      )
        found.set(number, { text: slice.lines[number - slice.startLine] ?? "", begins: line });
  } catch (error) {
    // The file was changed or removed after the search, so the context of its lines is unknown.
    if (!(error instanceof PithError) && errnoOf(error) === undefined) throw error;
  }
  return found;
}
