import { sampleLines } from "./common-prefix.ts";

/**
 * Scores how well the parsers understand some lines; the score is higher if known tools accept more of them. A file
 * name that starts with one of `remainders` (text that still belongs to a prefix) counts as misread.
 */
export type ReadLines = (lines: readonly string[], remainders: readonly RegExp[]) => number;

/**
 * Matches lines with a word for a failure or with a location in a file. Only such lines can show whether a prefix keeps
 * the parsers from understanding them.
 */
const WORTH_READING =
  /error|fail|warn|exception|panic|assert|passed|cannot|could not|✗|✘|✖|×|not ok|\.\w{1,5}[:(]\d/i;
/**
 * The sample of lines that is examined for a prefix starts this many characters before the first line that matches
 * `WORTH_READING`.
 */
const SAMPLE_LEAD = 2_000;
const MAX_SAMPLE = 128 * 1024;
/** Upper bound on attempts to learn a prefix from a log; each attempt parses a sample of its lines several times. */
const MAX_ATTEMPTS = 3;
/** Upper bound on the parts of a log that are searched for a line that matches `WORTH_READING`. */
const MAX_SEARCHES = 12;
const TIE = 0.01;
/** Share of the lines in a later part of the log that must also have a learned prefix. */
const LEARNED_SHARE = 0.8;

/**
 * Learns a prefix of unknown format: one that nearly all lines share and without which the parsers understand more of them. A tool's own
 * indentation, or a word at the start of all its lines, is therefore not mistaken for a prefix.
 */
export class PrefixLearner {
  readonly #read: ReadLines;
  #learned: RegExp | undefined;
  #attempts = 0;
  #searches = 0;

  constructor(read: ReadLines) {
    this.#read = read;
  }

  /**
   * Returns the prefix of the lines in this part of the log, if any. The part is given in blocks of whole lines, which
   * are joined only if it is searched. `unwrap` removes the prefixes of known formats.
   */
  learn(blocks: readonly string[], unwrap: (lines: readonly string[]) => string[]): RegExp | undefined {
    const isOver = this.#attempts >= MAX_ATTEMPTS || this.#searches >= MAX_SEARCHES;
    if (isOver && this.#learned === undefined) return undefined;
    const first = unwrap(sampleLines(blocks));
    if (this.#learned !== undefined && hasPrefix(first, this.#learned)) return this.#learned;
    if (isOver || prefixCandidates(first).length === 0) return undefined;
    this.#searches++;
    const text = blocks.join("");
    const worth = text.length <= MAX_SAMPLE ? 0 : text.search(WORTH_READING);
    if (worth < 0) return undefined;
    const from = text.lastIndexOf("\n", Math.max(0, worth - SAMPLE_LEAD)) + 1;
    // The sample extends to a line end, because a report in it may be a single long line.
    const end = text.indexOf("\n", from + MAX_SAMPLE);
    const lines = unwrap(text.slice(from, end < 0 ? undefined : end).split("\n"));
    this.#learned = this.#try(lines, prefixCandidates(lines));
    return this.#learned;
  }

  #try(lines: readonly string[], candidates: readonly PrefixCandidate[]): RegExp | undefined {
    if (candidates.length === 0) return undefined;
    this.#attempts++;
    const all = candidates.map((one) => one.expression);
    // If all lines are indented and parse equally well with and without the indentation, the indentation belongs to the
    // wrapping program.
    const spoilers = [...all, ...candidates.flatMap((one) => one.remainders)];
    let best = this.#read(lines, spoilers) - (all.some((one) => one.test("")) ? TIE : 0);
    let chosen: RegExp | undefined;
    for (const { expression, remainders } of candidates) {
      const stripped = lines.map((line) => line.replace(expression, ""));
      const understood = this.#read(stripped, remainders);
      if (understood <= best) continue;
      best = understood;
      chosen = expression;
    }
    return chosen;
  }
}

function hasPrefix(lines: readonly string[], prefix: RegExp): boolean {
  return lines.filter((line) => prefix.test(line)).length >= lines.length * LEARNED_SHARE;
}

/** Number of characters at the start of each line in which a prefix of unknown format is searched. */
const MAX_PREFIX_LENGTH = 120;
const MAX_CANDIDATES = 12;
/**
 * Share of lines that must start with the same text for it to count as a prefix; if there are only a few lines, all of
 * them must.
 */
const COMMON_SHARE = 0.98;

/** An element of a prefix: a run of digits, which may differ from line to line, or a single character. */
type PrefixElement = "digits" | { readonly character: string };

/** A text that may be the prefix which an unknown program prints before each line. */
interface PrefixCandidate {
  readonly expression: RegExp;
  /** Text that the lines still have in common after this prefix. If file names start with it, the real prefix is longer. */
  readonly remainders: readonly RegExp[];
}

/**
 * Returns the beginnings that the lines share apart from numbers (times, process ids). Each ends with a blank, a tab or
 * a separator (`|`, `>`, `:`, `]`). The caller decides whether one is a prefix that another program added or the tool's
 * own text. Shorter ones come first, with their blanks included, because most tools start at the first column.
 */
function prefixCandidates(lines: readonly string[]): PrefixCandidate[] {
  const nonBlank = lines.filter((line) => line.trim() !== "");
  const elements = withoutPath(commonElements(nonBlank));
  const ends = separatorRuns(elements)
    .flatMap(({ from, to }) => [to, ...[to - 1, to - 2, to - 4].filter((end) => end > from)])
    .slice(0, MAX_CANDIDATES);
  return ends.map((end) => ({
    expression: expressionOf(elements.slice(0, end)),
    // A single line has everything in common with itself, so that a file name in it would always seem misread.
    remainders: nonBlank.length < 2 ? [] : remaindersOf(elements, end, ends),
  }));
}

/**
 * Returns the texts that the lines have in common between the end of this prefix and the end of each longer candidate.
 * Leading blanks are left out, because parsers trim file names.
 */
function remaindersOf(elements: readonly PrefixElement[], end: number, ends: readonly number[]): RegExp[] {
  return ends
    .filter((longer) => longer > end)
    .map((longer) => elements.slice(end, longer))
    .map((rest) => rest.slice(rest.findIndex((element) => !isBlank(element))))
    .filter((rest) => rest.some((element) => !isBlank(element)))
    .map((rest) => expressionOf(rest));
}

function isBlank(element: PrefixElement): boolean {
  return element !== "digits" && element.character.trim() === "";
}

/**
 * Shortens a prefix so that it ends before a path or drive letter, which belongs to the tool's own text. A slash inside
 * brackets is not taken for a path.
 */
function withoutPath(elements: readonly PrefixElement[]): PrefixElement[] {
  const text = elements.map((element) => (element === "digits" ? "0" : element.character)).join("");
  const place = PLACE.exec(text);
  const end = place === null ? elements.length : place.index + (place[1]?.length ?? 0);
  return withoutFolder(elements.slice(0, end));
}

/** Matches a file and its line at the start or behind a blank: `w.c:3`, `w.c(3`, or with a tab between the two. */
const PLACE = /(^|[\s|>\]])[\w+-][\w.+-]{0,80}\.[A-Za-z]\w{0,4}[:(\t]0/;

function withoutFolder(elements: readonly PrefixElement[]): PrefixElement[] {
  let isBracketed = false;
  for (const [index, element] of elements.entries()) {
    if (element === "digits") continue;
    if (element.character === "[") isBracketed = true;
    if (element.character === "]") isBracketed = false;
    if (!isBracketed && /[/\\]/.test(element.character))
      return elements.slice(0, lastSeparator(elements, index));
  }
  return [...elements];
}

/**
 * Returns the position after the last separator before a path. A colon does not count as a separator, because it may
 * belong to a drive.
 */
function lastSeparator(elements: readonly PrefixElement[], before: number): number {
  return (
    elements
      .slice(0, before)
      .findLastIndex((element) => element !== "digits" && /[\s|>\]]/.test(element.character)) + 1
  );
}

/** Returns the positions where a prefix may end: after a separator, and after any of several consecutive blanks. */
function separatorRuns(elements: readonly PrefixElement[]): { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let at = 0; at < elements.length; at++) {
    const element = elements[at] ?? "digits";
    if (element === "digits" || !/[\s|>\]:]/.test(element.character)) continue;
    const open = runs.at(-1);
    if (isBlank(element) && open?.to === at) open.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

/** Returns the prefix elements (characters and runs of digits) with which nearly all lines start. */
function commonElements(lines: readonly string[]): PrefixElement[] {
  let best: PrefixElement[] = [];
  // A line from the middle is tried as well as the first one, which the wrapping program may have written itself.
  for (const base of [lines[0], lines[Math.floor(lines.length / 2)]]) {
    const elements = elementsOf(base ?? "");
    const lengths = lines.map((line) => sharedLength(elements, line)).sort((a, b) => a - b);
    const common = elements.slice(0, lengths[Math.floor(lines.length * (1 - COMMON_SHARE))] ?? 0);
    if (common.length > best.length) best = common;
  }
  return best;
}

function elementsOf(line: string): PrefixElement[] {
  const elements: PrefixElement[] = [];
  for (let at = 0; at < Math.min(line.length, MAX_PREFIX_LENGTH);) {
    const end = digitsEnd(line, at);
    elements.push(end > at ? "digits" : { character: line.charAt(at) });
    at = Math.max(end, at + 1);
  }
  return elements;
}

/**
 * Returns how many of the prefix's elements the line starts with. A line that consists of the prefix alone may lack its
 * last elements.
 */
function sharedLength(elements: readonly PrefixElement[], line: string): number {
  let at = 0;
  for (const [index, element] of elements.entries()) {
    if (at >= line.length && line.trimEnd().length === line.length && index > 0) return elements.length;
    const end =
      element === "digits" ? digitsEnd(line, at) : at + Number(line.charAt(at) === element.character);
    if (end === at) return index;
    at = end;
  }
  return elements.length;
}

function digitsEnd(line: string, from: number): number {
  let end = from;
  while (end < line.length && line.charCodeAt(end) >= 48 && line.charCodeAt(end) <= 57) end++;
  return end;
}

/**
 * Builds the regular expression of a prefix. Lines that have no text after the prefix match even without its trailing
 * blanks.
 */
function expressionOf(elements: readonly PrefixElement[]): RegExp {
  const source = elements.map((element) =>
    element === "digits"
      ? String.raw`\d{1,20}`
      : element.character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`),
  );
  const blanks = source.length - source.findLastIndex((one) => one.trim() !== "") - 1;
  const needed = source.slice(0, source.length - blanks).join("");
  return new RegExp(`^${needed}(?:${source.slice(source.length - blanks).join("")}|$)`);
}
