import { shapeOf } from "../../kernel/line-shape.ts";
import { isErrorDetail, isErrorLine, isStackFrame, messageOf } from "./error-lines.ts";

/** A log whose lines are classified as errors, details of errors and repetitions. */
export interface Log {
  readonly lines: readonly string[];
  /** Indexes of the lines with errors that the parsers found. */
  readonly known: ReadonlySet<number>;
  /** Indexes of the lines that report errors, except repetitions. */
  readonly errors: readonly number[];
  /** Indexes of lines that repeat an earlier error; of these, only the location below them may be new. */
  readonly repeatedErrors: readonly number[];
  /** Indexes of lines with details of errors, such as expected values or messages in a report. */
  readonly details: readonly number[];
  /** Maps the index of each repeated line to that of its first occurrence. */
  readonly repeats: ReadonlyMap<number, number>;
}

/** Number of lines with the same content after which further ones count as repeated. */
const MAX_SAME_LINES = 2;
/** Minimum length of a line that can count as repeated; shorter ones are mostly brackets and rules. */
const MIN_REPEAT_LENGTH = 8;

/**
 * Classifies the lines of a log. An error counts as repeated only if it is identical to an earlier one; other lines may
 * differ in their numbers.
 */
export function readLog(lines: readonly string[], causes: readonly string[]): Log {
  const seen = new Map<string, { readonly first: number; count: number }>();
  const repeats = new Map<number, number>();
  const known = linesWith(lines, causes);
  const errors: number[] = [];
  const repeatedErrors: number[] = [];
  const details: number[] = [];
  for (const [index, line] of lines.entries()) {
    const isError = known.has(index) || isErrorLine(messageOf(line));
    if (line.trim().length >= MIN_REPEAT_LENGTH) {
      const key = isError || isStackFrame(line) ? line : shapeOf(line);
      const same = seen.get(key) ?? { first: index, count: 0 };
      seen.set(key, same);
      if (++same.count > MAX_SAME_LINES) repeats.set(index, same.first);
    }
    if (isError) (repeats.has(index) ? repeatedErrors : errors).push(index);
    else if (!repeats.has(index) && isErrorDetail(line)) details.push(index);
  }
  return { lines, known, errors, repeatedErrors, details, repeats };
}

/**
 * Finds the first log line that contains each text. The texts are mostly in the order of the log, so each search starts
 * at the line where the last one succeeded.
 */
function linesWith(lines: readonly string[], texts: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let from = 0;
  for (const text of texts) {
    const at =
      firstWith(text, { lines, from, end: lines.length }) ?? firstWith(text, { lines, from: 0, end: from });
    if (at === undefined) continue;
    found.add(at);
    from = at;
  }
  return found;
}

function firstWith(
  text: string,
  { lines, from, end }: { readonly lines: readonly string[]; readonly from: number; readonly end: number },
): number | undefined {
  for (let line = from; line < end; line++) if (lines[line]?.includes(text) === true) return line;
  return undefined;
}
