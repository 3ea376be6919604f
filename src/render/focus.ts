import { shapeOf } from "../kernel/line-shape.ts";
import type { PruningOutcome } from "../model/pruning.ts";

/** A stretch of lines that is shown, or one that is left out. */
export interface Stretch {
  readonly shown: boolean;
  readonly start: number;
  readonly end: number;
}

/** How many names of left-out definitions a gap mentions: a small outline of what is behind it. */
const NAMES_IN_A_GAP = 4;
const DECLARATION =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+|async\s+|pub(?:\([a-z]+\))?\s+|unsafe\s+|override\s+)*(?:class|def|function\*?|func|fn|interface|struct|enum|trait|impl|type|module|namespace|record|object|sub|macro_rules!)\s+(?:\([^)]{1,80}\)\s*)?([A-Za-z_$][\w$.:]*)/;

/** Lines from `first` to `last` as what is shown and what is not, in order. */
export function stretchesOf(
  kept: NonNullable<PruningOutcome["kept"]>,
  first: number,
  last: number,
): Stretch[] {
  const stretches: Stretch[] = [];
  let next = first;
  for (const [start, end] of kept) {
    if (start > next) stretches.push({ shown: false, start: next, end: start - 1 });
    stretches.push({ shown: true, start, end });
    next = end + 1;
  }
  if (next <= last) stretches.push({ shown: false, start: next, end: last });
  return stretches;
}

/** The mark of a gap: its range, which is what to ask for, and the definitions in it. */
export function gapMark({ start, end }: Stretch, lines: readonly string[]): string {
  const names = lines.flatMap((line) => DECLARATION.exec(line.slice(0, 300))?.[1] ?? []);
  const shown = names.slice(0, NAMES_IN_A_GAP).join(", ");
  const more = names.length > NAMES_IN_A_GAP ? ` and ${names.length - NAMES_IN_A_GAP} more` : "";
  return `… ${start}-${end}${shown === "" ? "" : `: ${shown}${more}`}`;
}

/**
 * The mark of a gap in a log: its range and, where most of its lines repeat one that was shown before, which. `shown` says
 * for each shape of a shown line where it stands.
 */
export function logGapMark(
  { start, end }: Stretch,
  lines: readonly string[],
  shown: ReadonlyMap<string, number>,
): string {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const shape = shapeOf(line);
    if (shape.trim() !== "" && shown.has(shape)) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const [shape, count] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ["", 0]);
  const alike = count * 2 > lines.length ? `: ${count} like line ${shown.get(shape)}` : "";
  return `… ${start}-${end}${alike}`;
}

/** One short line on what focusing did; nothing when no question was asked or the text was short anyway. */
export function focusNote(outcome: PruningOutcome): string | undefined {
  if (outcome.applied)
    return `[focus: ${outcome.lines_after} of ${outcome.lines_before} lines; … marks what is left out]`;
  if (outcome.reason === "no_question" || outcome.reason === "too_small") return undefined;
  return `[not focused: ${outcome.error ?? outcome.reason}]`;
}
