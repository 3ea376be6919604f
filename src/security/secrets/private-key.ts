/**
 * Private keys span lines: `-----BEGIN … PRIVATE KEY-----`, lines of base64, `-----END …`. Only lines that can be the
 * body of a key belong to it, since code mentions the first line too: `if (text.startsWith("-----BEGIN …"))`.
 */
import type { Range } from "./find.ts";
import { isRandomToken } from "./randomness.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|^\s*Private-Lines: \d{1,3}\s*$/;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** What may stand around a line of a key in a source file: indentation, quotes, signs of comments and concatenation. */
const BODY_LINE =
  /^(?<before>[\s"'`>|#*.,\\]{0,40}(?:(?:\/\/|\+)\s{1,8})?["'`]?)(?<body>[A-Za-z0-9+/]{1,1024}={0,2})(?<after>(?:\\[nr]|[\s"'`+.,;)\\]){0,20})$/;
/** Headers between the first line and the body, and the checksum of a PGP block. */
const HEADER_LINE =
  /^[\s"'`>|#*/+]{0,40}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^"'`]{0,200}["'`\\nr+,;\s]*$|^[\s"'`]*(?:\\[nr])*["'`+,\s]*$/;
/** No private key has more lines than this. */
export const MAX_KEY_LINES = 300;

/** Follows a text line by line and knows which lines are inside a private key. */
export class KeyTracker {
  /** Undefined outside of keys; `begun` until the first line of the body proves that it is one. */
  #state: "begun" | "body" | undefined;
  #lines = 0;

  /** Whether the next line may belong to a key. */
  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /** Whether the next line continues a key of which something was masked already. */
  get isInBody(): boolean {
    return this.#state === "body";
  }

  copy(): KeyTracker {
    const copy = new KeyTracker();
    copy.#state = this.#state;
    copy.#lines = this.#lines;
    return copy;
  }

  /** The part of a line that belongs to a key's body. Lines are given in order, without their ends. */
  next(line: string): Range | undefined {
    const begin = BEGIN.exec(line);
    if (begin !== null) return this.#begin(line, begin.index + begin[0].length);
    if (this.#state === undefined) return undefined;
    this.#lines++;
    if (END.test(line) || this.#lines > MAX_KEY_LINES) return this.#leave();
    const body = keyBodyOf(line);
    if (body === undefined) return HEADER_LINE.test(line) ? undefined : this.#leave();
    if (this.#state === "begun" && !isKeyText(line.slice(...body))) return this.#leave();
    this.#state = "body";
    return body;
  }

  /** A key in one line, its line ends escaped or turned into blanks, or the first of several lines. */
  #begin(line: string, from: number): Range | undefined {
    this.#lines = 0;
    this.#state = "begun";
    const end = endOfBody(line, from);
    if (end === from) {
      // More than white space behind the first line: it is mentioned, not given.
      if (/[A-Za-z0-9]/.test(line.slice(from).replaceAll(/\\[nrt]/g, ""))) this.#state = undefined;
      return undefined;
    }
    this.#state = END.test(line.slice(from)) ? undefined : "body";
    return [from, end];
  }

  #leave(): undefined {
    this.#state = undefined;
    return undefined;
  }
}

/** The body of a key's line; undefined for a line that cannot be one. */
export function keyBodyOf(line: string): Range | undefined {
  const match = BODY_LINE.exec(line);
  if (match === null) return undefined;
  const { before = "", body = "" } = match.groups ?? {};
  return [before.length, before.length + body.length];
}

/** Base64, escaped line ends, blanks and headers up to what ends the key or the string that it stands in. */
const INLINE_BODY =
  /(?:[A-Za-z0-9+/=]|\\+[nrt]|\\+u000[adAD]|\s|(?:Proc-Type|DEK-Info|Version|Comment): ?[\w ,.-]{1,100}|%0[AaDd]|%2[BbFf]|%3[Dd])*/y;

function endOfBody(line: string, from: number): number {
  INLINE_BODY.lastIndex = from;
  INLINE_BODY.exec(line);
  const end = Math.max(INLINE_BODY.lastIndex, from);
  // An example says by dots that the key itself is left out.
  const isCut = /^(?:\.\.|…)/.test(line.slice(end));
  return isKeyText(line.slice(from, end)) && !isCut ? end : from;
}

/** Not the crosses or dots of an example. */
function isKeyText(text: string): boolean {
  const [first = ""] = /[A-Za-z0-9+/]{32,}/.exec(text) ?? [];
  return first !== "" && isRandomToken(first.slice(0, 64));
}
