import type { Budget } from "../../kernel/budget.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { OutlineEntry } from "./outline-entries.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";

/** What a page of an outline leaves for the next one. */
export interface OutlineRest {
  readonly count: number;
  readonly total: number;
  /** How many there are of each kind, the most first. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly cursor: string;
}

export interface OutlinePage {
  /** The entries of the page, by their places in the list and in its order. */
  readonly shown: readonly number[];
  /** Which of all symbols they are, where they are not the first ones. */
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
 * As many entries as fit, those first that show the shape of the file. Every page goes on in the same order, so that all
 * pages together have each entry once. A page has one entry at least.
 */
export function pageOf(
  entries: readonly OutlineEntry[],
  { offset, cursorAfter }: PageStart,
  { budget, write }: PageRoom,
): OutlinePage {
  const order = byWorth(entries).slice(offset);
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

/** `481 more of 900 symbols (300 field, 181 macro): cursor=dk.1f3a9c` */
export function restWords({ count, total, kinds, cursor }: OutlineRest, reader: Reader = EVERY_TOOL): string {
  const each = Object.entries(kinds).map(([kind, number]) => `${number} ${kind}`);
  return `${count} more of ${total} symbols (${each.join(", ")}): ${spellAgain(reader, { cursor })}`;
}

/** What a type or a function is made of: found by reading it. */
const PARTS: ReadonlySet<SymbolKind | "use"> = new Set(["property", "field", "variant", "macro"]);
const INNER_PARTS: ReadonlySet<SymbolKind | "use"> = new Set(["const", "var"]);

/**
 * The entries in the order in which they are worth their room: types and functions before what they are made of, imports last;
 * among equals the outer ones before the inner ones. What holds others comes before them.
 */
export function byWorth(entries: readonly OutlineEntry[]): number[] {
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

/** Where an entry stands on a page. */
export interface Nesting {
  /** How many entries of the page hold it. */
  readonly depth: number;
  /** What holds it, where that was on an earlier page. */
  readonly owner?: string;
}

/** How the entries stand in each other on a page that begins after `offset` of them. */
export function nestingOf(entries: readonly OutlineEntry[], offset: number): Nesting[] {
  const earlier = new Set(offset === 0 ? [] : byWorth(entries).slice(0, offset));
  const nestings: Nesting[] = [];
  for (const { parent } of entries) {
    const holder = parent === undefined ? undefined : entries[parent];
    if (parent === undefined || holder === undefined) nestings.push({ depth: 0 });
    else if (earlier.has(parent)) nestings.push({ depth: 0, owner: holder.qualifiedName || holder.name });
    else nestings.push({ depth: (nestings[parent]?.depth ?? 0) + 1 });
  }
  return nestings;
}
