import type { LongQuery } from "./long-query.ts";
import { stemOf } from "../text/stems.ts";
import { partsOfIdentifier, termsOfIdentifier } from "../text/terms.ts";
import { abbreviationsOf, STOP_WORDS } from "../text/words.ts";

/** One thing that is asked for: a word in all its forms. */
export interface TermGroup {
  /** The words as asked, lower-case: they count fully. */
  readonly exact: readonly string[];
  /** Vocabulary terms with this stem count less; none for whole identifiers. */
  readonly stem?: string;
  readonly abbreviations: readonly string[];
  /** A short form of several words of the query, beside their own groups. */
  readonly isShortForm?: boolean;
  /** A whole identifier of several parts, beside the groups of its parts. */
  readonly whole: boolean;
  /** How much it counts among the others; more than 1 for what a long text says in its title, or again and again. */
  readonly emphasis: number;
}

/** The words in the best places carry an issue text; the rest costs time and adds nothing. */
const MAX_GROUPS = 60;
/** What a repeated word counts more. */
const REPEAT_EMPHASIS = 0.3;

/** What a question asks for, with the short forms of the words that it says. */
export function shortGroups(words: readonly string[], spoken: readonly string[]): TermGroup[] {
  const groups = groupsOf(words, () => 1).map((group) => finishGroup(group, 1));
  return [...groups.slice(0, MAX_GROUPS), ...shortFormGroups(spoken)];
}

/** What an issue text asks for, best first. */
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
    whole,
    emphasis,
  };
}

/** What a short form counts beside the words it stands for. */
const SHORT_FORM_EMPHASIS = 0.7;

function shortFormGroups(words: readonly string[]): TermGroup[] {
  return shortFormsOf(words.map((word) => word.toLowerCase())).map((word) => ({
    exact: [word],
    stem: word,
    abbreviations: [],
    coined: true,
    whole: false,
    emphasis: SHORT_FORM_EMPHASIS,
  }));
}

/** Several words that have a short name other than their initials. */
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

/** Initials of fewer words stand for too much. */
const MIN_INITIALS = 3;
const MAX_INITIALS = 5;
/** Small words that have a letter in initials: least recently used, time to live. */
const SPELLED_OUT: ReadonlySet<string> = new Set(["used", "to", "of", "in", "by", "over", "as"]);

/** Short forms of neighbouring words: `csrf` for cross site request forgery, `regex` for regular expressions. */
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

/** Words that stand beside each other without a small word between them. */
function runsOf(words: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]];
  for (const word of words) {
    if (STOP_WORDS.has(word) && !SPELLED_OUT.has(word)) runs.push([]);
    else runs.at(-1)?.push(word);
  }
  return runs;
}
