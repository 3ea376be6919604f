import type { GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RelatedPlace } from "../../model/diagnostic.ts";
import { isMark } from "./footnotes.ts";
import type { DefaultValue } from "./default-value.ts";

/** The style of a list. */
export interface ListStyle {
  /** Leaves out what only makes the list easier to read. */
  readonly dense: boolean;
  /** Puts the letter of the severity before each message. It is not needed where the first line of the reply gives one severity for all. */
  readonly letters: boolean;
  /** The value of the last gap at places that give none. */
  readonly defaultValue?: DefaultValue;
}

/**
 * Writes the lines of a file with their values. Places with the same value are listed together: `4,7,9 name, 12 other`. A dense list has
 * `4,7,9 name;12 other`, and `12 name & other` for two values of the same lines.
 */
export function placeList(places: readonly GroupedPlace[], file: string, style: ListStyle): string {
  const { dense } = style;
  const entries = entriesOf(places, file, style);
  const isBareList = entries.every(({ value }) => value === "");
  let list = "";
  for (const [index, { at, value }] of entries.entries()) {
    list += at === "" || value === "" ? at + value : `${at} ${value}`;
    // A space before a number would cost a token each time.
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
  const valueAt = (place: GroupedPlace | undefined): string => detailsOf(place, file, style);
  const entries: Entry[] = [];
  /** Entries with a single value, by their lines. Another value of the same lines is joined to them. */
  const joinable = new Map<string, Entry>();
  for (let from = 0; from < places.length;) {
    const value = valueAt(places[from]);
    let to = from + 1;
    while (to < places.length && places[to]?.line !== undefined && valueAt(places[to]) === value) to++;
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

/** Checks whether a place has nothing but its line. */
export function isBare({ values, help, related }: GroupedPlace): boolean {
  return values.length === 0 && help === undefined && (related === undefined || related.length === 0);
}

/** Checks whether a file name contains punctuation of the list. */
export function needsQuotes(file: string): boolean {
  return /[;"{}*\n\r]|:[\s\d+]|^\s|\s$/.test(file);
}

/** Writes line numbers, consecutive ones as a range: `4,7-9`. */
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

/** A range of two lines would be no shorter than the two numbers. */
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

/** The mark of a place that belongs to the second message of a pair. */
function markOf(place: GroupedPlace | undefined): string {
  return place?.isOther === true ? "+" : "";
}

/** The values of a place, its help, and the places that it points to. */
function detailsOf(place: GroupedPlace | undefined, file: string, style: ListStyle): string {
  if (place === undefined) return "";
  const values = valueList(place, style);
  const help = place.help === undefined || isMark(place.help) ? (place.help ?? "") : `(${place.help})`;
  return [values, help, relatedOf(place, file)].filter(Boolean).join(" ");
}

/** The values of the gaps of a message, in their order. */
export function valueList(
  { values, line }: Pick<GroupedPlace, "values" | "line">,
  { dense, defaultValue }: Pick<ListStyle, "dense" | "defaultValue">,
): string {
  const isDefault =
    defaultValue !== undefined && values.length === defaultValue.gaps && values.at(-1) === defaultValue.value;
  const given = isDefault ? values.slice(0, -1) : values;
  const isAmbiguous = (value: string): boolean =>
    (line === undefined ? AMBIGUOUS_ALONE : AMBIGUOUS).test(value) || (isDefault && /\s/.test(value));
  const shown = given.map((value) => (isAmbiguous(value) ? JSON.stringify(value) : value));
  if (!dense || given.some((value) => /\s/.test(value))) return shown.join("|");
  // A word and the space before it are one token. A number is not, and `|` distinguishes it from a line number.
  return shown.map((value, at) => (at === 0 ? "" : /^\+?\d/.test(value) ? "|" : " ") + value).join("");
}

/** Characters that a reader could take for the end of a value or the beginning of another; such a value is quoted. */
const AMBIGUOUS = /[;|\n]|,\s?\+?\d|^["\s]|\s$| [&"]| \(.*\)$|^$/;

/** In a list without line numbers a comma alone separates values. */
const AMBIGUOUS_ALONE = new RegExp(`,|${AMBIGUOUS.source}`);

/** The places that a diagnostic points to. A related note at the same place is written without the place. */
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
