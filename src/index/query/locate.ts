import { nearestNames } from "../../kernel/nearest.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { ImportGraph } from "../rank/import-counts.ts";
import { copiesIn } from "../rank/duplicate-trees.ts";
import { DATA_KINDS, definitionWeight, isModuleLine } from "../rank/kind-weights.ts";
import { fitOf } from "./qualified.ts";
import { parseQuery, type RequestedName } from "./query.ts";
import { rolePrior } from "../rank/role-prior.ts";
import type { SymbolBrief } from "../store/record.ts";
import { foldName, partsOfIdentifier } from "../text/terms.ts";
import type { View, ViewFile } from "../live/view.ts";

/** A definition that was found by its name. */
export interface FoundSymbol {
  readonly file: ViewFile;
  /** The number of the file among the searched files. */
  readonly number: number;
  readonly symbol: number;
  readonly match: SymbolMatch;
  /** How exactly the name matches, from 0 to 1; see TIER. */
  readonly tier: number;
  readonly score: number;
  /** How well the definition fits the qualifiers before the name; see FIT. */
  readonly fit: number;
  readonly weight: number;
}

export type SymbolMatch = "exact" | "case_insensitive" | "prefix" | "part";

export interface LocateOptions {
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly accepts?: (file: ViewFile) => boolean;
  readonly imports?: ImportGraph;
}

/** How exactly a name matches, for each type of match. */
export const TIER: Readonly<Record<SymbolMatch, number>> = {
  exact: 1,
  case_insensitive: 0.5,
  prefix: 0.25,
  part: 0.12,
};
/**
 * Match quality of a name in data or prose: below a definition in code with another spelling, above a partial match.
 */
const DATA_TIER = 0.35;
/** Match quality from which the whole name is that of a definition in code, if only in another spelling. */
export const MIN_WHOLE_NAME_TIER = TIER.case_insensitive;
/** Ranking factor for definitions in a file that is a copy of another one. */
const COPY_FACTOR = 0.7;

/**
 * Finds definitions of a name, best first: exact matches and other spellings, or if there are none, names that start
 * with it or contain all its parts.
 */
export function locateSymbols(view: View, name: string, options: LocateOptions = {}): FoundSymbol[] {
  const requested = splitName(name);
  const found = definitionsOf(view, requested, options);
  return found.length > 0 ? found : definitionsLike(view, requested, options);
}

/** Finds definitions whose name starts with the requested one or contains all its parts, best first. */
export function definitionsLike(
  view: View,
  requested: RequestedName,
  options: LocateOptions = {},
): FoundSymbol[] {
  const { found, add } = createCollector(view, requested, options);
  addApproximate(view, requested.name, add);
  return sortByQuality(found);
}

/**
 * Finds definitions with the requested name in any spelling, best first. All features that look up names use this
 * order.
 */
export function definitionsOf(
  view: View,
  requested: RequestedName,
  options: LocateOptions = {},
): FoundSymbol[] {
  const { found, add } = createCollector(view, requested, options);
  const lookUp = (spelled: string): void => {
    const folded = foldName(spelled);
    for (const [segment, { segment: segmentData }] of view.segments.entries()) {
      const index = segmentData.names.folded.indexOf(folded);
      if (index >= 0) add(index, segment);
    }
  };
  for (const spelled of spellingsOf(requested.name)) {
    lookUp(spelled);
    if (found.length > 0) break;
  }
  for (const whole of wholeNamesOf(requested)) lookUp(whole);
  return sortByQuality(found.some(({ fit }) => fit > 0) ? found.filter(({ fit }) => fit > 0) : found);
}

/**
 * Returns the spellings of a name, in the order in which they are looked up. A name that ends with `?` or `!` is also
 * looked up without it: in some languages `empty?` is a name, elsewhere the mark is punctuation. The number sign before
 * a private member of JavaScript may be left out, and that of `Class#method` in Ruby is none; there, `a=` is what assigns
 * to `a`. In Rust, `r#type` is a name although `type` is a keyword.
 */
function spellingsOf(name: string): string[] {
  if (/[!?]$/.test(name)) return [name, name.slice(0, -1)];
  if (name.startsWith("r#")) return [name, name.slice(2)];
  return name.startsWith("#") ? [name, name.slice(1)] : [name, `#${name}`, `r#${name}`, `${name}=`];
}

/** Returns the full names under which a namespace may be defined, in the notations `A.B.C`, `a::b` and `A\\B`. */
function wholeNamesOf({ name, qualifiers }: RequestedName): string[] {
  return qualifiers.length === 0 ? [] : [".", "::", "\\"].map((mark) => [...qualifiers, name].join(mark));
}

function createCollector(view: View, requested: RequestedName, options: LocateOptions) {
  const found: FoundSymbol[] = [];
  const copies = copiesIn(view);
  const spelled = new Set([...spellingsOf(requested.name), ...wholeNamesOf(requested)]);
  const add = (index: number, segment: number, match?: SymbolMatch): void => {
    view.segments[segment]?.segment.names.each(index, (document, symbol) => {
      view.eachFile(segment, document, (number) => {
        const file = view.files[number];
        if (file === undefined || options.accepts?.(file) === false) return;
        const brief = view.documentOf(file).symbols[symbol];
        if (brief === undefined || options.kinds?.has(brief.kind) === false) return;
        const fits = match ?? (spelled.has(brief.name) ? "exact" : "case_insensitive");
        found.push(
          scoreSymbol(view, { file, number, symbol, brief, match: fits, requested, copies, ...options }),
        );
      });
    });
  };
  return { found, add };
}

/** Returns names of definitions that are similar to a name that was not found. */
export function nearestSymbolNames(view: View, name: string, limit = 3): string[] {
  const { name: last } = splitName(name);
  const folded = foldName(last);
  const close = new Map<string, string>();
  const letters = sortedLetters(folded);
  const isNear = (candidate: string): boolean =>
    isSimilar(candidate, folded) ||
    // Swapped letters leave few letter pairs of a short name intact, so names with the same letters also count as
    // similar.
    (candidate.length === folded.length && sortedLetters(candidate) === letters);
  for (const [, { segment, fileOf }] of view.segments.entries()) {
    const { folded: names } = segment.names;
    for (let index = 0; index < names.size; index++) {
      const candidate = names.at(index);
      if (!isNear(candidate)) continue;
      segment.names.each(index, (document, symbol) => {
        if ((fileOf[document] ?? -1) >= 0)
          close.set(candidate, segment.document(document).symbols[symbol]?.name ?? "");
      });
      if (close.size > MAX_SIMILAR_NAMES) break;
    }
  }
  return nearestNames(last, new Set(close.values()), limit);
}

const MAX_SIMILAR_NAMES = 2_000;

function sortedLetters(name: string): string {
  return name.split("").sort().join("");
}

/**
 * Tests quickly, before the edit distance is computed, whether two names have a similar length and most letter pairs in
 * common.
 */
function isSimilar(candidate: string, wanted: string): boolean {
  if (Math.abs(candidate.length - wanted.length) > Math.max(2, wanted.length / 3))
    return wanted.length > 3 && candidate.includes(wanted);
  let shared = 0;
  for (let at = 0; at + 1 < wanted.length; at++) if (candidate.includes(wanted.slice(at, at + 2))) shared++;
  return shared * 2 >= wanted.length - 1;
}

/** Matches a private member of JavaScript and a keyword of Rust as a name, `r#type`, alone or after what contains it. */
const PRIVATE_NAME = /(?:^|\.|::)(?<name>r?#[\p{ID_Start}_$][\p{ID_Continue}$]*)$/u;

function splitName(name: string): RequestedName {
  const spelled = name.trim();
  const hidden = PRIVATE_NAME.exec(spelled)?.groups?.["name"];
  const parsed = parseQuery(name).symbol;
  if (parsed !== undefined) return hidden === undefined ? parsed : { ...parsed, name: hidden };
  const words = spelled.split(/\s+|::|\.|->|#/).filter((word) => word !== "");
  return {
    name: hidden ?? words.at(-1) ?? name,
    qualifiers: /\s/.test(spelled) ? [] : words.slice(-2, -1),
  };
}

function addApproximate(
  view: View,
  name: string,
  add: (index: number, segment: number, match: SymbolMatch) => void,
): void {
  const folded = foldName(name);
  const parts = partsOfIdentifier(name);
  if (folded.length < 2) return;
  for (const [
    segment,
    {
      segment: {
        names: { folded: names },
      },
    },
  ] of view.segments.entries()) {
    for (
      let index = names.lowerBound(folded);
      index < names.size && names.at(index).startsWith(folded);
      index++
    )
      add(index, segment, "prefix");
    if (parts.length < 2 && folded.length < 5) continue;
    for (let index = 0; index < names.size; index++) {
      const candidate = names.at(index);
      if (!candidate.startsWith(folded) && parts.every((part) => candidate.includes(part)))
        add(index, segment, "part");
    }
  }
}

/** Ranking factor for definitions of another kind than the requested one. */
const OTHER_KIND_FACTOR = 0.3;
/** Ranking factor for a name with more or fewer leading underscores than the requested one. */
const OTHER_PREFIX_FACTOR = 0.8;
/** Ranking factor for a definition in a file that is named like it. */
const OWN_FILE_FACTOR = 1.15;

interface Weighed extends LocateOptions {
  readonly file: ViewFile;
  readonly number: number;
  readonly symbol: number;
  readonly brief: SymbolBrief;
  readonly match: SymbolMatch;
  readonly requested: RequestedName;
  readonly copies: ReadonlySet<ViewFile>;
}

function scoreSymbol(view: View, found: Weighed): FoundSymbol {
  const { file, number, symbol, brief, match, requested } = found;
  const { symbols, generated } = view.documentOf(file);
  const fit = fitOf(requested, { symbols, brief, file });
  const weight = definitionWeight(brief, symbols);
  const importers = found.imports?.importers(file.path) ?? 0;
  const prior = rolePrior(file, { generated, importers });
  const kind = requested.kinds?.has(brief.kind) === false ? OTHER_KIND_FACTOR : 1;
  const marked = prefixLength(brief.name) === prefixLength(requested.name) ? 1 : OTHER_PREFIX_FACTOR;
  const own = file.facts.foldedStem === foldName(brief.name) ? OWN_FILE_FACTOR : 1;
  const score = weight * prior * kind * own * marked * (found.copies.has(file) ? COPY_FACTOR : 1);
  const tier = tierOf(found, own > 1 && isOutermost(brief, symbols));
  return { file, number, symbol, match, tier, score, fit, weight };
}

/**
 * Match quality for a plain lower-case word that exactly matches a field or a definition in a test. It is lower than
 * that of a type with its own file, in another spelling, because such a word more likely means the type.
 */
const DETAIL_TIER = 0.6;
const OWN_FILE_TIER = 0.65;
const PLAIN_WORD = /^\p{Ll}+$/u;

function tierOf({ brief, match, requested, file, kinds }: Weighed, hasOwnFile: boolean): number {
  const isData = kinds === undefined && DATA_KINDS.has(brief.kind);
  const isAnyKind = requested.kinds === undefined && kinds === undefined;
  if (isData || (isModuleLine(brief) && isAnyKind)) return Math.min(DATA_TIER, TIER[match]);
  const isPlain =
    requested.qualifiers.length === 0 && requested.path === undefined && PLAIN_WORD.test(requested.name);
  if (!isPlain || !isAnyKind) return TIER[match];
  const isTestOrExample = file.facts.role.test || file.facts.role.example;
  if (match === "exact") return isTestOrExample || DETAILS.has(brief.kind) ? DETAIL_TIER : TIER.exact;
  const isLikelyType = hasOwnFile && !isTestOrExample && TYPES.has(brief.kind);
  return match === "case_insensitive" && isLikelyType ? OWN_FILE_TIER : TIER[match];
}

/** Returns true if the definition is enclosed only by modules and namespaces. */
function isOutermost({ parent }: SymbolBrief, symbols: readonly SymbolBrief[]): boolean {
  for (let at = parent; at >= 0; at = symbols[at]?.parent ?? -1) {
    const kind = symbols[at]?.kind;
    if (kind !== "module" && kind !== "namespace") return false;
  }
  return true;
}

const DETAILS: ReadonlySet<SymbolKind> = new Set(["property", "field", "variant"]);
const TYPES: ReadonlySet<SymbolKind> = new Set(["class", "struct", "interface", "trait", "enum", "type"]);

/** Counts leading `_` and `$`: names that differ in these are different names, not spellings of the same one. */
function prefixLength(name: string): number {
  return /^[_$]*/.exec(name)?.[0].length ?? 0;
}

/**
 * Sorts found definitions by how exactly their name matches, then by fit and score, so that exact matches come first.
 */
function sortByQuality(found: FoundSymbol[]): FoundSymbol[] {
  return found.sort(
    (a, b) =>
      b.tier - a.tier ||
      b.fit - a.fit ||
      b.score - a.score ||
      (a.file.path < b.file.path ? -1 : a.file.path > b.file.path ? 1 : a.symbol - b.symbol),
  );
}
