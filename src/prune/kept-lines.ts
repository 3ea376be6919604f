import type { ReplyRoom } from "../model/pruning.ts";

/** Converts line indexes to sorted ranges of line numbers; `first` is the number of the line with index 0. */
export function rangesOf(indexes: Iterable<number>, first: number): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const line = index + first;
    const last = ranges.at(-1);
    if (last !== undefined && last[1] >= line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

/** Returns the indexes of the lines that are marked as kept. */
export function indexesOf(kept: Uint8Array): number[] {
  const indexes: number[] = [];
  for (let line = 0; line < kept.length; line++) if (kept[line] === 1) indexes.push(line);
  return indexes;
}

/** Several omitted lines that cost no more than this, about 20 characters, are shown in place of the mark for them. */
const MAX_GAP_TOKENS = 10;

/**
 * Keeps a single omitted line between two kept lines if it is short, because the mark for an omitted line would cost as
 * much as the line. The same applies to the first line of the text if the second is kept, and to several lines that
 * cost as little as the mark.
 */
export function closeSmallGaps(
  kept: Uint8Array,
  { isShort, costs }: { readonly isShort: (index: number) => boolean; readonly costs: Float64Array },
): void {
  for (let index = 0, last = -1, cost = 0; index < kept.length; index++) {
    if (kept[index] !== 1) {
      cost += costs[index] ?? 0;
      continue;
    }
    if (last >= 0 && index > last + 1 && cost <= MAX_GAP_TOKENS) kept.fill(1, last + 1, index);
    last = index;
    cost = 0;
  }
  for (let index = 0; index + 1 < kept.length; index++)
    if ((index === 0 || kept[index - 1] === 1) && kept[index + 1] === 1 && isShort(index)) kept[index] = 1;
}

/** Returns what the kept lines cost. */
export function costOf(kept: Uint8Array, costs: Float64Array): number {
  let total = 0;
  for (let line = 0; line < kept.length; line++) if (kept[line] === 1) total += costs[line] ?? 0;
  return total;
}

/** Returns what the marks of all gaps cost that a selection leaves. */
export function gapsCost(kept: Uint8Array, room: ReplyRoom): number {
  let cost = 0;
  let start = 0;
  for (let index = 0; index <= kept.length; index++) {
    if (index < kept.length && kept[index] === 0) continue;
    if (index > start) cost += room.gapCost(start, index - 1);
    start = index + 1;
  }
  return cost;
}

/** Returns true if the reply has room for the kept lines and the marks of the gaps between them. */
export function fits(kept: Uint8Array, room: ReplyRoom): boolean {
  return costOf(kept, room.lineCosts) + gapsCost(kept, room) <= room.tokens;
}

/**
 * Returns as many lines as the reply has room for, in the given order, and at least as many as stated. A longer list
 * costs more, except where it closes a gap, so a binary search finds where to stop.
 */
export function fittingPrefix(order: readonly number[], room: ReplyRoom, atLeast = 0): readonly number[] {
  let [least, most] = [Math.min(atLeast, order.length), order.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(flagsOf(order.slice(0, middle), room.lineCosts.length), room)) least = middle;
    else most = middle - 1;
  }
  return order.slice(0, least);
}

function flagsOf(indexes: readonly number[], length: number): Uint8Array {
  const flags = new Uint8Array(length);
  for (const index of indexes) flags[index] = 1;
  return flags;
}
