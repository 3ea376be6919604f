/**
 * Private keys span lines: `-----BEGIN … PRIVATE KEY-----`, lines of base64, `-----END …`. A first line alone does not
 * make a key, since code mentions it too: `if (text.startsWith("-----BEGIN …"))`.
 */
import { isRandomToken } from "./randomness.ts";
import type { Range } from "./secret-kind.ts";

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|^\s*Private-Lines: \d{1,3}\s*$/;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
/** Matches a line of a key, also in source code: with indentation, quotes, comment marks or concatenation around it. */
const BODY_LINE =
  /^(?<before>[\s"'`>|#*.,\\]{0,40}(?:(?:\/\/|\+)\s{1,8})?["'`]?)(?<body>[A-Za-z0-9+/]{1,1024}={0,2})(?<after>(?:\\[nr]|[\s"'`+.,;)\\]){0,20})$/;
/** Matches headers and empty lines between the first line of a key and its body. */
const HEADER_LINE =
  /^[\s"'`>|#*/+]{0,40}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): ?[^"'`]{0,200}["'`\\nr+,;\s]*$|^[\s"'`]*(?:\\[nr])*["'`+,\s]*$/;
/** Upper bound on the lines of a private key. */
export const MAX_KEY_LINES = 300;

/** Follows a text line by line and tracks which lines are inside a private key. */
export class KeyTracker {
  /**
   * Where the next line is: undefined outside of keys, `begun` after the first line of a key, and `body` once a line of
   * base64 has confirmed the key.
   */
  #state: "begun" | "body" | undefined;
  #lines = 0;

  /** True if the next line may belong to a key. */
  get isOpen(): boolean {
    return this.#state !== undefined;
  }

  /** True if the next line continues a key of which a part was already masked. */
  get isInBody(): boolean {
    return this.#state === "body";
  }

  copy(): KeyTracker {
    const copy = new KeyTracker();
    copy.#state = this.#state;
    copy.#lines = this.#lines;
    return copy;
  }

  /** Returns the range of a line that belongs to a key's body. Lines must come in order, without their line ends. */
  next(line: string): Range | undefined {
    const begin = BEGIN.exec(line);
    if (begin !== null) return this.#begin(line, begin.index + begin[0].length);
    if (this.#state === undefined) return undefined;
    this.#lines++;
    if (END.test(line) || this.#lines > MAX_KEY_LINES) return this.#close();
    const body = findKeyBody(line);
    if (body === undefined) return HEADER_LINE.test(line) ? undefined : this.#close();
    if (this.#state === "begun" && !isKeyText(line.slice(...body))) return this.#close();
    this.#state = "body";
    return body;
  }

  /**
   * Handles the first line of a key. The whole key may be on this line, with escaped line ends or blanks instead of
   * line ends.
   */
  #begin(line: string, from: number): Range | undefined {
    this.#lines = 0;
    this.#state = "begun";
    const end = findBodyEnd(line, from);
    if (end === from) {
      // Other text after `-----BEGIN … KEY-----` means that the line only mentions a key.
      if (/[A-Za-z0-9]/.test(line.slice(from).replaceAll(/\\[nrt]/g, ""))) this.#state = undefined;
      return undefined;
    }
    this.#state = END.test(line.slice(from)) ? undefined : "body";
    return [from, end];
  }

  #close(): undefined {
    this.#state = undefined;
    return undefined;
  }
}

/** Returns the range of the base64 text in a line of a key; undefined for a line that cannot belong to a key. */
export function findKeyBody(line: string): Range | undefined {
  const match = BODY_LINE.exec(line);
  if (match === null) return undefined;
  const { before = "", body = "" } = match.groups ?? {};
  return [before.length, before.length + body.length];
}

/** Matches base64, escaped line ends, blanks and headers up to the end of the key or of the string around it. */
const INLINE_BODY =
  /(?:[A-Za-z0-9+/=]|\\+[nrt]|\\+u000[adAD]|\s|(?:Proc-Type|DEK-Info|Version|Comment): ?[\w ,.-]{1,100}|%0[AaDd]|%2[BbFf]|%3[Dd])*/y;

function findBodyEnd(line: string, from: number): number {
  INLINE_BODY.lastIndex = from;
  INLINE_BODY.exec(line);
  const end = Math.max(INLINE_BODY.lastIndex, from);
  // Dots after the base64 text show that it is an example with the rest of the key left out.
  const isCut = /^(?:\.\.|…)/.test(line.slice(end));
  return isKeyText(line.slice(from, end)) && !isCut ? end : from;
}

/** Returns whether the text looks like random base64 rather than the placeholder of an example. */
function isKeyText(text: string): boolean {
  const [first = ""] = /[A-Za-z0-9+/]{32,}/.exec(text) ?? [];
  return first !== "" && isRandomToken(first.slice(0, 64));
}
