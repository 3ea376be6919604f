import { createHash } from "node:crypto";
import { TEST_KINDS, type CodeSymbol, type Outline } from "../model/symbol.ts";
import type { Slice } from "./slices.ts";

/**
 * Version of the rules by which texts are cut into chunks. It must be raised when they change: chunks then get other
 * ids and are embedded again.
 */
const CHUNK_VERSION = 1;

/**
 * Returns the key under which the slices of a blob (the line ranges of its chunks) are stored. It contains the version
 * of the cutting rules, because later rules may cut the same content differently.
 */
export function sliceKey(blobKey: string): string {
  return `${blobKey}.${CHUNK_VERSION}`;
}

/**
 * A slice (the id and line range of a chunk) with the text that is embedded for it; only the path of the file is
 * missing from the text.
 */
export interface Chunk extends Slice {
  readonly text: string;
}

/**
 * Cuts a text into chunks for embedding. The id of a chunk is a hash of its content without the path, so that a file
 * that moves is not embedded again.
 */
export function chunkText(text: string, outline: Outline | undefined): Chunk[] {
  const lines = measureLines(text);
  const definitions = outline === undefined ? [] : definitionsOf(outline.symbols);
  return cutUnits(lines, definitions).flatMap((unit) => {
    const chunk = chunkOf(unit, lines.lines);
    return chunk === undefined ? [] : [chunk];
  });
}

/** The text that is sent to the provider for a chunk of a file. */
export function embeddedText(path: string, chunk: Chunk): string {
  return `${path}\n${chunk.text}`;
}

/** Matches a word. A chunk without one, such as braces or a line of dashes, is not embedded. */
const WORD = /[\p{L}\p{N}_]{2}/u;

function chunkOf({ from, to, names }: Unit, lines: readonly string[]): Chunk | undefined {
  let first = from;
  let end = to;
  while (first < end && (lines[first] ?? "").trim() === "") first++;
  while (end > first && (lines[end - 1] ?? "").trim() === "") end--;
  const body = dedent(lines.slice(first, end)).join("\n");
  if (!WORD.test(body)) return undefined;
  const text = names.length === 0 ? body : `${names.join(" > ")}\n${body}`;
  const chunk = createHash("sha256").update(`${CHUNK_VERSION}\0${text}`).digest("base64url").slice(0, 22);
  return { chunk, lineStart: first + 1, lineEnd: end, text };
}

/** Removes the indentation that all lines share: it costs tokens and carries no information. */
function dedent(lines: readonly string[]): string[] {
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines)
    if (line.trim() !== "") common = Math.min(common, line.length - line.trimStart().length);
  const cut = Number.isFinite(common) ? common : 0;
  return lines.map((line) => line.slice(cut, cut + MAX_LINE_LENGTH).trimEnd());
}

/** Consecutive lines that are embedded together. Line numbers count from 0, and `to` is exclusive. */
interface Unit {
  readonly from: number;
  readonly to: number;
  /** Labels of the definitions that enclose the lines, outermost first. */
  readonly names: readonly string[];
}

/** The lines of a text with their sizes. */
interface Lines {
  readonly lines: readonly string[];
  /**
   * For each line, the number of characters before it that are embedded; a last entry counts those of the whole text.
   */
  readonly starts: readonly number[];
}

/** A definition (function, class, heading) with the definitions nested in it. */
interface Definition {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly inner: readonly Definition[];
}

/**
 * Maximum number of characters of a chunk, about 700 tokens of code. Models read 512 to 8,192 tokens, but one vector
 * describes a text that is much longer than a function only vaguely.
 */
const MAX_CHARACTERS = 2_400;
/**
 * Maximum size up to which neighbouring parts of a text are merged into one chunk, because very short texts are hard to
 * find by similarity.
 */
const MAX_MERGED_CHARACTERS = 1_200;
/**
 * A part of a text that is smaller than this is merged with its neighbour even if the two are nested at different
 * levels.
 */
const TINY_CHARACTERS = 80;
/** Minimum size of each part of a function that is split, as a share of MAX_CHARACTERS. */
const MIN_SHARE = 1 / 3;
/** Maximum number of characters of a line that are embedded; longer lines contain data or long strings. */
const MAX_LINE_LENGTH = 400;
/** Maximum nesting depth at which definitions are cut one by one; deeper ones are cut like plain text. */
const MAX_DEPTH = 40;

/** Splits a text into lines and computes how many characters of each line are embedded. */
function measureLines(text: string): Lines {
  const lines = text.split(/\r?\n/);
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + Math.min(line.length, MAX_LINE_LENGTH) + 1);
  return { lines, starts };
}

/**
 * Cuts a text into parts at its definitions. Definitions that are too long are cut further between blocks of lines, and
 * small neighbours are merged.
 */
function cutUnits(lines: Lines, definitions: readonly Definition[]): Unit[] {
  return cutRange({ from: 0, to: lines.lines.length, names: [] }, definitions, lines, 0);
}

function cutRange(range: Unit, definitions: readonly Definition[], lines: Lines, depth: number): Unit[] {
  if (sizeOf(range, lines) <= MAX_CHARACTERS) return [range];
  if (definitions.length === 0 || depth > MAX_DEPTH) return cutAtBlocks(range, lines);
  const { names } = range;
  const units: Unit[] = [];
  let at = range.from;
  for (const definition of definitions) {
    const start = Math.max(at, headOf(definition.from, at, lines));
    const end = Math.min(definition.to, range.to);
    // A definition that begins on the last line of the previous one is already contained in the part of that one.
    if (definition.from < at || end <= start) continue;
    if (start > at) units.push(...cutAtBlocks({ from: at, to: start, names }, lines));
    units.push(...cutDefinition({ from: start, to: end, names }, definition, lines, depth));
    at = end;
  }
  if (at < range.to) units.push(...cutAtBlocks({ from: at, to: range.to, names }, lines));
  return mergeSmall(units, lines);
}

/**
 * Returns a definition as one part if it is small enough; otherwise it is cut, and its parts are labelled with its
 * header.
 */
function cutDefinition(range: Unit, definition: Definition, lines: Lines, depth: number): Unit[] {
  if (sizeOf(range, lines) <= MAX_CHARACTERS) return [range];
  return cutRange(
    { ...range, names: [...range.names, definition.label] },
    definition.inner,
    lines,
    depth + 1,
  );
}

/** Matches comments, decorators and attributes, which belong to the definition directly below them. */
const HEAD_LINE = /^\s*(?:\/\/|\/\*|\*|#|--|;|@|\[|<!--|"""|'''|%|\*\/)/;

function headOf(from: number, min: number, { lines }: Lines): number {
  let at = from;
  while (at > min && HEAD_LINE.test(lines[at - 1] ?? "")) at--;
  return at;
}

function sizeOf({ from, to }: Unit, { starts }: Lines): number {
  return (starts[to] ?? 0) - (starts[from] ?? 0);
}

/**
 * Cuts lines into parts between blocks: preferably after a blank line, at low indentation, and as late as the size
 * limit allows.
 */
function cutAtBlocks(range: Unit, lines: Lines): Unit[] {
  const units: Unit[] = [];
  let from = range.from;
  while (sizeOf({ ...range, from }, lines) > MAX_CHARACTERS) {
    const end = bestCut(from, range.to, lines);
    units.push({ ...range, from, to: end });
    from = end;
  }
  if (from < range.to) units.push({ ...range, from });
  return units;
}

function bestCut(from: number, to: number, lines: Lines): number {
  let best = from + 1;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let at = from + 1; at < to; at++) {
    const size = sizeOf({ from, to: at, names: [] }, lines);
    if (size > MAX_CHARACTERS) break;
    if (size < MAX_CHARACTERS * MIN_SHARE) {
      best = at;
      continue;
    }
    const line = lines.lines[at] ?? "";
    const blank = (lines.lines[at - 1] ?? "").trim() === "";
    const indentation = line.trim() === "" ? MAX_DEPTH : line.length - line.trimStart().length;
    const score = (blank ? 8 : 0) - indentation + (4 * size) / MAX_CHARACTERS;
    if (score >= bestScore) {
      best = at;
      bestScore = score;
    }
  }
  return best;
}

/** Merges neighbouring parts of the same nesting level as long as the result stays small. */
function mergeSmall(units: readonly Unit[], lines: Lines): Unit[] {
  const merged: Unit[] = [];
  for (const unit of units) {
    const last = merged.at(-1);
    const joined = last === undefined ? unit : { ...last, to: unit.to };
    if (
      last !== undefined &&
      last.to === unit.from &&
      last.names.length === unit.names.length &&
      last.names.at(-1) === unit.names.at(-1) &&
      sizeOf(joined, lines) <= MAX_MERGED_CHARACTERS
    )
      merged[merged.length - 1] = joined;
    else merged.push(unit);
  }
  return absorbTiny(merged, lines);
}

/**
 * Merges a tiny part, such as a heading or the first line of a class, with the next part; a tiny part at the end is
 * merged with the one before it.
 */
function absorbTiny(units: readonly Unit[], lines: Lines): Unit[] {
  const kept: Unit[] = [];
  let pending: Unit | undefined;
  for (const unit of units) {
    const whole: Unit = pending?.to === unit.from ? { ...unit, from: pending.from } : unit;
    pending = sizeOf(whole, lines) < TINY_CHARACTERS ? whole : undefined;
    if (pending === undefined) kept.push(whole);
  }
  const last = kept.at(-1);
  if (pending === undefined) return kept;
  if (last === undefined) return [pending];
  return [...kept.slice(0, -1), { ...last, to: pending.to }];
}

const MAX_LABEL_LENGTH = 160;

/** Builds the tree of definitions from an outline; imports are left out. */
function definitionsOf(symbols: readonly CodeSymbol[]): Definition[] {
  const top: Definition[] = [];
  const made: { inner: Definition[] }[] = [];
  for (const { kind, lineStart, lineEnd, parent, signature, name } of symbols) {
    const around = parent === undefined ? undefined : made[parent];
    // Tests are too many and too alike to be parts of their own; the definitions in them are parts of what is around.
    if (TEST_KINDS.has(kind)) {
      made.push(around ?? { inner: top });
      continue;
    }
    const inner: Definition[] = [];
    const label = (kind === "heading" ? name : signature === "" ? name : signature).slice(
      0,
      MAX_LABEL_LENGTH,
    );
    made.push({ inner });
    if (kind === "import") continue;
    const into = around?.inner ?? top;
    into.push({ from: lineStart - 1, to: lineEnd, label, inner });
  }
  return top;
}
