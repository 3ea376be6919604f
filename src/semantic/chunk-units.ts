import type { CodeSymbol } from "../model/symbol.ts";

/** Consecutive lines that are embedded together; lines count from 0, `to` is the line after. */
export interface Unit {
  readonly from: number;
  readonly to: number;
  /** What the lines are in, from the outside in. */
  readonly names: readonly string[];
}

/** What the lines of a text weigh, and what stands in them. */
export interface Lines {
  readonly lines: readonly string[];
  /** The characters before each line, with one more for the end. */
  readonly starts: readonly number[];
}

/** A definition with the definitions inside it. */
export interface Definition {
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly inner: readonly Definition[];
}

/**
 * The largest text that is embedded whole: some 700 tokens of code. Models read 512 to 8,192; a chunk much longer than
 * a function says too many things at once.
 */
const MOST_CHARACTERS = 2_400;
/** Neighbours are put together up to this size: alone they say too little to be found. */
const MERGED_CHARACTERS = 1_200;
/** What is shorter says nothing alone. */
const TINY_CHARACTERS = 80;
/** A piece of a split function is at least this share of the largest. */
const LEAST_SHARE = 1 / 3;
/** Of a longer line (data, a long string) the beginning counts. */
export const MOST_LINE = 400;
/** Deeper nesting is cut like plain text. */
const MAX_DEPTH = 40;

/** Measures lines, each at most as long as what is embedded of it. */
export function measureLines(text: string): Lines {
  const lines = text.split(/\r?\n/);
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + Math.min(line.length, MOST_LINE) + 1);
  return { lines, starts };
}

/** Cuts a text: by definition where there are any, at blocks where one is too long, small neighbours together. */
export function cutUnits(lines: Lines, definitions: readonly Definition[]): Unit[] {
  return cut({ from: 0, to: lines.lines.length, names: [] }, definitions, lines, 0);
}

function cut(range: Unit, definitions: readonly Definition[], lines: Lines, depth: number): Unit[] {
  if (sizeOf(range, lines) <= MOST_CHARACTERS) return [range];
  if (definitions.length === 0 || depth > MAX_DEPTH) return cutAtBlocks(range, lines);
  const { names } = range;
  const units: Unit[] = [];
  let at = range.from;
  for (const definition of definitions) {
    const start = Math.max(at, headOf(definition.from, at, lines));
    const end = Math.min(definition.to, range.to);
    // What shares its lines with the one before is already in it.
    if (definition.from < at || end <= start) continue;
    if (start > at) units.push(...cutAtBlocks({ from: at, to: start, names }, lines));
    units.push(...cutDefinition({ from: start, to: end, names }, definition, lines, depth));
    at = end;
  }
  if (at < range.to) units.push(...cutAtBlocks({ from: at, to: range.to, names }, lines));
  return mergeSmall(units, lines);
}

/** One that fits stands under what is around it; the pieces of a larger one stand under its own header. */
function cutDefinition(range: Unit, definition: Definition, lines: Lines, depth: number): Unit[] {
  if (sizeOf(range, lines) <= MOST_CHARACTERS) return [range];
  return cut({ ...range, names: [...range.names, definition.label] }, definition.inner, lines, depth + 1);
}

/** Comments, decorators and attributes directly above a definition belong to it. */
const HEAD_LINE = /^\s*(?:\/\/|\/\*|\*|#|--|;|@|\[|<!--|"""|'''|%|\*\/)/;

function headOf(from: number, least: number, { lines }: Lines): number {
  let at = from;
  while (at > least && HEAD_LINE.test(lines[at - 1] ?? "")) at--;
  return at;
}

function sizeOf({ from, to }: Unit, { starts }: Lines): number {
  return (starts[to] ?? 0) - (starts[from] ?? 0);
}

/** Cuts where a block ends: after a blank line, at little indentation, as late as possible. */
function cutAtBlocks(range: Unit, lines: Lines): Unit[] {
  const units: Unit[] = [];
  let from = range.from;
  while (sizeOf({ ...range, from }, lines) > MOST_CHARACTERS) {
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
    if (size > MOST_CHARACTERS) break;
    if (size < MOST_CHARACTERS * LEAST_SHARE) {
      best = at;
      continue;
    }
    const line = lines.lines[at] ?? "";
    const blank = (lines.lines[at - 1] ?? "").trim() === "";
    const indentation = line.trim() === "" ? MAX_DEPTH : line.length - line.trimStart().length;
    const score = (blank ? 8 : 0) - indentation + (4 * size) / MOST_CHARACTERS;
    if (score >= bestScore) {
      best = at;
      bestScore = score;
    }
  }
  return best;
}

/** Puts neighbours of one level together as long as they are small. */
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
      sizeOf(joined, lines) <= MERGED_CHARACTERS
    )
      merged[merged.length - 1] = joined;
    else merged.push(unit);
  }
  return absorbTiny(merged, lines);
}

/** A heading or the first line of a class goes with what follows it, a closing line with what came before. */
function absorbTiny(units: readonly Unit[], lines: Lines): Unit[] {
  const kept: Unit[] = [];
  let waiting: Unit | undefined;
  for (const unit of units) {
    const whole: Unit = waiting?.to === unit.from ? { ...unit, from: waiting.from } : unit;
    waiting = sizeOf(whole, lines) < TINY_CHARACTERS ? whole : undefined;
    if (waiting === undefined) kept.push(whole);
  }
  const last = kept.at(-1);
  if (waiting === undefined) return kept;
  if (last === undefined) return [waiting];
  return [...kept.slice(0, -1), { ...last, to: waiting.to }];
}

const MOST_LABEL = 160;

/** The tree of the definitions of an outline. What is only brought in from elsewhere is no definition. */
export function definitionsOf(symbols: readonly CodeSymbol[]): Definition[] {
  const top: Definition[] = [];
  const made: { inner: Definition[] }[] = [];
  for (const { kind, lineStart, lineEnd, parent, signature, name } of symbols) {
    const inner: Definition[] = [];
    const label = (kind === "heading" ? name : signature === "" ? name : signature).slice(0, MOST_LABEL);
    made.push({ inner });
    if (kind === "import") continue;
    const into = parent === undefined ? top : (made[parent]?.inner ?? top);
    into.push({ from: lineStart - 1, to: lineEnd, label, inner });
  }
  return top;
}
