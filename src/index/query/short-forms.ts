import { STOP_WORDS } from "../text/words.ts";

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
export function shortFormsOf(words: readonly string[]): readonly string[] {
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
