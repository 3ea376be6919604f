import type { LongQuery } from "./long-query.ts";
import { stemOf } from "../text/stems.ts";
import { partsOfIdentifier, termsOfIdentifier } from "../text/terms.ts";
import { abbreviationsOf, STOP_WORDS } from "../text/words.ts";

/** One search term of a query with all its forms, which count as the same term. */
export interface TermGroup {
  /** The words as written in the query, in lower case; these forms have the full weight. */
  readonly exact: readonly string[];
  /** Words with this stem also match, with a lower weight. Whole identifiers have no stem. */
  readonly stem?: string;
  readonly abbreviations: readonly string[];
  /** True for a short form of several query words, such as their initials; these words have groups of their own. */
  readonly isShortForm?: boolean;
  /** True for a whole identifier of several parts; these parts have groups of their own. */
  readonly isWhole: boolean;
  /**
   * Weight of this group compared to the others; above 1 for words in the title of a long text and for repeated words.
   */
  readonly emphasis: number;
}

/** Upper bound on the search terms of a query; more words of a long text would cost time and not improve the result. */
const MAX_GROUPS = 60;
/** Extra weight of a repeated word; it is multiplied by the logarithm of the word's count. */
const REPEAT_EMPHASIS = 0.3;

/** Returns the search terms of a question, each with its forms, including short forms of several words. */
export function shortGroups(words: readonly string[], spoken: readonly string[]): TermGroup[] {
  const groups = groupsOf(words, () => 1).map((group) => finishGroup(group, 1));
  return [...groups.slice(0, MAX_GROUPS), ...shortFormGroups(spoken)];
}

/** Returns the search terms of an issue text (a long query, such as a bug report), most important first. */
export function longGroups({ words, weights }: LongQuery): TermGroup[] {
  return groupsOf(words, (word) => weights.get(word) ?? 0)
    .map((group) => finishGroup(group, group.weight + REPEAT_EMPHASIS * Math.log(group.count)))
    .sort((a, b) => b.emphasis - a.emphasis)
    .slice(0, MAX_GROUPS);
}

interface OpenGroup {
  readonly exact: Set<string>;
  readonly stem?: string;
  readonly abbreviations: Set<string>;
  readonly whole: boolean;
  count: number;
  weight: number;
}

function groupsOf(words: readonly string[], weightOf: (word: string) => number): OpenGroup[] {
  const groups = new Map<string, OpenGroup>();
  const open = (key: string, word: string, stem?: string): OpenGroup => {
    const group = groups.get(key) ?? {
      exact: new Set<string>(),
      ...(stem !== undefined && { stem }),
      abbreviations: new Set<string>(),
      whole: stem === undefined,
      count: 0,
      weight: 0,
    };
    group.count++;
    group.weight = Math.max(group.weight, weightOf(word));
    groups.set(key, group);
    return group;
  };
  for (const word of words) {
    const parts = partsOfIdentifier(word);
    for (const part of parts) {
      const stem = stemOf(part);
      const group = open(stem, word, stem);
      group.exact.add(part);
      for (const other of abbreviationsOf(part)) group.abbreviations.add(other);
    }
    const terms = termsOfIdentifier(word);
    const whole = terms.length > parts.length ? terms.at(-1) : undefined;
    if (whole !== undefined) open(`=${whole}`, word).exact.add(whole);
  }
  return [...groups.values()];
}

function finishGroup({ exact, stem, abbreviations, whole }: OpenGroup, emphasis: number): TermGroup {
  return {
    exact: [...exact],
    ...(stem !== undefined && { stem }),
    abbreviations: [...abbreviations],
    isWhole: whole,
    emphasis,
  };
}

/** Weight of a short form compared to the words it stands for. */
const SHORT_FORM_EMPHASIS = 0.7;

function shortFormGroups(words: readonly string[]): TermGroup[] {
  return shortFormsOf(words.map((word) => word.toLowerCase())).map((word) => ({
    exact: [word],
    stem: word,
    abbreviations: [],
    isShortForm: true,
    isWhole: false,
    emphasis: SHORT_FORM_EMPHASIS,
  }));
}

/** Short names that stand for several words but are not their initials. */
const SHORT_NAMES: readonly (readonly [short: string, long: string])[] = [
  ["regex", "regular expression"],
  ["regexp", "regular expression"],
  ["xss", "cross site scripting"],
  ["mmap", "memory map"],
  ["vdom", "virtual dom"],
  ["fs", "file system"],
  ["os", "operating system"],
  ["cli", "command line"],
  ["gc", "garbage collector"],
  ["gc", "garbage collection"],
  ["ui", "user interface"],
  ["kv", "key value"],
  ["tz", "time zone"],
  ["qs", "query string"],
];

/** Number of words from which their initials count as a short form; those of fewer words are ambiguous. */
const MIN_INITIALS = 3;
const MAX_INITIALS = 5;
/** Stop words whose first letter is nevertheless part of initials, as in "least recently used" and "time to live". */
const SPELLED_OUT: ReadonlySet<string> = new Set(["used", "to", "of", "in", "by", "over", "as"]);

/**
 * Returns short forms of adjacent words: `csrf` for "cross site request forgery", `regex` for "regular expressions".
 */
function shortFormsOf(words: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const text = ` ${words.map((word) => word.replace(/s$/, "")).join(" ")} `;
  for (const [short, long] of SHORT_NAMES) if (text.includes(` ${long} `)) found.add(short);
  for (const run of runsOf(words))
    for (let size = MIN_INITIALS; size <= MAX_INITIALS; size++)
      for (let at = 0; at + size <= run.length; at++) found.add(initialsOf(run.slice(at, at + size)));
  return [...found];
}

function initialsOf(words: readonly string[]): string {
  return words.map((word) => word.charAt(0)).join("");
}

/** Splits the words of a query at stop words and returns the sequences between them. */
function runsOf(words: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  for (const word of words) {
    if (STOP_WORDS.has(word) && !SPELLED_OUT.has(word)) runs.push([]);
    else runs.at(-1)?.push(word);
  }
  return runs;
}
