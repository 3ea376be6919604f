import { rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readSmallFile } from "../kernel/files/small-file.ts";

/** Matches a character next to a path that would make the path part of a longer name. */
const NAME = String.raw`[\w.-]`;

/** Replaces the folder `from` by `to` wherever a text names it or a path below it. */
export function pathTranslator(from: string, to: string): (text: string) => string {
  // The root of the file system is left alone: it is a prefix of every path, so its occurrences cannot be recognised.
  if (from === to || from.length < 2) return (text) => text;
  const named = new RegExp(`(?<!${NAME})${escapeRegExp(from)}(?!${NAME})`, "g");
  return (text) => text.replace(named, () => to);
}

/**
 * Replaces a folder in a stream of bytes; a possible start of the path is held back until more bytes arrive. The folder
 * must have a unique name, such as a random one, because the characters around it are not checked.
 */
export class StreamTranslator {
  readonly #from: Buffer;
  readonly #to: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(from: string, to: string) {
    this.#from = Buffer.from(from);
    this.#to = Buffer.from(to);
  }

  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const parts: Buffer[] = [];
    let at = 0;
    for (let found = bytes.indexOf(this.#from); found >= 0; found = bytes.indexOf(this.#from, at)) {
      parts.push(bytes.subarray(at, found), this.#to);
      at = found + this.#from.length;
    }
    const rest = bytes.subarray(at);
    const held = this.#beginningAtEnd(rest);
    this.#held = Buffer.from(rest.subarray(rest.length - held));
    const open = rest.subarray(0, rest.length - held);
    return parts.length === 0 ? open : Buffer.concat([...parts, open]);
  }

  /** Returns the bytes that were held back, at the end of the stream. */
  end(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  /** Returns how many bytes at the end may be the start of the searched path. */
  #beginningAtEnd(bytes: Buffer): number {
    const longest = Math.min(bytes.length, this.#from.length - 1);
    for (let length = longest; length > 0; length--)
      if (bytes.subarray(bytes.length - length).equals(this.#from.subarray(0, length))) return length;
    return 0;
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** The folder of a job's files on the worker (`from`) and on the submitter's machine (`to`). */
interface ReportPlaces {
  readonly from: string;
  readonly to: string;
}

/** Paths in larger report files are not translated, because such reports are not parsed anyway. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** Replaces the worker's folder by the submitter's in the report file of a tool. */
export async function translateReport(file: string, places: ReportPlaces): Promise<void> {
  const read = readSmallFile(file, { maxBytes: MAX_REPORT_BYTES, within: dirname(file) });
  // There is nothing to translate if the command wrote no report, or a folder or a pipe instead of a file.
  if ("refused" in read) return;
  // The report is read as latin1, so that bytes which are invalid in UTF-8 stay unchanged.
  const text = read.bytes.toString("latin1");
  // The file is made anew, because the command may have left a link in its place.
  await rm(file);
  await writeFile(file, translateText(text, wirePlaces(places)), { encoding: "latin1", flag: "wx" });
}

function wirePlaces({ from, to }: ReportPlaces): ReportPlaces {
  const wire = (path: string): string => Buffer.from(path).toString("latin1");
  return { from: wire(from), to: wire(to) };
}

const CDATA = /(<!\[CDATA\[.*?\]\]>)/s;

function translateText(text: string, { from, to }: ReportPlaces): string {
  const isXml = /^(?:\u00ef\u00bb\u00bf)?\s*</.test(text);
  if (!isXml) return text.replaceAll(from, () => to);
  const pattern = new RegExp(from.replaceAll(SPECIAL, encodedForms), "g");
  const escaped = to.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  return text
    .split(CDATA)
    .map((part) =>
      part.startsWith("<![CDATA[")
        ? part.replaceAll(from, () => to)
        : part.replaceAll(pattern, () => escaped),
    )
    .join("");
}

/** Regular expressions for the ways in which XML can encode a character. */
const XML_FORMS: Readonly<Record<string, string>> = {
  "&": "&(?:amp|#38|#x26);",
  "<": "&(?:lt|#60|#x3c);",
  ">": "(?:>|&(?:gt|#62|#x3e);)",
  '"': '(?:"|&(?:quot|#34|#x22);)',
  "'": "(?:'|&(?:apos|#39|#x27);)",
};

/** Matches characters with a special meaning in XML or in a regular expression. */
const SPECIAL = /[&<>"'.*+?^${}()|[\]\\/-]/g;

function encodedForms(character: string): string {
  return XML_FORMS[character] ?? `\\${character}`;
}
