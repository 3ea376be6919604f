/**
 * A quick test on bytes, much cheaper than the search for secrets, that sorts out most output. Every secret, with the
 * name before it, either forms a run (a long unbroken sequence of certain characters), or is part of a URL, or follows
 * one of a few words.
 */

/**
 * The length of the shortest run (unbroken sequence of word characters) that a secret and its name form, such as
 * `PGPASS=Hq7z2Lw9`.
 */
const MIN_RUN = 14;
/**
 * The characters that may form a run (an unbroken sequence in which a secret can hide). Slash, dot and colon are
 * excluded, because otherwise every path would be a run.
 */
const RUN_CHARACTERS = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=~%!$&*#^@?\\\"'")
  RUN_CHARACTERS[character.charCodeAt(0)] = 1;

/** Words that precede those secrets which are not part of a long unbroken sequence of characters. */
const WORDS = ["PRIVATE KEY", "Private-Lines", "curl ", "machine ", ":\\/\\/"] as const;
/** Upper bound on the length of a user name and password in a URL. */
const MAX_LOGIN = 300;
const LOGIN_END = new Set(Buffer.from(" \t\r\n/\"'<>`"));
const AT = 64;
const LINE_FEED = 10;
const ESCAPE = 27;
const BELL = 7;

/** Finds the lines of some bytes that may hold a secret. */
export class Suspects {
  readonly #bytes: Buffer;
  /** The last result of each kind of search, so that none scans the same bytes twice. */
  readonly #found = SEARCHES.map((search) => ({ search, from: -1, at: -1 }));

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * Returns an offset inside the next suspicious line; -1 if there is none. Offsets must increase from call to call.
   */
  next(from: number): number {
    let first = -1;
    for (const known of this.#found) {
      if (known.from < 0 || (known.at >= 0 && known.at < from)) {
        known.from = from;
        known.at = known.search(this.#bytes, from);
      }
      if (known.at >= 0 && (first < 0 || known.at < first)) first = known.at;
    }
    return first;
  }
}

type Search = (bytes: Buffer, from: number) => number;

const SEARCHES: readonly Search[] = [
  findRun,
  findColouredRun,
  findLogin,
  ...WORDS.map(
    (word): Search =>
      (bytes, from) =>
        bytes.indexOf(word, from, "latin1"),
  ),
];

/**
 * Finds the next run of at least fourteen characters. It tests every fourteenth byte, and looks at the bytes before it
 * only if that byte can belong to a run.
 */
function findRun(bytes: Buffer, from: number): number {
  let at = from + MIN_RUN - 1;
  while (at < bytes.length) {
    let back = at;
    while (back > at - MIN_RUN && RUN_CHARACTERS[bytes[back] ?? 0] === 1) back--;
    if (back === at - MIN_RUN) return at;
    at = back + MIN_RUN;
  }
  return -1;
}

/** Finds the next `://name:password@` or `://token@`. */
function findLogin(bytes: Buffer, from: number): number {
  for (
    let url = bytes.indexOf("://", from, "latin1");
    url >= 0;
    url = bytes.indexOf("://", url + 3, "latin1")
  ) {
    const end = Math.min(bytes.length, url + MAX_LOGIN);
    let at = url + 3;
    while (at < end && bytes[at] !== AT && !LOGIN_END.has(bytes[at] ?? 0)) at++;
    if (bytes[at] === AT) return url;
  }
  return -1;
}

/** Finds the next line with a long unbroken sequence of word characters that has terminal escapes in it. */
function findColouredRun(bytes: Buffer, from: number): number {
  for (let escape = bytes.indexOf(ESCAPE, from); escape >= 0;) {
    const lineStart = Math.max(from, bytes.lastIndexOf(LINE_FEED, escape) + 1);
    const next = bytes.indexOf(LINE_FEED, escape);
    const lineEnd = next < 0 ? bytes.length : next;
    if (hasColouredRun(bytes, lineStart, lineEnd)) return escape;
    escape = bytes.indexOf(ESCAPE, lineEnd);
  }
  return -1;
}

/**
 * Returns whether a line has a long unbroken sequence of word characters. Terminal escapes do not break it, because
 * they are invisible.
 */
function hasColouredRun(bytes: Buffer, from: number, to: number): boolean {
  let run = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === ESCAPE) at = findEscapeEnd(bytes, at, to);
    else if (RUN_CHARACTERS[byte] === 1) run++;
    else if (byte >= 32) run = 0;
    if (run >= MIN_RUN) return true;
  }
  return false;
}

/**
 * Returns where a terminal escape ends: a control sequence ends with a letter, a string with BEL, any other after one
 * character.
 */
function findEscapeEnd(bytes: Buffer, at: number, to: number): number {
  const kind = bytes[at + 1] ?? 0;
  let end = at + 1;
  if (kind === 0x5d || kind === 0x50)
    while (end + 1 < to && bytes[end + 1] !== ESCAPE && bytes[end] !== BELL) end++;
  else if (kind === 0x5b) while (++end < to && (bytes[end] ?? 0) < 0x40);
  else while (end < to && (bytes[end] ?? 0) < 0x30) end++;
  return end;
}
