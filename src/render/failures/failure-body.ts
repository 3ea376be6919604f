import { pluralize } from "../../kernel/pluralize.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { lineDifference } from "./line-difference.ts";
import type { Density } from "../list/density.ts";

/**
 * The details of a failed test: the statement that failed, the message unless it only repeats the values, and the
 * expected and received values.
 */
export function failureBody(failure: TestFailure, density: Density): string[] {
  const { message } = failure;
  const hasMessage = message !== "" && !repeatsOnlyValues(failure);
  return [
    ...sourceLines(failure),
    ...(hasMessage ? shownMessage(message, density).split("\n") : []),
    ...valueLines(failure),
  ].map(shortened);
}

/** Longer lines, such as whole documents that a test compares, are cut. */
const MAX_LINE_LENGTH = 500;
/** What is shown of two long values before the place where they differ. */
const LENGTH_BEFORE_DIFFERENCE = 80;

function shortened(line: string): string {
  const hidden = line.length - MAX_LINE_LENGTH;
  // The mark itself has about forty characters.
  return hidden < 40 ? line : `${line.slice(0, MAX_LINE_LENGTH)}… (+${hidden} characters, in the log)`;
}

/** The statement that failed; nothing if the message and the values below it repeat all of its words. */
function sourceLines({ source, message, expected = "", received = "" }: TestFailure): string[] {
  if (source === undefined) return [];
  const known = new Set(["assert", ...wordsOf([message, expected, received].join("\n"))]);
  return wordsOf(source).every((word) => known.has(word)) ? [] : `> ${source}`.split("\n");
}

/** Writes expected lines with a minus and received lines with a plus; lines that both have are written once. */
function valueLines({ expected, received }: TestFailure): string[] {
  // If both values have the same text, they differ in something invisible, and both are shown.
  if (expected !== undefined && received !== undefined && expected !== received) {
    const hidden = sameStart(expected, received);
    const cut = (text: string): string[] =>
      (hidden === 0 ? text : `(same ${hidden} characters) ${text.slice(hidden)}`).split("\n");
    return lineDifference(cut(expected), cut(received));
  }
  return [...marked(expected, "-"), ...marked(received, "+")];
}

/** The number of characters that need not be shown of two long values on one line, because both begin with them. */
function sameStart(one: string, other: string): number {
  if (Math.max(one.length, other.length) <= MAX_LINE_LENGTH || /\n/.test(one + other)) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same <= 2 * LENGTH_BEFORE_DIFFERENCE ? 0 : same - LENGTH_BEFORE_DIFFERENCE;
}

function marked(text: string | undefined, mark: string): string[] {
  return text === undefined ? [] : text.split("\n").map((line) => `${mark}${line}`);
}

/** How many lines of a long failure message are kept from its beginning and its end. */
const WHOLE = { first: 14, last: 6 };
/** How many lines of a long failure message are kept if the list of failures is too long to be read through. */
const BRIEF = { first: 5, last: 1 };

function shownMessage(message: string, density: Density): string {
  const lines = message.split("\n");
  return density !== "whole" ? clipped(withoutRepeats(lines), BRIEF) : clipped(lines, WHOLE);
}

function clipped(lines: readonly string[], size: typeof WHOLE): string {
  const hidden = lines.length - size.first - size.last;
  if (hidden < 2) return lines.join("\n");
  const gap = `… ${hidden} lines, in the log`;
  return [...lines.slice(0, size.first), gap, ...lines.slice(-size.last)].join("\n");
}

/**
 * Keeps the lines of a failure message that contain a new word. The others, which test runners print to compare two
 * values, are only counted.
 */
function withoutRepeats(lines: readonly string[]): string[] {
  const known = new Set<string>(ASSERTION_WORDS);
  const kept: string[] = [];
  let hidden = 0;
  const close = (): void => {
    if (hidden > 0) kept.push(`… ${pluralize(hidden, "line")}`);
    hidden = 0;
  };
  for (const line of lines) {
    const words = wordsOf(line);
    const isNews = words.some((word) => !known.has(word) && !/^\d{1,3}$/.test(word));
    if (kept.length === 0 || isNews) {
      close();
      kept.push(line);
    } else if (words.length > 0) hidden++;
    for (const word of words) known.add(word);
  }
  close();
  return kept;
}

/** Words that the messages of assertions contain besides the expected and the received value. */
const ASSERTION_WORDS = new Set(
  `assert assertion assertionerror error expected received actual expect to be equal equals tobe toequal tostrictequal deeply strictly
  strict deep equality values loosely but got was were is same as left right failed and object objectis expected-to-be a an the of
  lists tuples sets dicts sequences differ first second differing element list tuple sequence contains additional elements extra`.split(
    /\s+/,
  ),
);

/** Checks whether a failure message says nothing but the expected and received values, in any notation. */
function repeatsOnlyValues({ message, expected, received }: TestFailure): boolean {
  if (expected === undefined || received === undefined || expected === received) return false;
  const known = new Set([...wordsOf(expected), ...wordsOf(received)]);
  return wordsOf(message).every((word) => ASSERTION_WORDS.has(word) || known.has(word));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
