import type { Found, Sink } from "../../tool.ts";
import { stylishHeader } from "./rows.ts";

const HEADING = /^[║|] Line +[│|] Column +[│|] Type +[│|] Message +[│|] Rule ID +[║|]$/;
const ROW = /^[║|] (.{1,20}?) [│|] (.{1,20}?) [│|] (.{1,20}?) [│|] (.{1,2000}) [│|] (.{1,200}?) [║|]$/;
const RULER = /^[╟╔╚╠|][─━═┼╤╧╪┬┴│|-]{20,}[╢╗╝╣|]$/;
/** The boxes with the counts below the tables. */
const COUNT = /^[║|] (?:\d+ (?:Errors?|Warnings?)) +[║|]$/;

/** Reads the table format, which ESLint had until version 8 and textlint has: a box for each file, long cells over several rows. */
export class BoxReader {
  readonly #sink: Sink;
  #file: string | undefined;
  #inside = false;
  #open: { readonly found: Omit<Found, "message">; message: string; rule: string } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const line = text.trimEnd();
    if (!/^[║╟╔╚╠|]/.test(line)) {
      this.end();
      const file = stylishHeader(line);
      if (file !== undefined) this.#file = file;
      else if (line !== "") this.#file = undefined;
      return false;
    }
    if (this.#file !== undefined && HEADING.test(line)) {
      this.#inside = true;
      return true;
    }
    if (this.#inside && this.#row(line)) return true;
    return (
      (this.#inside || line.startsWith("╔") || line.startsWith("╚")) && (RULER.test(line) || COUNT.test(line))
    );
  }

  end(): void {
    this.#close();
    this.#inside = false;
  }

  #row(text: string): boolean {
    const [, line = "", column = "", type = "", message = "", rule = ""] = (ROW.exec(text) ?? []).map(
      (cell) => cell.trim(),
    );
    if (/^\d+$/.test(line)) {
      this.#close();
      const severity = type === "warning" ? "warning" : "error";
      const place = { file: this.#file ?? "", line: Number(line), column: Number(column) };
      this.#open = { found: { severity, ...place }, message, rule };
      return true;
    }
    if (line !== "" || this.#open === undefined || (message === "" && rule === "")) return false;
    this.#open.message = joined(this.#open.message, message);
    this.#open.rule += rule;
    return true;
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    this.#sink.diagnostic({
      ...open.found,
      message: open.message,
      ...(open.rule === "" ? {} : { code: open.rule }),
    });
  }
}

/** A cell is broken at a blank, and only where its row has none at a sign. */
function joined(before: string, after: string): string {
  if (before === "" || after === "") return before + after;
  const row = before.split("\n").at(-1) ?? "";
  return !row.includes(" ") && /[\\/_.,;-]$/.test(row) ? before + after : `${before} ${after}`;
}
