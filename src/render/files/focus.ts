import { shapeOf } from "../../kernel/line-shape.ts";
import type { PruningOutcome, PruningReason } from "../../model/pruning.ts";

/** A range of lines that are left out, both ends included. */
export interface Gap {
  readonly start: number;
  readonly end: number;
}

export type Row<L> = { readonly line: L; readonly isFirst: boolean } | { readonly gap: Gap };

/**
 * Adds the gaps before, between and after the shown lines, so that lines and gaps together cover the whole range. A gap
 * ends at each of the `breaks`.
 */
export function withGaps<L extends { readonly number: number }>(
  shown: readonly L[],
  { start: first, end: last }: Gap,
  breaks: ReadonlySet<number> = new Set(),
): Row<L>[] {
  const rows: Row<L>[] = [];
  let next = first;
  const addGaps = (end: number): void => {
    for (let line = next; line <= end; line++) {
      if (line < end && !breaks.has(line)) continue;
      rows.push({ gap: { start: next, end: line } });
      next = line + 1;
    }
  };
  for (const line of shown) {
    const isFirst = rows.length === 0 || line.number > next;
    addGaps(line.number - 1);
    rows.push({ line, isFirst });
    next = line.number + 1;
  }
  addGaps(last);
  return rows;
}

/** Distance of the numbered lines in a run of shown lines. */
const LINES_PER_NUMBER = 10;

/**
 * Returns true if a kept line is written with its number: the first of a run and every tenth. The others are counted
 * from them, because a number on each line would cost more than the gaps.
 */
export function hasNumber(number: number, isFirst: boolean): boolean {
  return isFirst || number % LINES_PER_NUMBER === 0;
}

/** Writes a kept line with its number, or with a bar that shows where the text begins. */
export function numberedLine(number: number | undefined, text: string): string {
  return number === undefined ? `| ${text}` : `${number}| ${text}`;
}

/** Consecutive shown lines as one text. */
interface Part {
  readonly start_line: number;
  readonly end_line: number;
  readonly content: string;
}

/**
 * Writes lines and gaps as JSON fields: each run of consecutive lines as one text with its line numbers, and the ranges
 * left out.
 */
export function partsOf<L extends { readonly number: number }>(
  rows: readonly Row<L>[],
  write: (line: L) => string,
  aboutGap: (gap: Gap) => object = () => ({}),
): { readonly parts: readonly Part[]; readonly left_out: readonly object[] } {
  const parts: Part[] = [];
  const leftOut: object[] = [];
  for (const row of rows) {
    if ("gap" in row) {
      leftOut.push({ start_line: row.gap.start, end_line: row.gap.end, ...aboutGap(row.gap) });
      continue;
    }
    const { number } = row.line;
    const last = parts.at(-1);
    if (last === undefined || last.end_line + 1 < number)
      parts.push({ start_line: number, end_line: number, content: write(row.line) });
    else
      parts[parts.length - 1] = { ...last, end_line: number, content: `${last.content}\n${write(row.line)}` };
  }
  return { parts, left_out: leftOut };
}

/** The lines that the pruner kept; all lines if the pruner was not used or failed. */
export function keptLines<L extends { readonly number: number }>(
  lines: readonly L[],
  { kept }: Pick<PruningOutcome, "kept">,
): readonly L[] {
  if (kept === undefined) return lines;
  return lines.filter(({ number }) => kept.some(([start, end]) => number >= start && number <= end));
}

/** The most names of definitions that are listed for a gap (a range of left-out lines), as a small outline of it. */
const NAMES_PER_GAP = 4;
const DECLARATION =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+|async\s+|pub(?:\([a-z]+\))?\s+|unsafe\s+|override\s+)*(?:class|def|function\*?|func|fn|interface|struct|enum|trait|impl|type|module|namespace|record|object|sub|macro_rules!)\s+(?:\([^)]{1,80}\)\s*)?([A-Za-z_$][\w$.:]*)/;

/** The names of the definitions in the given lines, which are left out of a reply. */
export function namesIn(lines: readonly string[]): string {
  return firstNames(lines.flatMap((line) => declaredName(line) ?? []));
}

/** The name of the definition that begins on a line. */
export function declaredName(line: string): string | undefined {
  return DECLARATION.exec(line.slice(0, 300))?.[1];
}

/** The first names of a gap and the number of the others. */
export function firstNames(names: readonly string[]): string {
  const more = names.length > NAMES_PER_GAP ? ` and ${names.length - NAMES_PER_GAP} more` : "";
  return `${names.slice(0, NAMES_PER_GAP).join(", ")}${more}`;
}

/**
 * Says which shown line most of the left-out lines of a log repeat. `shown` maps the shape of each shown line (its text
 * with all numbers masked) to its line number.
 */
export function repeatsIn(lines: readonly string[], shown: ReadonlyMap<string, number>): string {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const shape = shapeOf(line);
    if (shape.trim() !== "" && shown.has(shape)) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const [shape, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0]);
  return count * 2 > lines.length ? `${count} like line ${shown.get(shape)}` : "";
}

/** Writes the mark for left-out lines: their range, which a caller can ask for, and what they contain. */
export function gapMark({ start, end }: Gap, about: string): string {
  return `… ${start}-${end}${about === "" ? "" : `: ${about}`}`;
}

/**
 * Says in one line what pruning did, with the call that shows left-out lines A to B. There is no such line if no
 * question was asked or the text was too short to prune.
 */
export function focusNote(outcome: PruningOutcome, shown = 0, rest = ""): string | undefined {
  if (outcome.applied)
    return `[focus: ${shown} of ${outcome.lines_before} lines; … A-B is left out: ${rest}]`;
  if (outcome.reason === "no_question" || outcome.reason === "too_small") return undefined;
  if (!outcome.attempted && outcome.fallback === true)
    return "[not focused: the pruner failed again and again and is paused]";
  const { error, reason } = outcome;
  return `[not focused: ${error ?? (reason === undefined ? "no reason was given" : REASONS[reason])}]`;
}

const REASONS: Readonly<Record<PruningReason, string>> = {
  no_question: "no question was asked",
  disabled_or_unconfigured: "pruning is switched off",
  input_too_large: "the text is too large",
  too_small: "the text is short",
  nothing_relevant: "no line is about the question; try the words that the code uses",
};
