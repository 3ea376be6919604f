import { readFile, stat, writeFile } from "node:fs/promises";
import { errnoOf } from "../kernel/errors.ts";

/** Where a job's files are on the worker, and what its submitter calls that place. */
export interface ReportPlaces {
  readonly from: string;
  readonly to: string;
}

/** Nobody reads a larger report. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** Puts the submitter's folder in place of the worker's in a report that a tool wrote on the side. */
export async function translateReport(file: string, places: ReportPlaces): Promise<void> {
  try {
    if ((await stat(file)).size > MAX_REPORT_BYTES) return;
    // Byte by byte: a report need not be valid UTF-8, and nothing else of it may change.
    const text = await readFile(file, "latin1");
    await writeFile(file, translated(text, wirePlaces(places)), "latin1");
  } catch (error) {
    // The command wrote none, or a folder of them.
    const errno = errnoOf(error);
    if (errno !== "ENOENT" && errno !== "EISDIR") throw error;
  }
}

function wirePlaces({ from, to }: ReportPlaces): ReportPlaces {
  const wire = (path: string): string => Buffer.from(path).toString("latin1");
  return { from: wire(from), to: wire(to) };
}

const CDATA = /(<!\[CDATA\[.*?\]\]>)/s;

function translated(text: string, { from, to }: ReportPlaces): string {
  const isXml = /^(?:\u00ef\u00bb\u00bf)?\s*</.test(text);
  if (!isXml) return text.replaceAll(from, () => to);
  const pattern = new RegExp(from.replaceAll(SPECIAL, written), "g");
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

/** The ways in which XML may write a character. */
const WRITTEN: Readonly<Record<string, string>> = {
  "&": "&(?:amp|#38|#x26);",
  "<": "&(?:lt|#60|#x3c);",
  ">": "(?:>|&(?:gt|#62|#x3e);)",
  '"': '(?:"|&(?:quot|#34|#x22);)',
  "'": "(?:'|&(?:apos|#39|#x27);)",
};

/** Characters with a meaning in XML, or in an expression. */
const SPECIAL = /[&<>"'.*+?^${}()|[\]\\/-]/g;

function written(character: string): string {
  return WRITTEN[character] ?? `\\${character}`;
}
