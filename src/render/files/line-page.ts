import type { Budget } from "../../kernel/budget.ts";
import { countCharacters } from "../../kernel/characters.ts";
import type { HiddenText } from "../../model/run.ts";

/** The shown part of a numbered line of a file or a log. */
export interface PageLine {
  readonly number: number;
  readonly text: string;
  /** The column at which `text` begins (default: 1). */
  readonly column?: number;
  readonly hidden?: HiddenText;
}

/** A position in numbered lines. Without a column it is the beginning of the line. */
export interface LinePlace {
  readonly line: number;
  readonly column?: number;
}

export interface LinePage<L> {
  readonly shown: readonly L[];
  /**
   * The position at which the next page begins: inside the last shown line or at the line after it. It is absent if all
   * lines are shown.
   */
  readonly next?: LinePlace;
}

/** Returns the lines that fit into the budget. If not even the first one fits, its beginning is returned. */
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

/** The column at which the rest of a truncated line begins. */
export function endColumn({ text, column = 1, hidden }: PageLine): number {
  return hidden?.isOfParsedText === true ? 1 : column + countCharacters(text);
}

/**
 * The text of a line. If characters are left out at its end, their number is added, with the call that shows them if
 * there is one.
 */
export function withCutMark(line: PageLine, handle?: (line: PageLine) => string): string {
  if (line.hidden === undefined) return line.text;
  const { characters, bound } = line.hidden;
  const about = bound === undefined ? "" : bound === "most" ? "up to " : "at least ";
  const rest = handle === undefined ? "" : `: ${handle(line)}`;
  return `${line.text}… (+${about}${characters} characters${rest})`;
}
