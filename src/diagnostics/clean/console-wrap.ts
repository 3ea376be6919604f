/** A line and its number in the log. */
export interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/** What stands in every log where PowerShell made records of a program's error stream. */
export const RECORD_MARK = "+ CategoryInfo";

const NAMED = /^[\w.+-]{1,60} : (?=.)/;
const AT_LINE =
  /^(?:At line:\d+ char:\d+|At .+:\d+ char:\d+|In Zeile:\d+ Zeichen:\d+|Au caractère Ligne:\d+|En línea: ?\d+|所在位置 |発生場所 |строка:\d+|In riga:\d+)/;
const CATEGORY = /^\s*\+ CategoryInfo\b/;
const LAST_OF_RECORD = /^\s*\+ FullyQual/;
/** The first line of a record may be broken into as many, on a narrow console. */
const MAX_LEAD = 40;
/** A record is about ten lines, more on a narrow console; beyond this it is something else. */
const MAX_RECORD = 60;

/**
 * Undoes what PowerShell does to a program's error stream: the first line carries the program's name and a record below it,
 * and lines are broken at the console's width. The width is known from the record, which is broken there as well.
 */
export class ConsoleWrap {
  /** Lines since one that begins with a program's name, until it is clear whether a record follows. */
  #lead: NumberedLine[] = [];
  /** The lines of an open record. */
  #record: NumberedLine[] | undefined;
  #width: number | undefined;
  /** A line that may go on in the next, and its end as it stood in the log. */
  #held: NumberedLine | undefined;
  #last = "";
  readonly #joined: boolean;

  /** `joined` says that the lines were put together before: only the records are left to take out. */
  constructor(joined = false) {
    this.#joined = joined;
  }

  /** Takes a line; gives back the lines that are whole. */
  push(text: string, number: number): readonly NumberedLine[] {
    const line = { text, number };
    if (this.#record !== undefined) return this.#inRecord(this.#record, line);
    if (this.#lead.length > 0) return this.#afterName(line);
    if (!NAMED.test(text)) return this.#plain(line);
    const before = this.#release();
    this.#lead = [line];
    return before;
  }

  /** The lines that still wait for what follows them. */
  end(): readonly NumberedLine[] {
    const waiting = [...this.#lead, ...(this.#record ?? [])];
    this.#lead = [];
    this.#record = undefined;
    return [...this.#release(), ...waiting];
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
    return lead.flatMap((one) => this.#plain(one));
  }

  /** Nothing in a record is the program's own; what turns out to be none is given back. */
  #inRecord(record: NumberedLine[], line: NumberedLine): readonly NumberedLine[] {
    const last = record.at(-1);
    const ended = record.some((one) => LAST_OF_RECORD.test(one.text));
    if (last !== undefined && CATEGORY.test(last.text) && !/^\s*\+ /.test(line.text))
      this.#width = last.text.length;
    if (ended && line.text.trim() === "") {
      this.#record = undefined;
      return [];
    }
    record.push(line);
    if (record.length <= MAX_RECORD) return [];
    this.#record = undefined;
    return record;
  }

  #plain(line: NumberedLine): readonly NumberedLine[] {
    if (this.#joined) return [line];
    const held = this.#held;
    const joined = held === undefined ? undefined : this.#join(held, line.text);
    const before = held !== undefined && joined === undefined ? [held] : [];
    const whole = joined ?? line;
    const width = this.#width;
    const open = width !== undefined && (line.text.length >= width || line.text.endsWith(" "));
    this.#held = open ? whole : undefined;
    this.#last = line.text;
    return open ? before : [...before, whole];
  }

  #release(): NumberedLine[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [held];
  }

  /** The held line with its rest, where it was broken: in the middle of a word, or before one that did not fit. */
  #join(held: NumberedLine, text: string): NumberedLine | undefined {
    const width = this.#width;
    if (width === undefined || text === "") return undefined;
    const whole = { text: held.text + text, number: held.number };
    // What is indented is a line of its own, after one that fills the width by chance.
    if (!this.#last.endsWith(" "))
      return this.#last.length >= width && !text.startsWith("  ") ? whole : undefined;
    const word = /^\S+/.exec(text)?.[0] ?? "";
    return word !== "" && this.#last.trimEnd().length + word.length >= width - 1 ? whole : undefined;
  }
}
