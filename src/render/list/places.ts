import type { GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RelatedPlace } from "../../model/diagnostic.ts";
import { groupBy } from "../../kernel/group-by.ts";

/** Writes line numbers: `4,7,9`. A column follows only where two diagnostics are in one line: `4:3,4:18`. */
export function lineList(places: readonly GroupedPlace[]): string {
  const labels = groupBy(places, ({ line, column }) =>
    column === undefined ? `${line}` : `${line}:${column}`,
  );
  return [...labels].map(([label, same]) => label + timesText(same.length)).join(",");
}

/** Says that several diagnostics have the same place and message. */
export function timesText(times: number): string {
  return times === 1 ? "" : ` (${times} times)`;
}

/** Checks whether a place has nothing but its line number: no help and no related places. */
export function isBare({ help, related }: GroupedPlace): boolean {
  return help === undefined && (related === undefined || related.length === 0);
}

/** Writes what a diagnostic says beyond its message at one place: its help, and the places that it refers to. */
export function detailsOf({ help, related = [], line }: GroupedPlace, file: string): string[] {
  const notes = related.map((one) => relatedText(one, file, line));
  return [...(help === undefined ? [] : [helpText(help)]), ...notes];
}

/** Writes a help text so that nobody takes it for a part of the message. */
export function helpText(help: string): string {
  return /^(?:help|hint|note|tip|see)\b/i.test(help) ? help : `help: ${help.trim()}`;
}

/** Writes a place that a diagnostic refers to. A note about the place of the diagnostic itself has no place. */
function relatedText(related: RelatedPlace, file: string, line: number | undefined): string {
  const isSameFile = related.file === file;
  const at =
    related.line === undefined ? shownFile(related.file) : `${shownFile(related.file)}:${related.line}`;
  const place = isSameFile && related.line !== undefined ? `line ${related.line}` : at;
  if (related.message === undefined) return `see ${place}`;
  const isSamePlace = isSameFile && (related.line === undefined || related.line === line);
  return `${isSamePlace ? "note" : `note at ${place}`}: ${related.message.trim()}`;
}

/** Quotes a file name with characters that a reader could take for the end of the name. */
export function shownFile(file: string): string {
  return /["\n\r]|:\d|^\s|\s$/.test(file) ? JSON.stringify(file) : file;
}
