import type { ImportedName, Outline } from "../../model/symbol.ts";
import { definitionsIn, type FoldedDefinition, FOLD_LEVELS } from "./fold-definitions.ts";
import { firstNames, type Gap, gapMark } from "./focus.ts";

/** The lines of a file that are shown when its bodies are folded. */
export interface Fold {
  readonly kept: readonly (readonly [number, number])[];
  /** The last lines of the shown definitions: a gap ends there, so that its range is that of the body. */
  readonly breaks: ReadonlySet<number>;
  readonly mark: (gap: Gap) => string;
  /** What a gap contains, in words: names of definitions, or imports. */
  readonly about: (gap: Gap) => string;
}

/** The room of a reply for lines, and what they cost in it. */
export interface FoldRoom {
  readonly tokens: number;
  /** The cost of each line with its number, in order from the first line. */
  readonly lineCosts: readonly number[];
  readonly markCost: (mark: string) => number;
}

/** A gap of at most this many lines is shown if there is room for it: the bodies of small functions, and comments. */
const MAX_SMALL_GAP_LINES = 10;
/** A file that costs at most so many times the room is folded only as far as necessary. */
const NEARLY_FITTING = 2;
/** The fewest import lines that are folded to the names of the imports. */
const MIN_FOLDED_IMPORTS = 3;
/** The share of the code inside definitions below which a file is shown from its beginning, since folding says little. */
const MIN_DEFINED_SHARE = 0.5;

/**
 * Folds the bodies of a file so that the heads of its definitions fit into a reply, the outer ones first, then those
 * inside them. What room is left shows the smallest bodies and the lines between definitions. Undefined if most of the
 * file is not in definitions.
 */
export function foldFile(lines: readonly string[], outline: Outline, room: FoldRoom): Fold | undefined {
  const definitions = definitionsIn(outline, lines);
  if (!isMostlyDefinitions(definitions, lines)) return undefined;
  const imports = outline.imports.toSorted((a, b) => a.line - b.line);
  const context = { lines, imports, definitions, room };
  const choice = chooseDefinitions(context);
  if (choice.definitions.length < 2) return undefined;
  return openGaps(layOut(choice, context), context);
}

/** A line without code: blank, or a comment in one of the common notations. */
const NO_CODE = /^\s*(?:$|\/\/|\/?\*|#|--|;|"{3}|'{3})/;

/** Returns whether most of the lines of code are in definitions that have a body. */
function isMostlyDefinitions(definitions: readonly FoldedDefinition[], lines: readonly string[]): boolean {
  const isInside = new Uint8Array(lines.length + 1);
  for (const { start, headEnd, end } of definitions) if (end > headEnd) isInside.fill(1, start, end + 1);
  let [code, inside] = [0, 0];
  for (const [index, line] of lines.entries()) {
    if (NO_CODE.test(line)) continue;
    code++;
    inside += isInside[index + 1] ?? 0;
  }
  return inside > 0 && inside >= code * MIN_DEFINED_SHARE;
}

interface FoldContext {
  readonly lines: readonly string[];
  readonly imports: readonly ImportedName[];
  readonly definitions: readonly FoldedDefinition[];
  readonly room: FoldRoom;
}

interface Choice {
  readonly definitions: readonly FoldedDefinition[];
  /** True if a gap ends where a definition does. Otherwise it reaches to the next head and needs only one mark. */
  readonly hasBreaks: boolean;
}

/**
 * Chooses the definitions whose heads are shown, level by level. If the heads of a level do not all fit, only the first
 * line of each is shown, then with one gap up to the next head, and in the end only those of the longest definitions.
 */
function chooseDefinitions(context: FoldContext): Choice {
  const { definitions, room } = context;
  const fits = (choice: Choice): boolean => layOut(choice, context).cost <= room.tokens;
  let choice: Choice = { definitions: [], hasBreaks: true };
  for (const level of FOLD_LEVELS) {
    const next = definitions.filter((one) => one.level === level);
    if (next.length === 0) continue;
    const { definitions: chosen, hasBreaks } = choice;
    const short = next.map((one) => ({ ...one, headEnd: one.start }));
    const fitting = [
      { definitions: [...chosen, ...next], hasBreaks },
      { definitions: [...chosen, ...short], hasBreaks },
      { definitions: [...chosen, ...short], hasBreaks: false },
    ].find(fits);
    if (fitting === undefined) return addLongest(choice, short, fits);
    choice = fitting;
  }
  return choice;
}

/** Adds as many of the longest definitions as fit, each with one gap up to the next head. */
function addLongest(
  { definitions }: Choice,
  next: readonly FoldedDefinition[],
  fits: (choice: Choice) => boolean,
): Choice {
  const longest = next.toSorted((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start);
  const withFirst = (count: number): Choice => ({
    definitions: [...definitions, ...longest.slice(0, count)],
    hasBreaks: false,
  });
  let [least, most] = [0, longest.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(withFirst(middle))) least = middle;
    else most = middle - 1;
  }
  return withFirst(least);
}

/** What a choice of definitions shows and leaves out, and what that costs. */
interface Layout {
  readonly isKept: Uint8Array;
  readonly breaks: ReadonlySet<number>;
  readonly gaps: readonly Gap[];
  readonly cost: number;
  readonly about: (gap: Gap) => string;
}

function layOut({ definitions, hasBreaks }: Choice, context: FoldContext): Layout {
  const { lines, room } = context;
  const isKept = new Uint8Array(lines.length + 2);
  const breaks = new Set<number>();
  for (const { start, headEnd, end } of definitions) {
    isKept.fill(1, start, headEnd + 1);
    if (hasBreaks && end > headEnd) breaks.add(withBlankLines(end, lines));
  }
  const gaps = gapsIn(isKept, breaks, lines.length);
  const about = describeGaps(isKept, context);
  let cost = gaps.reduce((sum, gap) => sum + room.markCost(gapMark(gap, about(gap))), 0);
  for (let line = 1; line <= lines.length; line++)
    if (isKept[line] === 1) cost += room.lineCosts[line - 1] ?? 0;
  return { isKept, breaks, gaps, cost, about };
}

/** The last of the blank lines after a definition; they belong to its gap, because a gap of their own says nothing. */
function withBlankLines(end: number, lines: readonly string[]): number {
  let last = end;
  while (last < lines.length && lines[last]?.trim() === "") last++;
  return last;
}

function gapsIn(isKept: Uint8Array, breaks: ReadonlySet<number>, count: number): Gap[] {
  const gaps: Gap[] = [];
  let start = 0;
  for (let line = 1; line <= count; line++) {
    if (isKept[line] === 1) continue;
    if (start === 0) start = line;
    if (line < count && isKept[line + 1] === 0 && !breaks.has(line)) continue;
    gaps.push({ start, end: line });
    start = 0;
  }
  return gaps;
}

/** Returns a function that says what a gap contains: the imports, or the definitions whose heads are not shown. */
function describeGaps(isKept: Uint8Array, { imports, definitions }: FoldContext): (gap: Gap) => string {
  const hidden = definitions.filter(({ start, isNamed }) => isNamed && isKept[start] === 0);
  return (gap) => {
    const imported = within(imports, gap, ({ line }) => line);
    if (imported.length >= MIN_FOLDED_IMPORTS)
      return `imports ${firstNames([...new Set(imported.map(({ source }) => source))])}`;
    return firstNames(within(hidden, gap, ({ start }) => start).map(({ name }) => name));
  };
}

/** Those of the items, which are sorted by their lines, that begin in a gap. */
function within<T>(items: readonly T[], { start, end }: Gap, lineOf: (item: T) => number): readonly T[] {
  const firstFrom = (line: number): number => {
    let [least, most] = [0, items.length];
    while (least < most) {
      const middle = (least + most) >> 1;
      const item = items[middle];
      if (item !== undefined && lineOf(item) < line) least = middle + 1;
      else most = middle;
    }
    return least;
  };
  return items.slice(firstFrom(start), firstFrom(end + 1));
}

/** Opens gaps as long as there is room: those that cost no more than their mark, then the smallest ones. */
function openGaps({ isKept, breaks, gaps, cost, about }: Layout, context: FoldContext): Fold {
  const { imports, room } = context;
  const total = room.lineCosts.reduce((sum, one) => sum + one, 0);
  const maxLines = total <= room.tokens * NEARLY_FITTING ? Number.POSITIVE_INFINITY : MAX_SMALL_GAP_LINES;
  const canOpen = (gap: Gap): boolean =>
    gap.end - gap.start < maxLines && within(imports, gap, ({ line }) => line).length < MIN_FOLDED_IMPORTS;
  const prices = gaps.map((gap) => {
    const ofLines = room.lineCosts.slice(gap.start - 1, gap.end).reduce((sum, one) => sum + one, 0);
    return { gap, price: ofLines - room.markCost(gapMark(gap, about(gap))) };
  });
  let left = room.tokens - cost;
  for (const { gap, price } of prices.toSorted((a, b) => a.price - b.price)) {
    if (price > left || (price > 0 && !canOpen(gap))) continue;
    left -= price;
    isKept.fill(1, gap.start, gap.end + 1);
  }
  return { kept: rangesOf(isKept), breaks, about, mark: (gap) => gapMark(gap, about(gap)) };
}

function rangesOf(isKept: Uint8Array): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const [line, kept] of isKept.entries()) {
    if (kept === 0) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}
