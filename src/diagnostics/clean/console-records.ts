/** A line with its number in the log. */
export interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/** Text that occurs in every log in which PowerShell wrapped a program's error stream in error records. */
export const RECORD_MARK = "+ CategoryInfo";

const NAMED = /^(?:\.{0,2}[\\/])?[\w.+-]{1,60}(?:[\\/][\w.+-]{1,60}){0,8} : (?=.)/;
const AT_LINE =
  /^(?:At line:\d+ char:\d+|At .+:\d+ char:\d+|In Zeile:\d+ Zeichen:\d+|Au caractère Ligne:\d+|En línea: ?\d+|所在位置 |発生場所 |строка:\d+|In riga:\d+)/;
const LAST_OF_RECORD = /^\s*\+ FullyQual/;
/** Upper bound on the parts into which a narrow console may break the first line of an error record. */
const MAX_LEAD = 40;
/**
 * Upper bound on the lines of an error record. It usually has about ten, and more on a narrow console; anything longer
 * is not a record.
 */
const MAX_RECORD = 60;

/**
 * Removes the error records that PowerShell makes of a program's error stream: the first line carries the program's name, and the record follows
 * below it. Lines that the console broke have been joined before (see wrapped.ts).
 */
export class ConsoleRecords {
  /**
   * A line that starts with a program's name and the lines after it, held until it is clear whether an error record
   * follows.
   */
  #lead: NumberedLine[] = [];
  /** The lines of the error record that is being read, if any. */
  #record: NumberedLine[] | undefined;

  /** Adds a line and returns the lines that are complete. */
  push(text: string, number: number): readonly NumberedLine[] {
    const line = { text, number };
    if (this.#record !== undefined) return this.#inRecord(this.#record, line);
    if (this.#lead.length > 0) return this.#readAfterName(line);
    if (!NAMED.test(text)) return [line];
    this.#lead = [line];
    return [];
  }

  /** Returns the lines that are still held. */
  end(): readonly NumberedLine[] {
    const waiting = [...this.#lead, ...(this.#record ?? [])];
    this.#lead = [];
    this.#record = undefined;
    return waiting;
  }

  #readAfterName(line: NumberedLine): readonly NumberedLine[] {
    const lead = this.#lead;
    const [first] = lead;
    if (first !== undefined && AT_LINE.test(line.text)) {
      this.#lead = [];
      this.#record = [line];
      return [
        {
          text: lead
            .map((part) => part.text)
            .join("")
            .replace(NAMED, ""),
          number: first.number,
        },
      ];
    }
    lead.push(line);
    if (lead.length <= MAX_LEAD) return [];
    this.#lead = [];
    return lead;
  }

  /**
   * Holds the lines of an error record and drops them at its end, because none of them is the program's own. If they
   * turn out not to be a record, they are returned.
   */
  #inRecord(record: NumberedLine[], line: NumberedLine): readonly NumberedLine[] {
    const ended = record.some((one) => LAST_OF_RECORD.test(one.text));
    if (ended && line.text.trim() === "") {
      this.#record = undefined;
      return [];
    }
    record.push(line);
    if (record.length <= MAX_RECORD) return [];
    this.#record = undefined;
    return record;
  }
}
