import type { GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RelatedPlace } from "../../model/diagnostic.ts";
import { isMark } from "./footnotes.ts";
import type { Usual } from "./usual-value.ts";

/** How a list is written. */
export interface ListStyle {
  /** Whether everything is left out that the eye likes and the reader does not need. */
  readonly dense: boolean;
  /** Whether the severity stands before each message: not where all have the same, and the first line names it. */
  readonly letters: boolean;
  /** What stands in the last gap where a place does not say it. */
  readonly usual?: Usual;
}

/**
 * Places that share what stands beside them are listed before it: `4,7,9 name, 12 other`. In a dense list `4,7,9 name;12 other`, and two
 * that share their lines `12 name & other`.
 */
export function placeList(places: readonly GroupedPlace[], file: string, style: ListStyle): string {
  const { dense } = style;
  const entries = entriesOf(places, file, style);
  const isBareList = entries.every(({ value }) => value === "");
  let list = "";
  for (const [index, { at, value }] of entries.entries()) {
    list += at === "" || value === "" ? at + value : `${at} ${value}`;
    // No blank before a number: it would cost a token each.
    const sign = dense && at !== "" && !isBareList ? ";" : value === "" ? "," : ", ";
    if (index < entries.length - 1 && list !== "") list += sign;
  }
  return list;
}

interface Entry {
  readonly at: string;
  value: string;
}

function entriesOf(places: readonly GroupedPlace[], file: string, style: ListStyle): Entry[] {
  const beside = (place: GroupedPlace | undefined): string => besides(place, file, style);
  const entries: Entry[] = [];
  /** Those of one value, by their lines: others of the same lines join them. */
  const joinable = new Map<string, Entry>();
  for (let from = 0; from < places.length;) {
    const value = beside(places[from]);
    let to = from + 1;
    while (to < places.length && places[to]?.line !== undefined && beside(places[to]) === value) to++;
    const entry = { at: numbers(places.slice(from, to)), value };
    const known = joinable.get(entry.at);
    const values = places[from]?.values ?? [];
    const isJoinable = style.dense && entry.at !== "" && values.length === 1 && values[0] === value;
    if (isJoinable && known !== undefined) known.value += ` & ${value}`;
    else entries.push(entry);
    if (isJoinable && known === undefined) joinable.set(entry.at, entry);
    from = to;
  }
  return entries;
}

/** Whether anything stands beside the line of a place. */
export function isBare({ values, help, related }: GroupedPlace): boolean {
  return values.length === 0 && help === undefined && (related === undefined || related.length === 0);
}

/** Whether a file's name has signs of the list in it. */
export function needsQuotes(file: string): boolean {
  return /[;"{}*\n\r]|:[\s\d+]|^\s|\s$/.test(file);
}

/** Lines in a row as a range: `4,7-9`. */
function numbers(places: readonly GroupedPlace[]): string {
  const parts: string[] = [];
  for (let from = 0; from < places.length;) {
    const first = places[from];
    let to = from;
    while (isNext(places[to], places[to + 1])) to++;
    const last = places[to];
    if (to - from >= MIN_RANGE - 1) parts.push(`${markOf(first)}${first?.line}-${last?.line}`);
    else for (const place of places.slice(from, to + 1)) parts.push(lineOf(place));
    from = to + 1;
  }
  return parts.join(",");
}

/** Two lines in a row are as short with a comma. */
const MIN_RANGE = 3;

function isNext(one: GroupedPlace | undefined, next: GroupedPlace | undefined): boolean {
  if (one?.line === undefined || one.column !== undefined || next?.column !== undefined) return false;
  return next?.line === one.line + 1 && next.isOther === one.isOther;
}

function lineOf(place: GroupedPlace): string {
  const { line, column } = place;
  if (line === undefined) return "";
  return `${markOf(place)}${line}${column === undefined ? "" : `:${column}`}`;
}

/** The sign of the other message of a group. */
function markOf(place: GroupedPlace | undefined): string {
  return place?.isOther === true ? "+" : "";
}

/** What varies at a place, its own help, and what it points to. */
function besides(place: GroupedPlace | undefined, file: string, style: ListStyle): string {
  if (place === undefined) return "";
  const values = valueList(place, style);
  const help = place.help === undefined || isMark(place.help) ? (place.help ?? "") : `(${place.help})`;
  return [values, help, relatedOf(place, file)].filter(Boolean).join(" ");
}

/** What stands in the gaps of a message, in their order. */
export function valueList(
  { values, line }: Pick<GroupedPlace, "values" | "line">,
  { dense, usual }: Pick<ListStyle, "dense" | "usual">,
): string {
  const isUsual = usual !== undefined && values.length === usual.gaps && values.at(-1) === usual.value;
  const said = isUsual ? values.slice(0, -1) : values;
  const isAmbiguous = (value: string): boolean =>
    (line === undefined ? AMBIGUOUS_ALONE : AMBIGUOUS).test(value) || (isUsual && /\s/.test(value));
  const shown = said.map((value) => (isAmbiguous(value) ? JSON.stringify(value) : value));
  if (!dense || said.some((value) => /\s/.test(value))) return shown.join("|");
  // A word shares its token with a blank before it; a number does not, and is told from a line by the other sign.
  return shown.map((value, at) => (at === 0 ? "" : /^\+?\d/.test(value) ? "|" : " ") + value).join("");
}

/** Signs that would end a value for the reader, or begin another. */
const AMBIGUOUS = /[;|\n]|,\s?\+?\d|^["\s]|\s$| [&"]| \(.*\)$|^$/;

/** Without a line before it, the next value begins behind any comma. */
const AMBIGUOUS_ALONE = new RegExp(`,|${AMBIGUOUS.source}`);

/** What a diagnostic points to; of its own place, no more than what is said. */
export function relatedOf({ related, line }: Pick<GroupedPlace, "related" | "line">, file: string): string {
  if (related === undefined || related.length === 0) return "";
  return `(${related.map((one) => relatedText(one, file, line)).join("; ")})`;
}

function relatedText(related: RelatedPlace, file: string, line: number | undefined): string {
  const sameFile = related.file === file;
  const at = related.line === undefined ? "" : `:${related.line}`;
  const place = sameFile ? (related.line === line ? "" : at) : `${related.file}${at}`;
  return [place, related.message].filter(Boolean).join(" ");
}
