import { estimateTokens } from "../../kernel/tokens.ts";
import type { GroupedFile, GroupedPlace } from "../../model/diagnostic-group.ts";
import { valueList } from "./places.ts";

/** Places whose values have something in common, which a line above them says. */
export interface Sharing {
  /** `…2=assign`, `…1-3=a b c` or, where only a part is common, `…1=Test_…`; none for the places that stand directly below the message. */
  readonly line?: string;
  /** Their places without what the line says. */
  readonly files: readonly GroupedFile[];
}

/** What a list of files costs in tokens. */
type Cost = (files: readonly GroupedFile[]) => number;

/** A line of its own has to save so many tokens. */
const MIN_SAVED = 3;
/** So many lines of this kind, each sought among the places that are left. */
const MAX_LINES = 8;
/** Of what places have in common, that which promises most is tried. */
const MAX_TRIED = 5;
/** A list of more is cut before its end anyway. */
const MAX_PLACES = 1_000;

/** Says once what the values of many places have in common, as long as that costs less: names up to a sign first, then up to a word. */
export function sharings(files: readonly GroupedFile[], cost: Cost): Sharing[] {
  const found: Sharing[] = [];
  let rest = files;
  let restCost = cost(rest);
  for (const cuts of [SIGNS, WORDS])
    while (found.length < MAX_LINES) {
      const best = bestSharing(rest, restCost, { cost, cuts });
      if (best === undefined) break;
      found.push(best.sharing);
      [rest, restCost] = [best.rest, best.restCost];
    }
  return rest.length > 0 ? [{ files: rest }, ...found] : found;
}

/** Where a name may end for others to begin like it. */
const SIGNS = /[^\p{L}\p{N}\s]+/gu;
const WORDS = /[^\p{L}\p{N}\s]+|(?<=\p{Ll})(?=\p{Lu})/gu;

interface Seeking {
  readonly cost: Cost;
  readonly cuts: RegExp;
}

interface Taken {
  readonly sharing: Sharing;
  readonly rest: readonly GroupedFile[];
  readonly restCost: number;
}

function bestSharing(
  files: readonly GroupedFile[],
  costNow: number,
  { cost, cuts }: Seeking,
): Taken | undefined {
  let best: Taken | undefined;
  let bestCost = costNow - MIN_SAVED;
  for (const alike of promising(files, cuts)) {
    const sharing = sharingOf(
      pick(files, (place) => alike.has(place)),
      cuts,
    );
    if (sharing === undefined) continue;
    const rest = pick(files, (place) => !alike.has(place));
    const restCost = cost(rest);
    const total = restCost + cost(sharing.files) + estimateTokens(sharing.line ?? "") + 1;
    if (total < bestCost) [best, bestCost] = [{ sharing, rest, restCost }, total];
  }
  return best;
}

function pick(files: readonly GroupedFile[], isPicked: (place: GroupedPlace) => boolean): GroupedFile[] {
  return files
    .map((file) => ({ ...file, places: file.places.filter(isPicked) }))
    .filter(({ places }) => places.length > 0);
}

interface Alike {
  readonly text: string;
  readonly places: Set<GroupedPlace>;
  /** How often their values are written. */
  readonly entries: Set<string>;
}

/** Sets of places with the same value, or the same beginning of a value, in one gap; those first that promise to save most. */
function promising(files: readonly GroupedFile[], cuts: RegExp): ReadonlySet<GroupedPlace>[] {
  if (files.reduce((sum, { places }) => sum + places.length, 0) > MAX_PLACES) return [];
  const sets = new Map<string, Alike>();
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
  const different: Alike[] = [];
  for (const set of best) {
    // Of several beginnings that the same places share, the longest came first.
    if (!different.some((other) => isSame(set.places, other.places))) different.push(set);
    if (different.length === MAX_TRIED) break;
  }
  return different.map(({ places }) => places);
}

function isSame(one: ReadonlySet<GroupedPlace>, other: ReadonlySet<GroupedPlace>): boolean {
  return one.size === other.size && [...one].every((place) => other.has(place));
}

/** What a place may share with others: each value whole or up to a sign, and all values together. */
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

/** A longer name is data more than a name. */
const MAX_CUTS = 8;

/** A value up to each cut in it, where there is a word before that and something behind it. */
function beginnings(value: string, cuts: RegExp): string[] {
  return [...value.matchAll(cuts)]
    .slice(0, MAX_CUTS)
    .map((sign) => value.slice(0, sign.index + sign[0].length))
    .filter((text) => text.length < value.length && /\p{L}{2}/u.test(text));
}

/** What all these places have in common, gap by gap; nothing where that is nothing. */
function sharingOf(files: readonly GroupedFile[], cuts: RegExp): Sharing | undefined {
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

/** `1-3`, `2`, `1,3`. */
function numbersOf(gaps: readonly number[]): string {
  const [first = 0] = gaps;
  const last = gaps.at(-1) ?? first;
  return gaps.length > 1 && last - first === gaps.length - 1 ? `${first}-${last}` : gaps.join(",");
}

interface Part {
  readonly before: string;
  readonly after: string;
  /** Whether nothing is left beside that. */
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
