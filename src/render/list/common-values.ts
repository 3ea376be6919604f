import { estimateTokens } from "../../kernel/tokens.ts";
import type { GroupedFile, GroupedPlace } from "../../model/diagnostic-group.ts";
import { valueList } from "./places.ts";

/**
 * Places of one message whose values (the words in the gaps `…` of the message) have something in common, which is
 * written once on a line above them.
 */
export interface CommonValues {
  /**
   * The line above the places: `…2=assign`, `…1-3=a b c` or, for a common part of a value, `…1=Test_…`. It is absent if
   * the places have nothing in common.
   */
  readonly line?: string;
  /** The places without the values that the line above them gives. */
  readonly files: readonly GroupedFile[];
}

/** Returns how many tokens a list of files costs. */
type Cost = (files: readonly GroupedFile[]) => number;

/** The fewest tokens that a line with the common values of places must save to be written. */
const MIN_SAVED = 3;
/** The most lines with common values below one message. */
const MAX_LINES = 8;
/** How many candidates for common values are tried, beginning with those that could save most. */
const MAX_TRIED = 5;
/**
 * The most places of a message that are searched for common values; a longer list is truncated before its end anyway.
 */
const MAX_PLACES = 1_000;

/**
 * Groups the places of a message by what their values have in common, as long as that saves tokens. Whole parts of
 * names are tried first, then single words.
 */
export function groupByCommonValues(files: readonly GroupedFile[], cost: Cost): CommonValues[] {
  const found: CommonValues[] = [];
  let rest = files;
  let restCost = cost(rest);
  for (const cuts of [SIGNS, WORDS])
    while (found.length < MAX_LINES) {
      const best = findBest(rest, restCost, { cost, cuts });
      if (best === undefined) break;
      found.push(best.common);
      [rest, restCost] = [best.rest, best.restCost];
    }
  return rest.length > 0 ? [{ files: rest }, ...found] : found;
}

/**
 * Match the positions at which a name may be split: after punctuation, or also between the words of a camel-case name.
 */
const SIGNS = /[^\p{L}\p{N}\s]+/gu;
const WORDS = /[^\p{L}\p{N}\s]+|(?<=\p{Ll})(?=\p{Lu})/gu;

interface SearchOptions {
  readonly cost: Cost;
  readonly cuts: RegExp;
}

interface Choice {
  readonly common: CommonValues;
  readonly rest: readonly GroupedFile[];
  readonly restCost: number;
}

function findBest(
  files: readonly GroupedFile[],
  costNow: number,
  { cost, cuts }: SearchOptions,
): Choice | undefined {
  let best: Choice | undefined;
  let bestCost = costNow - MIN_SAVED;
  for (const alike of findCandidates(files, cuts)) {
    const common = commonValuesOf(
      pick(files, (place) => alike.has(place)),
      cuts,
    );
    if (common === undefined) continue;
    const rest = pick(files, (place) => !alike.has(place));
    const restCost = cost(rest);
    const total = restCost + cost(common.files) + estimateTokens(common.line ?? "") + 1;
    if (total < bestCost) [best, bestCost] = [{ common, rest, restCost }, total];
  }
  return best;
}

function pick(files: readonly GroupedFile[], isPicked: (place: GroupedPlace) => boolean): GroupedFile[] {
  return files
    .map((file) => ({ ...file, places: file.places.filter(isPicked) }))
    .filter(({ places }) => places.length > 0);
}

/** Places of a message that share a text in the same gap (`…`) of it. */
interface Candidate {
  readonly text: string;
  readonly places: Set<GroupedPlace>;
  /** The distinct combinations of file and values; for each of them the list would write the text once. */
  readonly entries: Set<string>;
}

/**
 * Finds sets of places with the same value, or the same beginning of a value, in one gap of the message. The sets that
 * could save most tokens come first.
 */
function findCandidates(files: readonly GroupedFile[], cuts: RegExp): ReadonlySet<GroupedPlace>[] {
  if (files.reduce((sum, { places }) => sum + places.length, 0) > MAX_PLACES) return [];
  const sets = new Map<string, Candidate>();
  for (const { file, places } of files)
    for (const place of places) {
      const entry = [file, ...place.values].join("\0");
      for (const [key, text] of textsOf(place, cuts)) {
        const known = sets.get(key) ?? { text, places: new Set(), entries: new Set() };
        known.places.add(place);
        known.entries.add(entry);
        sets.set(key, known);
      }
    }
  const best = [...sets.values()]
    .filter(({ entries }) => entries.size > 1)
    .map((set) => ({ ...set, saved: estimateTokens(set.text) * (set.entries.size - 1) }))
    .filter(({ saved }) => saved > MIN_SAVED)
    .sort((one, other) => other.saved - one.saved);
  const different: Candidate[] = [];
  for (const set of best) {
    // The candidates are sorted by saved tokens, so of several texts that the same places share, the longest comes
    // first.
    if (!different.some((other) => isSame(set.places, other.places))) different.push(set);
    if (different.length === MAX_TRIED) break;
  }
  return different.map(({ places }) => places);
}

function isSame(one: ReadonlySet<GroupedPlace>, other: ReadonlySet<GroupedPlace>): boolean {
  return one.size === other.size && [...one].every((place) => other.has(place));
}

/** The texts that a place may share with others: each value as a whole or up to a split, and all values together. */
function textsOf({ values }: GroupedPlace, cuts: RegExp): [key: string, text: string][] {
  const together = values.length > 1 ? [values.join("\0")] : [];
  return [...values, ...together].flatMap((value, gap) =>
    value === "" || value.includes("…")
      ? []
      : [value, ...beginnings(value, cuts)].map((text): [string, string] => [
          `${gap}${text === value ? "=" : "^"}${text}`,
          text,
        ]),
  );
}

/** The most positions at which a value is split; a value with more parts is data rather than a name. */
const MAX_CUTS = 8;

/** The beginnings of a value up to each split, if they contain a word and are not the whole value. */
function beginnings(value: string, cuts: RegExp): string[] {
  return [...value.matchAll(cuts)]
    .slice(0, MAX_CUTS)
    .map((sign) => value.slice(0, sign.index + sign[0].length))
    .filter((text) => text.length < value.length && /\p{L}{2}/u.test(text));
}

/** Finds what the values of all these places have in common, for each gap of the message. */
function commonValuesOf(files: readonly GroupedFile[], cuts: RegExp): CommonValues | undefined {
  const places = files.flatMap((file) => file.places);
  const gaps = places[0]?.values.length ?? 0;
  const parts = Array.from({ length: gaps }, (_, gap) =>
    partOf(
      places.map((place) => place.values[gap] ?? ""),
      cuts,
    ),
  );
  const known = parts.flatMap((part, gap) => (part === undefined ? [] : [{ ...part, gap }]));
  if (known.length === 0) return undefined;
  const values = known.map(({ before, after, isWhole }) => (isWhole ? before : `${before}…${after}`));
  const numbers = gaps === 1 ? "" : numbersOf(known.map(({ gap }) => gap + 1));
  const left = (place: GroupedPlace): string[] =>
    place.values.flatMap((value, gap) => {
      const part = parts[gap];
      if (part?.isWhole === true) return [];
      return [part === undefined ? value : value.slice(part.before.length, value.length - part.after.length)];
    });
  return {
    line: `…${numbers}=${valueList({ values, line: 0 }, { dense: true })}`,
    files: files.map((file) => ({
      ...file,
      places: file.places.map((place) => ({ ...place, values: left(place) })),
    })),
  };
}

/** Writes the numbers of gaps (`…`) in a message: `1-3`, `2` or `1,3`. */
function numbersOf(gaps: readonly number[]): string {
  const [first = 0] = gaps;
  const last = gaps.at(-1) ?? first;
  return gaps.length > 1 && last - first === gaps.length - 1 ? `${first}-${last}` : gaps.join(",");
}

interface Part {
  readonly before: string;
  readonly after: string;
  /** True if all values are equal, so that nothing of them is left to write at the places. */
  readonly isWhole: boolean;
}

function partOf(values: readonly string[], cuts: RegExp): Part | undefined {
  const [first = ""] = values;
  if (values.every((value) => value === first)) return { before: first, after: "", isWhole: true };
  const before = longest(beginnings(first, cuts), (text) =>
    values.every((value) => value.startsWith(text) && value.length > text.length),
  );
  const after = longest(endings(first), (text) =>
    values.every((value) => value.endsWith(text) && value.length > before.length + text.length),
  );
  return before === "" && after === "" ? undefined : { before, after, isWhole: false };
}

function endings(value: string): string[] {
  return [...value.matchAll(SIGNS)]
    .slice(-MAX_CUTS)
    .map((sign) => value.slice(sign.index))
    .filter((text) => text.length < value.length);
}

function longest(texts: readonly string[], isCommon: (text: string) => boolean): string {
  return texts.filter(isCommon).reduce((best, text) => (text.length > best.length ? text : best), "");
}
