import { contentId } from "../../kernel/ids.ts";
import type { TestFailure } from "../../model/test-summary.ts";

const QUOTES = /^['"]|['"]$/g;
const LINE_NUMBER = /(?::\d+)+$/;
/** Matches a word of a command line that names a file, package or class, and is neither an option nor a pattern. */
const NAMES_PLACE = /^[^-^][^\s]*[./\\][^\s]*$/;

/**
 * Returns the files, packages and classes that may identify a failed test; the one that the runner itself prints comes
 * first.
 */
export function placesOf({ name, kind, file, rerun }: TestFailure): readonly string[] {
  const words = (rerun ?? "")
    .split(/\s+|::|#/)
    .map((word) => word.replaceAll(QUOTES, "").replace(LINE_NUMBER, ""))
    .filter((word) => NAMES_PLACE.test(word));
  const prefix = name.includes("::") ? name.slice(0, name.indexOf("::")) : undefined;
  const all = [...words, prefix ?? "", kind === "suite" ? name : "", file ?? ""];
  return [...new Set(all.filter((one) => one !== ""))];
}

/** Returns a key that distinguishes a failed test from others of its runner: its kind, its name and the location that the runner prints. */
export function identityOf(failure: TestFailure): string {
  const { kind, name, rerun } = failure;
  const [place = ""] = rerun === undefined ? [] : placesOf(failure);
  return [kind, name, place].join("\0");
}

/**
 * Length of a test's key: short enough to store it with every run, long enough that the keys of a few thousand tests do
 * not collide.
 */
const KEY_LENGTH = 10;

/** Returns a key that identifies a test across runs by its name and, if the runner prints one, its file. */
export function testKey(name: string, file = ""): string {
  return contentId(`${file}\0${name}`).slice(0, KEY_LENGTH);
}
