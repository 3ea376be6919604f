/**
 * A look at bytes that is much cheaper than looking for secrets: most output passes it. Every secret makes, together
 * with the name or sign that announces it, a run of certain characters, or stands in a URL, or behind one of a few words.
 */

/** The shortest run that a secret makes: `PGPASS=Hq7z2Lw9`. */
const MIN_RUN = 14;
/** No slash, dot or colon: paths would be runs. */
const RUN_CHARACTERS = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=~%!$&*#^@?\\\"'")
  RUN_CHARACTERS[character.charCodeAt(0)] = 1;

/** Words that stand before secrets which make no such run. */
const WORDS = ["PRIVATE KEY", "Private-Lines", "curl ", "machine ", ":\\/\\/"] as const;
/** A login in a URL is not longer than this. */
const MAX_LOGIN = 300;
const ENDS_LOGIN = new Set(Buffer.from(" \t\r\n/\"'<>`"));
const AT = 64;
const LINE_FEED = 10;
const ESCAPE = 27;
const BELL = 7;

/** Finds the lines of some bytes that may hold a secret. */
export class Suspects {
  readonly #bytes: Buffer;
  /** Where each way of looking has found something, so that none looks twice at the same bytes. */
  readonly #found = LOOKS.map(() => ({ from: -1, at: -1 }));

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The offset of something in the next such line; -1 where there is none. Offsets are asked for in growing order. */
  next(from: number): number {
    let first = -1;
    for (const [way, look] of LOOKS.entries()) {
      const known = this.#found[way];
      if (known === undefined) continue;
      if (known.from < 0 || (known.at >= 0 && known.at < from)) {
        known.from = from;
        known.at = look(this.#bytes, from);
      }
      if (known.at >= 0 && (first < 0 || known.at < first)) first = known.at;
    }
    return first;
  }
}

type Look = (bytes: Buffer, from: number) => number;

const LOOKS: readonly Look[] = [
  nextRun,
  nextColoured,
  nextLogin,
  ...WORDS.map(
    (word): Look =>
      (bytes, from) =>
        bytes.indexOf(word, from, "latin1"),
  ),
];

/** Looks at every fourteenth byte, and at those before it only where that one belongs to a run. */
function nextRun(bytes: Buffer, from: number): number {
  let at = from + MIN_RUN - 1;
  while (at < bytes.length) {
    let back = at;
    while (back > at - MIN_RUN && RUN_CHARACTERS[bytes[back] ?? 0] === 1) back--;
    if (back === at - MIN_RUN) return at;
    at = back + MIN_RUN;
  }
  return -1;
}

/** `://name:password@` or `://token@`. */
function nextLogin(bytes: Buffer, from: number): number {
  for (
    let url = bytes.indexOf("://", from, "latin1");
    url >= 0;
    url = bytes.indexOf("://", url + 3, "latin1")
  ) {
    const end = Math.min(bytes.length, url + MAX_LOGIN);
    let at = url + 3;
    while (at < end && bytes[at] !== AT && !ENDS_LOGIN.has(bytes[at] ?? 0)) at++;
    if (bytes[at] === AT) return url;
  }
  return -1;
}

/** A run that has escapes inside. */
function nextColoured(bytes: Buffer, from: number): number {
  for (let escape = bytes.indexOf(ESCAPE, from); escape >= 0;) {
    const lineStart = Math.max(from, bytes.lastIndexOf(LINE_FEED, escape) + 1);
    const next = bytes.indexOf(LINE_FEED, escape);
    const lineEnd = next < 0 ? bytes.length : next;
    if (hasColouredRun(bytes, lineStart, lineEnd)) return escape;
    escape = bytes.indexOf(ESCAPE, lineEnd);
  }
  return -1;
}

/** An escape does not end a run: it is no part of the text. */
function hasColouredRun(bytes: Buffer, from: number, to: number): boolean {
  let run = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === ESCAPE) at = endOfEscape(bytes, at, to);
    else if (RUN_CHARACTERS[byte] === 1) run++;
    else if (byte >= 32) run = 0;
    if (run >= MIN_RUN) return true;
  }
  return false;
}

/** Where an escape ends: a control sequence with its letter, a string with BEL, any other with one character. */
function endOfEscape(bytes: Buffer, at: number, to: number): number {
  const kind = bytes[at + 1] ?? 0;
  let end = at + 1;
  if (kind === 0x5d || kind === 0x50)
    while (end + 1 < to && bytes[end + 1] !== ESCAPE && bytes[end] !== BELL) end++;
  else if (kind === 0x5b) while (++end < to && (bytes[end] ?? 0) < 0x40);
  else while (end < to && (bytes[end] ?? 0) < 0x30) end++;
  return end;
}
