import type { Budget } from "../../kernel/budget.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { OutlineEntry } from "./outline-entries.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";

/** The entries of an outline that are left for later pages. */
export interface OutlineRest {
  readonly count: number;
  readonly total: number;
  /** The number of entries that are left per kind, the most frequent kind first. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly cursor: string;
}

export interface OutlinePage {
  /** The indexes of the entries that the page shows, in source order. */
  readonly shown: readonly number[];
  /** The range of the entries on a page after the first, such as `symbols 41-80 of 120`. */
  readonly range?: string;
  readonly left?: OutlineRest;
}

interface PageStart {
  readonly offset: number;
  readonly cursorAfter: (shown: number) => string;
}

interface PageRoom {
  readonly budget: Budget;
  readonly write: (entry: number) => string;
}

/**
 * Chooses the entries of an outline that fit on a page, beginning with those that show the structure of the file. All
 * pages follow the same order, so that together they have each entry once. A page has at least one entry.
 */
export function pageOf(
  entries: readonly OutlineEntry[],
  { offset, cursorAfter }: PageStart,
  { budget, write }: PageRoom,
): OutlinePage {
  const order = byImportance(entries).slice(offset);
  const fitting = budget.fit(order, write);
  const shown = fitting.length > 0 ? fitting : order.slice(0, 1);
  const left = order.slice(shown.length);
  const end = offset + shown.length;
  const total = entries.length;
  return {
    shown: shown.toSorted((a, b) => a - b),
    ...(offset === 0 || shown.length === 0 ? {} : { range: `symbols ${offset + 1}-${end} of ${total}` }),
    ...(left.length === 0
      ? {}
      : { left: { count: left.length, total, kinds: kindsOf(left, entries), cursor: cursorAfter(end) } }),
  };
}

function kindsOf(rows: readonly number[], entries: readonly OutlineEntry[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const kind = entries[row]?.kind ?? "";
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** Says how many symbols are left and how to get them: `481 more of 900 symbols (300 field, 181 macro): cursor=dk.1f3a9c`. */
export function describeRest(
  { count, total, kinds, cursor }: OutlineRest,
  reader: Reader = EVERY_TOOL,
): string {
  const each = Object.entries(kinds).map(([kind, number]) => `${number} ${kind}`);
  return `${count} more of ${total} symbols (${each.join(", ")}): ${spellAgain(reader, { cursor })}`;
}

/**
 * Kinds of symbols that are parts of a type or a function. An outline shows them last, because whoever reads the type
 * sees them anyway.
 */
const PARTS: ReadonlySet<SymbolKind | "use"> = new Set(["property", "field", "variant", "macro"]);
const INNER_PARTS: ReadonlySet<SymbolKind | "use"> = new Set(["const", "var"]);

/**
 * Orders the entries of an outline by importance: types and functions, then their parts, then imports. Among entries of
 * equal importance outer ones come before inner ones, and every parent comes before its children.
 */
export function byImportance(entries: readonly OutlineEntry[]): number[] {
  const depths = depthsOf(entries);
  const ranks = entries.map(({ kind }, row): number => {
    if (kind === "use") return 2;
    return PARTS.has(kind) || (INNER_PARTS.has(kind) && (depths[row] ?? 0) > 0) ? 1 : 0;
  });
  for (const [row, { parent }] of [...entries.entries()].reverse())
    if (parent !== undefined) ranks[parent] = Math.min(ranks[parent] ?? 0, ranks[row] ?? 0);
  const difference = (values: readonly number[], a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0);
  return [...entries.keys()].sort((a, b) => difference(ranks, a, b) || difference(depths, a, b) || a - b);
}

function depthsOf(entries: readonly OutlineEntry[]): number[] {
  const depths: number[] = [];
  for (const { parent } of entries) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1);
  return depths;
}

/** Where an entry of an outline stands in the tree that its page shows. */
export interface Nesting {
  /** The number of the entry's ancestors on the page. */
  readonly depth: number;
  /** The name of the entry's parent, if the parent is on an earlier page. */
  readonly owner?: string;
}

/** The positions of all entries in the tree of a page that begins after the first `offset` entries. */
export function nestingOf(entries: readonly OutlineEntry[], offset: number): Nesting[] {
  const earlier = new Set(offset === 0 ? [] : byImportance(entries).slice(0, offset));
  const nestings: Nesting[] = [];
  for (const { parent } of entries) {
    const owner = parent === undefined ? undefined : entries[parent];
    if (parent === undefined || owner === undefined) nestings.push({ depth: 0 });
    else if (earlier.has(parent)) nestings.push({ depth: 0, owner: owner.qualifiedName || owner.name });
    else nestings.push({ depth: (nestings[parent]?.depth ?? 0) + 1 });
  }
  return nestings;
}
