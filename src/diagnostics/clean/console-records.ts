/** A line and its number in the log. */
export interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/** What stands in every log where PowerShell made records of a program's error stream. */
export const RECORD_MARK = "+ CategoryInfo";

const NAMED = /^(?:\.{0,2}[\\/])?[\w.+-]{1,60}(?:[\\/][\w.+-]{1,60}){0,8} : (?=.)/;
const AT_LINE =
  /^(?:At line:\d+ char:\d+|At .+:\d+ char:\d+|In Zeile:\d+ Zeichen:\d+|Au caractère Ligne:\d+|En línea: ?\d+|所在位置 |発生場所 |строка:\d+|In riga:\d+)/;
const LAST_OF_RECORD = /^\s*\+ FullyQual/;
/** The first line of a record may be broken into as many, on a narrow console. */
const MAX_LEAD = 40;
/** A record is about ten lines, more on a narrow console; beyond this it is something else. */
const MAX_RECORD = 60;

/**
 * Takes out what PowerShell makes of a program's error stream: the first line carries the program's name, and a record stands below it. The
 * lines it breaks are put together before (see wrapped.ts).
 */
export class ConsoleRecords {
  /** Lines since one that begins with a program's name, until it is clear whether a record follows. */
  #lead: NumberedLine[] = [];
  /** The lines of an open record. */
  #record: NumberedLine[] | undefined;

  /** Takes a line; gives back the lines that are whole. */
  push(text: string, number: number): readonly NumberedLine[] {
    const line = { text, number };
    if (this.#record !== undefined) return this.#inRecord(this.#record, line);
    if (this.#lead.length > 0) return this.#afterName(line);
    if (!NAMED.test(text)) return [line];
    this.#lead = [line];
    return [];
  }

  /** The lines that still wait for what follows them. */
  end(): readonly NumberedLine[] {
    const waiting = [...this.#lead, ...(this.#record ?? [])];
    this.#lead = [];
    this.#record = undefined;
    return waiting;
  }

  #afterName(line: NumberedLine): readonly NumberedLine[] {
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

  /** Nothing in a record is the program's own; what turns out to be none is given back. */
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
