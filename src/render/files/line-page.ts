import type { Budget } from "../../kernel/budget.ts";
import { countCharacters } from "../../kernel/characters.ts";
import type { HiddenText } from "../../model/run.ts";

/** A numbered line of a file or a log, as far as it is shown. */
export interface PageLine {
  readonly number: number;
  readonly text: string;
  /** The character of the line that `text` begins with; absent: its first. */
  readonly column?: number;
  readonly hidden?: HiddenText;
}

/** A place in numbered lines; without a column, the beginning of the line. */
export interface LinePlace {
  readonly line: number;
  readonly column?: number;
}

export interface LinePage<L> {
  readonly shown: readonly L[];
  /** Where the page broke off: in its last line, or before the next one. Absent where all lines are shown. */
  readonly next?: LinePlace;
}

/** As many lines as the budget holds. Of a first line that is too long by itself, as much as it holds. */
export function pageOf<L extends PageLine>(
  lines: readonly L[],
  budget: Budget,
  write: (line: L) => string,
): LinePage<L> {
  const shown = budget.fit(lines, write);
  const [first] = lines;
  if (shown.length > 0 || first === undefined) return pageUpTo(lines, shown);
  const beginning = (text: string): L => {
    const characters = countCharacters(first.text.slice(text.length)) + (first.hidden?.characters ?? 0);
    return characters === 0 ? first : { ...first, text, hidden: { ...first.hidden, characters } };
  };
  const cut = beginning(budget.fitBeginning(first.text, (text) => write(beginning(text))));
  if (cut.text === first.text) return pageUpTo(lines, [first]);
  return { shown: [cut], next: { line: cut.number, column: endColumn(cut) } };
}

function pageUpTo<L extends PageLine>(lines: readonly L[], shown: readonly L[]): LinePage<L> {
  const next = lines[shown.length];
  return { shown, ...(next === undefined ? {} : { next: placeOf(next) }) };
}

function placeOf({ number, column }: PageLine): LinePlace {
  return { line: number, ...(column === undefined ? {} : { column }) };
}

/** The column that has the rest of a line which is shown in part. */
export function endColumn({ text, column = 1, hidden }: PageLine): number {
  return hidden?.isOfParsedText === true ? 1 : column + countCharacters(text);
}

/** A line's text; what is left out of its end is counted, with the arguments that get it where they are known. */
export function withMark(line: PageLine, handle?: (line: PageLine) => string): string {
  if (line.hidden === undefined) return line.text;
  const { characters, bound } = line.hidden;
  const about = bound === undefined ? "" : bound === "most" ? "up to " : "at least ";
  const rest = handle === undefined ? "" : `: ${handle(line)}`;
  return `${line.text}… (+${about}${characters} characters${rest})`;
}
