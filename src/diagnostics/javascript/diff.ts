/** The expected and the received value of a failed assertion, as text. */
export interface Sides {
  readonly expected: string;
  readonly received: string;
}

export interface DiffMarks {
  readonly expected: string;
  readonly received: string;
}

/**
 * Maximum number of lines of a diff that is shown completely; of a longer one only the changes are shown, with one line
 * of context.
 */
const WHOLE = 16;

/**
 * Splits a unified diff, whose lines start with a marker or the same number of blanks, into the expected and received text. Returns undefined if no
 * line differs.
 */
export function diffSides(lines: readonly string[], marks: DiffMarks): Sides | undefined {
  const body = trimBlank(lines);
  const changed = body.map((line) => line.startsWith(marks.expected) || line.startsWith(marks.received));
  if (!changed.includes(true)) return undefined;
  const kept = (index: number): boolean =>
    body.length <= WHOLE || changed.slice(Math.max(0, index - 1), index + 2).includes(true);
  const side = (own: string, other: string): string => {
    const out: string[] = [];
    for (const [index, line] of body.entries())
      if (line.startsWith(other)) continue;
      else if (kept(index)) out.push(unmark(line, own));
      else if (out.at(-1) !== "…") out.push("…");
    return trimBlank(out).join("\n");
  };
  return {
    expected: side(marks.expected, marks.received),
    received: side(marks.received, marks.expected),
  };
}

/** Removes blank lines at the start and the end. */
export function trimBlank(lines: readonly string[]): readonly string[] {
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from]?.trim() === "") from++;
  while (to > from && lines[to - 1]?.trim() === "") to--;
  return lines.slice(from, to);
}

/** Removes the marker (`-` or `+`) at the start of a diff's line and one blank after it. */
function unmark(line: string, mark: string): string {
  if (line.startsWith(mark)) return line.slice(mark.length).replace(/^ /, "");
  return line.startsWith("  ") ? line.slice(2) : line.replace(/^ /, "");
}
