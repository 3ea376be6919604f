import { createHash } from "node:crypto";
import type { CodeSymbol, Outline } from "../model/symbol.ts";
import type { Slice } from "./slices.ts";

/** Must be raised when chunking changes: chunks then get other ids and are embedded again. */
const CHUNK_VERSION = 1;

/** Storage key of a blob's slices. It contains the chunking version, because the same content may be cut differently later. */
export function sliceKey(blobKey: string): string {
  return `${blobKey}.${CHUNK_VERSION}`;
}

/** A slice with the text that is embedded for it, except for the path of its file. */
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

/** A chunk without a single word, such as braces or a ruler line, is not embedded. */
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

/** Consecutive lines that are embedded together. Lines count from 0, and `to` is exclusive. */
interface Unit {
  readonly from: number;
  readonly to: number;
  /** Labels of the definitions around the lines, outermost first. */
  readonly names: readonly string[];
}

/** The lines of a text with their sizes. */
interface Lines {
  readonly lines: readonly string[];
  /** Offset of each line in embedded characters, plus a last entry for the end of the text. */
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
 * Upper size of a chunk, about 700 tokens of code. Models read 512 to 8,192 tokens, but the vector of a chunk that is
 * much longer than a function is too vague.
 */
const MAX_CHARACTERS = 2_400;
/** Neighbouring units are merged up to this size: very short texts are hard to find by similarity. */
const MAX_MERGED_CHARACTERS = 1_200;
/** A unit below this size is joined with its neighbour even across levels. */
const TINY_CHARACTERS = 80;
/** Minimum size of a piece of a split function, as a share of MAX_CHARACTERS. */
const MIN_SHARE = 1 / 3;
/** Longer lines (data, long strings) are truncated to this many characters. */
const MAX_LINE_LENGTH = 400;
/** Definitions nested deeper than this are cut like plain text. */
const MAX_DEPTH = 40;

/** Splits a text into lines and computes the size of what is embedded of each. */
function measureLines(text: string): Lines {
  const lines = text.split(/\r?\n/);
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + Math.min(line.length, MAX_LINE_LENGTH) + 1);
  return { lines, starts };
}

/** Cuts a text at its definitions, cuts definitions that are too long between blocks, and merges small neighbours. */
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
    // A definition that shares lines with the previous one is already part of that unit.
    if (definition.from < at || end <= start) continue;
    if (start > at) units.push(...cutAtBlocks({ from: at, to: start, names }, lines));
    units.push(...cutDefinition({ from: start, to: end, names }, definition, lines, depth));
    at = end;
  }
  if (at < range.to) units.push(...cutAtBlocks({ from: at, to: range.to, names }, lines));
  return mergeSmall(units, lines);
}

/** A definition that fits becomes one unit; the pieces of a larger one are labelled with its header. */
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

/** Cuts between blocks: preferably after a blank line, at low indentation, and as late as the size limit allows. */
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

/** Merges neighbours of the same level as long as the result stays small. */
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

/** Joins a tiny unit, such as a heading or the first line of a class, with the next one, and a trailing one with the last. */
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
    const inner: Definition[] = [];
    const label = (kind === "heading" ? name : signature === "" ? name : signature).slice(
      0,
      MAX_LABEL_LENGTH,
    );
    made.push({ inner });
    if (kind === "import") continue;
    const into = parent === undefined ? top : (made[parent]?.inner ?? top);
    into.push({ from: lineStart - 1, to: lineEnd, label, inner });
  }
  return top;
}
