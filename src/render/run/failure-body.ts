import { pluralize } from "../../kernel/pluralize.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { lineDifference } from "./line-difference.ts";
import type { Density } from "../list/density.ts";

/** What a failed test says: its message, where that is more than the two values, and these. */
export function failureBody(failure: TestFailure, density: Density): string[] {
  const { message } = failure;
  const says = message !== "" && !saysOnlyValues(failure);
  return [
    ...sourceLines(failure),
    ...(says ? shownMessage(message, density).split("\n") : []),
    ...valueLines(failure),
  ];
}

/** The statement that failed, unless all that it says is said again below it. */
function sourceLines({ source, message, expected = "", received = "" }: TestFailure): string[] {
  if (source === undefined) return [];
  const known = new Set(["assert", ...wordsOf([message, expected, received].join("\n"))]);
  return wordsOf(source).every((word) => known.has(word)) ? [] : `> ${source}`.split("\n");
}

/** Expected with a minus, received with a plus; lines that both have stand once. */
function valueLines({ expected, received }: TestFailure): string[] {
  // Two values that read alike differ in what cannot be read: both are shown.
  if (expected !== undefined && received !== undefined && expected !== received)
    return lineDifference(expected.split("\n"), received.split("\n"));
  return [...marked(expected, "-"), ...marked(received, "+")];
}

function marked(text: string | undefined, mark: string): string[] {
  return text === undefined ? [] : text.split("\n").map((line) => `${mark}${line}`);
}

/** A test that prints hundreds of lines says what matters at their beginning or at their end. */
const WHOLE = { first: 14, last: 6 };
/** In a list so long that nobody reads it through. */
const BRIEF = { first: 5, last: 1 };

function shownMessage(message: string, density: Density): string {
  const lines = message.split("\n");
  return density === "brief" ? clipped(withoutRepeats(lines), BRIEF) : clipped(lines, WHOLE);
}

function clipped(lines: readonly string[], size: typeof WHOLE): string {
  const hidden = lines.length - size.first - size.last;
  if (hidden < 2) return lines.join("\n");
  const gap = `… ${hidden} lines, in the log`;
  return [...lines.slice(0, size.first), gap, ...lines.slice(-size.last)].join("\n");
}

/** The lines that hold a word which none before them has; the others, which runners print to compare two values, are counted. */
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

/** Words that an assertion's message is made of beside the two values. */
const ASSERTION_WORDS = new Set(
  `assert assertion assertionerror error expected received actual expect to be equal equals tobe toequal tostrictequal deeply strictly
  strict deep equality values loosely but got was were is same as left right failed and object objectis expected-to-be a an the of
  lists tuples sets dicts sequences differ first second differing element list tuple sequence contains additional elements extra`.split(
    /\s+/,
  ),
);

/** Whether the message says nothing beyond the expected and received values, however it writes them. */
function saysOnlyValues({ message, expected, received }: TestFailure): boolean {
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
