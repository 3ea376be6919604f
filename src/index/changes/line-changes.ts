import { addToGroup } from "../../kernel/group-by.ts";
import { callsWithOtherArguments } from "./open-calls.ts";

/** How the lines of a changed file follow from those of the earlier version. */
export interface LineChanges {
  /** For the number of each line the one that it had before; 0 for a new line. */
  readonly oldLines: Int32Array;
  /** The lines that are as before but open a list of arguments in which a later line is not. */
  readonly changedCalls: ReadonlySet<number>;
}

/** Finds the lines that are in both versions of a file in the same order, apart from their indentation. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChanges {
  const [old, now] = [before.map((line) => line.trim()), after.map((line) => line.trim())];
  const oldLines = new Int32Array(now.length + 1);
  const open: Part[] = [{ old: 0, oldEnd: old.length, now: 0, nowEnd: now.length }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const rest = matchEnds(part, { old, now, oldLines });
    open.push(...partsBetween(rest, { old, now }));
  }
  return { oldLines, changedCalls: callsWithOtherArguments(after, oldLines) };
}

/** Lines of both versions that are compared with each other, from 0 on. The ends are not part of them. */
interface Part {
  readonly old: number;
  readonly oldEnd: number;
  readonly now: number;
  readonly nowEnd: number;
}

interface Texts {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** Pairs the equal lines with which a part begins and ends, and returns what is between them. */
function matchEnds(part: Part, { old, now, oldLines }: Texts & Pick<LineChanges, "oldLines">): Part {
  let { old: from, now: to, oldEnd, nowEnd } = part;
  while (from < oldEnd && to < nowEnd && old[from] === now[to]) oldLines[++to] = ++from;
  while (from < oldEnd && to < nowEnd && old[oldEnd - 1] === now[nowEnd - 1]) oldLines[nowEnd--] = oldEnd--;
  return { old: from, oldEnd, now: to, nowEnd };
}

/** Splits a part at lines that both versions have in it, in the same order. A part without any has changed as a whole. */
function partsBetween(part: Part, texts: Texts): readonly Part[] {
  const anchors = inOrder(pairsIn(part, texts).toSorted((a, b) => a[1] - b[1]));
  if (anchors.length === 0) return [];
  const parts: Part[] = [];
  let { old, now } = part;
  // Each of these lines begins the part behind it, where it is matched.
  for (const [oldEnd, nowEnd] of [...anchors, [part.oldEnd, part.nowEnd] as const]) {
    parts.push({ old, oldEnd, now, nowEnd });
    [old, now] = [oldEnd, nowEnd];
  }
  return parts;
}

/** Pairs the lines that each version has once, which say most; without any, the first of equal lines with the first. */
function pairsIn(part: Part, texts: Texts): readonly Pair[] {
  const before = placesOf(texts.old, part.old, part.oldEnd);
  const single: Pair[] = [];
  const several: Pair[] = [];
  for (const [line, places] of placesOf(texts.now, part.now, part.nowEnd)) {
    const earlier = before.get(line) ?? [];
    const pairs = earlier.slice(0, places.length).map((old, at): Pair => [old, places[at] ?? 0]);
    (earlier.length === 1 && places.length === 1 ? single : several).push(...pairs);
  }
  return single.length > 0 ? single : several;
}

function placesOf(
  lines: readonly string[],
  from: number,
  to: number,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (let at = from; at < to; at++) addToGroup(places, lines[at] ?? "", at);
  return places;
}

type Pair = readonly [old: number, now: number];

/** Returns the longest list of pairs in which both numbers grow; `pairs` are sorted by the second one. */
function inOrder(pairs: readonly Pair[]): readonly Pair[] {
  // For each length the pair with the smallest number that ends a list of it, and for each pair the one before it.
  const ends: Pair[] = [];
  const previous = new Map<Pair, Pair>();
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.[0] ?? 0) < pair[0]) low = middle + 1;
      else high = middle;
    }
    const before = ends[low - 1];
    if (before !== undefined) previous.set(pair, before);
    ends[low] = pair;
  }
  const found: Pair[] = [];
  for (let pair = ends.at(-1); pair !== undefined; pair = previous.get(pair)) found.push(pair);
  return found.toReversed();
}
