import { shapeOf } from "../../kernel/line-shape.ts";
import { isComplaint, isDetail, isFrame, textOf } from "./complaints.ts";

/** What a log says, line by line. */
export interface Log {
  readonly lines: readonly string[];
  /** The lines that say what went wrong, each different one. */
  readonly complaints: readonly number[];
  /** Complaints in words that were shown before: only where they point is new. */
  readonly again: readonly number[];
  /** Lines that tell more about what went wrong: what was expected, the message in a report. */
  readonly details: readonly number[];
  /** For each line that repeats an earlier one, the first that said it. */
  readonly repeats: ReadonlyMap<number, number>;
}

/** Of lines that say the same, so many are shown. */
const SAME_SHOWN = 2;
/** Shorter lines are brackets and rules: no one counts them. */
const SHORTEST_REPEAT = 8;

/** Reads a log once. Complaints repeat only word for word: with another number it is another place. */
export function readLog(lines: readonly string[], causes: readonly string[]): Log {
  const seen = new Map<string, { readonly first: number; count: number }>();
  const repeats = new Map<number, number>();
  const known = linesWith(lines, causes);
  const complaints: number[] = [];
  const again: number[] = [];
  const details: number[] = [];
  for (const [index, line] of lines.entries()) {
    const complains = known.has(index) || isComplaint(textOf(line));
    if (line.trim().length >= SHORTEST_REPEAT) {
      const key = complains || isFrame(line) ? line : shapeOf(line);
      const same = seen.get(key) ?? { first: index, count: 0 };
      seen.set(key, same);
      if (++same.count > SAME_SHOWN) repeats.set(index, same.first);
    }
    if (complains) (repeats.has(index) ? again : complaints).push(index);
    else if (!repeats.has(index) && isDetail(line)) details.push(index);
  }
  return { lines, complaints, again, details, repeats };
}

/** The first line that holds each text. They mostly come in the order of the log: each search goes on where the last ended. */
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
