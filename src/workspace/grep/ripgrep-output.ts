import type { GrepLine } from "../../model/grep-result.ts";
import { clipAround, MAX_SHOWN_CHARACTERS } from "./grep-clip.ts";
import type { GrepMatching } from "./grep-plan.ts";
import { startsCharacter } from "../files/line-collector.ts";
import { decodeLine } from "../files/text-encoding.ts";

/** One found line in the output of ripgrep. */
export interface RipgrepRecord {
  readonly path: string;
  readonly line: GrepLine;
}

export interface RipgrepTail {
  /** Number of searched files from the output of --stats; absent if the search was interrupted. */
  readonly searchedFiles?: number;
  readonly binary: readonly string[];
}

/** Number of bytes that are kept on either side of a match, enough for all characters that are shown. */
const BYTES_AROUND_MATCH = MAX_SHOWN_CHARACTERS * 4;
/**
 * Size up to which a line is kept from its beginning if secrets must be masked; of a longer line, only bytes around the
 * match are kept.
 */
const MAX_MASKED_LINE_BYTES = 64 * 1024;
const MASKED_BYTES_AROUND_MATCH = 8 * 1024;
const NEWLINE = 10;
const RETURN = 13;
const COLON = 58;
/**
 * Maximum size of the text before a found line, enough for the longest path of any system, and of the statistics at the
 * end.
 */
const MAX_HEAD_BYTES = 128 * 1024;

type ShownParts = Pick<GrepMatching, "invertMatch" | "onlyMatching">;

interface OutputOptions {
  readonly matching: ShownParts;
  /** True if secrets must be masked in lines that are truncated. */
  readonly mask: boolean;
}

/**
 * True if ripgrep can report columns. Lines found by an inverted match have none, and with `onlyMatching` the text
 * begins at the match.
 */
export function hasColumns({ invertMatch, onlyMatching }: ShownParts): boolean {
  return !invertMatch && !onlyMatching;
}

/**
 * Parses the output of ripgrep as it arrives: `path NUL number : column : text` for matches (the column is optional)
 * and `path NUL number - text` for context. A path may contain anything but NUL. Of a long text, only the part around
 * the match is kept.
 */
export class RipgrepLines {
  readonly #onRecord: (record: RipgrepRecord) => void;
  readonly #matching: ShownParts;
  readonly #mask: boolean;
  readonly #binary: string[] = [];
  #head: Buffer = Buffer.alloc(0);
  #path: string | undefined;
  #line: PartialLine | undefined;

  constructor(onRecord: (record: RipgrepRecord) => void, { matching, mask }: OutputOptions) {
    this.#onRecord = onRecord;
    this.#matching = matching;
    this.#mask = mask;
  }

  feed(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) rest = this.#line === undefined ? this.#takeHead(rest) : this.#takeText(rest);
  }

  /** Parses the output after the last found line, which contains the counts of --stats if the search is complete. */
  end(): RipgrepTail {
    const tail = this.#withoutNotes(this.#head.toString("utf8"));
    return { ...parseStats(tail), binary: this.#binary };
  }

  /** Parses the path, line number and column before a found line, which are buffered until they are complete. */
  #takeHead(chunk: Buffer): Buffer {
    const known = this.#head.length;
    const head = known === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const nul = head.indexOf(0);
    const parsed = nul < 0 ? undefined : parseNumbers(head, nul + 1, hasColumns(this.#matching));
    if (parsed === undefined) {
      this.#head = Buffer.from(head.subarray(0, MAX_HEAD_BYTES));
      return EMPTY;
    }
    this.#path = this.#withoutNotes(head.toString("utf8", 0, nul)).replace(/^\.\//, "");
    this.#line = new PartialLine(parsed.number, parsed.column, this.#mask);
    this.#head = EMPTY;
    return head.subarray(parsed.end);
  }

  #takeText(chunk: Buffer): Buffer {
    const newline = chunk.indexOf(NEWLINE);
    this.#line?.hold(newline < 0 ? chunk : chunk.subarray(0, newline));
    if (newline < 0) return EMPTY;
    if (this.#line !== undefined && this.#path !== undefined)
      this.#onRecord({ path: this.#path, line: this.#shownLine(this.#line) });
    this.#line = undefined;
    return chunk.subarray(newline + 1);
  }

  #shownLine(held: PartialLine): GrepLine {
    const line = held.show();
    // If only matches are shown, the column of a truncated match is unknown, so its rest can be seen only by reading
    // the whole line.
    const isPart = this.#matching.onlyMatching && line.hidden !== undefined;
    return isPart ? { ...line, hidden: { ...line.hidden, isOfParsedText: true } } : line;
  }

  /** Removes the notes on binary files that ripgrep writes between found lines. */
  #withoutNotes(text: string): string {
    return text.replace(BINARY_NOTES, (note) => {
      for (const [, path = ""] of note.matchAll(BINARY_NOTE)) this.#binary.push(path.replace(/^\.\//, ""));
      return "";
    });
  }
}

export interface RipgrepEntry {
  readonly path: string;
  readonly count?: number;
}

/** Parses a list of paths, each of which ends with NUL, or with `counts` the output of --count: path, NUL, number. */
export function parseEntries(output: Buffer, counts: boolean): readonly RipgrepEntry[] {
  const text = output.toString("utf8");
  const entries: RipgrepEntry[] = [];
  let from = 0;
  for (let nul = text.indexOf("\0"); nul >= 0; nul = text.indexOf("\0", from)) {
    const path = text.slice(from, nul).replace(/^\.\//, "");
    const end = counts ? text.indexOf("\n", nul) : nul;
    entries.push(counts ? { path, count: Number(text.slice(nul + 1, end)) } : { path });
    from = end + 1;
  }
  return entries;
}

const EMPTY = Buffer.alloc(0);
const BINARY_NOTE =
  /(.*?): (?:binary file matches|WARNING: stopped searching binary file after match) \(found [^\n]*\)\r?\n/gs;
const BINARY_NOTES = new RegExp(`^(?:${BINARY_NOTE.source})+`, "s");

interface Numbers {
  readonly number: number;
  /** Byte offset of the match in its line, from 0; undefined for context lines. */
  readonly column: number | undefined;
  readonly end: number;
}

/** Parses the numbers before a line, such as `12:5:` or `12-`; undefined if the text is incomplete. */
function parseNumbers(bytes: Buffer, from: number, withColumn: boolean): Numbers | undefined {
  const number = digits(bytes, from);
  if (number.end >= bytes.length) return undefined;
  if (bytes[number.end] === COLON && !withColumn)
    return { number: number.value, column: 0, end: number.end + 1 };
  if (bytes[number.end] !== COLON) return { number: number.value, column: undefined, end: number.end + 1 };
  const column = digits(bytes, number.end + 1);
  if (column.end >= bytes.length) return undefined;
  return { number: number.value, column: column.value - 1, end: column.end + 1 };
}

function digits(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = from;
  for (let byte = bytes[at]; byte !== undefined && byte >= 48 && byte <= 57; byte = bytes[++at])
    value = value * 10 + byte - 48;
  return { value, end: at };
}

/** Collects the bytes around a match and counts the characters of the rest of the line. */
class PartialLine {
  readonly #number: number;
  readonly #column: number | undefined;
  /** Offset in the line of the first byte to keep. */
  readonly #from: number;
  /** Offset in the line after the last byte to keep. */
  readonly #to: number;
  readonly #held: Buffer[] = [];
  #seen = 0;
  /** Numbers of characters in the line before and after the bytes that are kept. */
  #before = 0;
  #after = 0;
  #lastByte = 0;
  readonly #mask: boolean;

  constructor(number: number, column: number | undefined, mask: boolean) {
    this.#number = number;
    this.#column = column;
    const around = mask ? MASKED_BYTES_AROUND_MATCH : BYTES_AROUND_MATCH;
    const isNear = mask && (column ?? 0) + around <= MAX_MASKED_LINE_BYTES;
    this.#from = isNear ? 0 : Math.max(0, (column ?? 0) - around);
    this.#to = isNear ? MAX_MASKED_LINE_BYTES : (column ?? 0) + around;
    this.#mask = mask;
  }

  hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const start = Math.min(bytes.length, Math.max(0, this.#from - this.#seen));
    const end = Math.min(bytes.length, Math.max(0, this.#to - this.#seen));
    const part = bytes.subarray(start, end);
    this.#before += countCharacterStarts(bytes.subarray(0, start));
    this.#after += countCharacterStarts(bytes.subarray(end));
    this.#lastByte = bytes.at(-1) ?? 0;
    // The bytes are copied, because a slice would keep the whole chunk of output in memory.
    if (part.length > 0) this.#held.push(Buffer.from(part));
    this.#seen += bytes.length;
  }

  show(): GrepLine {
    const bytes = Buffer.concat(this.#held);
    const at = (this.#column ?? 0) - this.#from;
    const before = decodeLine(bytes.subarray(this.#from === 0 ? 0 : characterStart(bytes), at)).text;
    const isWhole = this.#seen <= this.#to;
    const returned = this.#lastByte === RETURN;
    const after = decodeLine(bytes.subarray(at, returned && isWhole ? -1 : undefined)).text;
    const outside = { before: this.#before, after: this.#after - (returned && !isWhole ? 1 : 0) };
    const part = clipAround(before, after, outside, this.#mask);
    return { number: this.#number, isMatch: this.#column !== undefined, ...part };
  }
}

function countCharacterStarts(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (startsCharacter(bytes[at] ?? 0)) count++;
  return count;
}

/** Returns the index of the first whole character, after the continuation bytes of a character that was split. */
function characterStart(bytes: Buffer): number {
  let at = 0;
  while (at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}

function parseStats(text: string): { searchedFiles?: number } {
  const searched = /^(\d+) files? searched\r?$/m.exec(text)?.[1];
  return searched === undefined ? {} : { searchedFiles: Number(searched) };
}
