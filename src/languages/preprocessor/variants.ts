import type { CodeSymbol } from "../../model/symbol.ts";
import { blankRanges } from "../repair/blank-ranges.ts";
import type { Branch, Group, Range } from "./branch-choice.ts";
import { type Branches, findBranches } from "./branches.ts";
import type { Literals } from "./literals.ts";

/**
 * A version of a text in which one branch of each `#if` is chosen. Directives and the other branches are replaced by
 * spaces, so that line numbers stay valid.
 */
export interface Variant {
  readonly text: string;
  /**
   * The same text, in which bodies of functions and values without definitions for the outline are replaced by spaces
   * too.
   */
  readonly code: string;
  /** Numbers of the lines, counted from 1, that no earlier variant contains. */
  readonly lines: ReadonlySet<number>;
  /** Macros that were removed from the text, because no grammar can parse their definitions in that place. */
  readonly macros: readonly CodeSymbol[];
}

/**
 * Maximum number of variants of a text that are parsed. More, for example of the header of one function, are not worth
 * the time.
 */
const MAX_VARIANTS = 3;
const DIRECTIVE = /^[ \t]*#[ \t]*if/mu;

/**
 * Returns variants of a text that together contain all its `#if` branches. Branches with complete declarations are all
 * in the first variant, and branches that cut a declaration in half get one variant each.
 */
export function readVariants(text: string, literals: Literals): readonly [Variant, ...Variant[]] {
  const none: ReadonlySet<number> = new Set();
  if (literals === "csharp" && !DIRECTIVE.test(text)) return [{ text, code: text, lines: none, macros: [] }];
  const found = findBranches(text, literals);
  const { groups } = found;
  const wanted = Math.min(MAX_VARIANTS, Math.max(1, ...groups.map(countVariants)));
  const read = (way: number): Pick<Variant, "text" | "code"> => ({
    text: blankRanges(text, blanksOf(found, way)),
    code: blankRanges(text, blanksOf(found, way, found.bodies)),
  });
  const others = Array.from({ length: wanted - 1 }, (_, index) => ({
    ...read(index + 1),
    lines: new Set(groups.flatMap((group) => ownLines(group, index + 1))),
    macros: [],
  }));
  const dead = new Set(groups.flatMap((group) => group.dead.flatMap(linesOf)));
  const macros = found.macros.filter(({ lineStart }) => !dead.has(lineStart));
  return [{ ...read(0), lines: none, macros }, ...others];
}

/** Counts the variants that are needed to see all definitions in the branches of one `#if`. */
function countVariants({ order, branches, mayDefine }: Group): number {
  if (!mayDefine) return 1;
  return order.findLastIndex((index) => branches[index]?.hasCode === true) + 1;
}

function blanksOf(
  { groups, kept, unreadable }: Branches,
  way: number,
  bodies: readonly Range[] = [],
): Range[] {
  const passed = groups.flatMap(({ order, branches, isWhole }) => {
    const taken = order[Math.min(way, order.length - 1)];
    return isWhole ? [] : branches.filter((_, index) => index !== taken).map(rangeOf);
  });
  const dead = groups.flatMap((group) => group.dead.map(rangeOf));
  const directives = groups.flatMap((group) => group.directives);
  return mergeRanges([
    ...subtractRanges(mergeRanges([...passed, ...bodies]), kept),
    ...dead,
    ...directives,
    ...unreadable,
  ]);
}

function rangeOf({ start, end }: { readonly start: number; readonly end: number }): Range {
  return [start, end];
}

function ownLines({ order, branches, isWhole }: Group, way: number): number[] {
  const taken = isWhole ? undefined : branches[order[way] ?? -1];
  return taken === undefined ? [] : linesOf(taken);
}

function linesOf({ line, lines }: Branch): number[] {
  return Array.from({ length: lines }, (_, index) => line + index);
}

/** Sorts ranges and merges those that overlap. */
function mergeRanges(ranges: readonly Range[]): Range[] {
  const result: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else result.push([start, end]);
  }
  return result;
}

/** Removes the parts that `holes` covers from the ranges; both lists must be sorted. */
function subtractRanges(ranges: readonly Range[], holes: readonly Range[]): Range[] {
  const result: Range[] = [];
  let next = 0;
  for (const [start, end] of ranges) {
    let from = start;
    for (; (holes[next]?.[0] ?? end) < end; next += 1) {
      const [open, close] = holes[next] ?? [end, end];
      if (open < from) continue;
      result.push([from, open]);
      from = close;
    }
    result.push([from, end]);
  }
  return result;
}
