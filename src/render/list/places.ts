import type { GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RelatedPlace } from "../../model/diagnostic.ts";
import { isMark } from "./footnotes.ts";
import type { DefaultValue } from "./default-value.ts";

/** The style of a list of diagnostics. */
export interface ListStyle {
  /** True if everything is left out that only makes the list easier to read. */
  readonly dense: boolean;
  /**
   * True if a letter for the severity stands before each message. It is not needed if the first line of the reply gives
   * one severity for all.
   */
  readonly letters: boolean;
  /** The value that belongs into the last gap (`…`) of the message at places that give none. */
  readonly defaultValue?: DefaultValue;
}

/**
 * Writes the line numbers of a file with the values that belong into the gaps of the message. Places with the same
 * value are listed together: `4,7,9 name, 12 other`. A dense list has `4,7,9 name;12 other`, and `12 name & other` for
 * two values of the same lines.
 */
export function placeList(places: readonly GroupedPlace[], file: string, style: ListStyle): string {
  const { dense } = style;
  const entries = entriesOf(places, file, style);
  const isBareList = entries.every(({ value }) => value === "");
  let list = "";
  for (const [index, { at, value }] of entries.entries()) {
    list += at === "" || value === "" ? at + value : `${at} ${value}`;
    // A dense list has no space before a line number, because the space would cost a token each time.
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
  /**
   * The entries with a single value, by their line numbers. A second value of the same lines is joined to such an
   * entry.
   */
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

/** Checks whether a place has nothing but its line number: no values, help or related places. */
export function isBare({ values, help, related }: GroupedPlace): boolean {
  return values.length === 0 && help === undefined && (related === undefined || related.length === 0);
}

/** Checks whether a file name contains characters which the list uses as punctuation. */
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

/**
 * The fewest consecutive lines that are written as a range; a range of two would be no shorter than the two numbers.
 */
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

/** The mark of a place that belongs to the second of two messages that are listed together. */
function markOf(place: GroupedPlace | undefined): string {
  return place?.isOther === true ? "+" : "";
}

/** What follows the line number of a place: its values, its help, and the related places. */
function detailsOf(place: GroupedPlace | undefined, file: string, style: ListStyle): string {
  if (place === undefined) return "";
  const values = valueList(place, style);
  const help = place.help === undefined || isMark(place.help) ? (place.help ?? "") : `(${place.help})`;
  return [values, help, relatedOf(place, file)].filter(Boolean).join(" ");
}

/** Writes the values that belong into the gaps of a message at one place, in their order. */
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
  // A word and the space before it are one token, so words are separated by spaces. A number is separated by `|`, so
  // that it is not read as a line number.
  return shown.map((value, at) => (at === 0 ? "" : /^\+?\d/.test(value) ? "|" : " ") + value).join("");
}

/**
 * Matches values that need quotes, because a reader could take a part of them for the end of the value or the beginning
 * of another.
 */
const AMBIGUOUS = /[;|\n]|,\s?\+?\d|^["\s]|\s$| [&"]| \(.*\)$|^$/;

/** Matches values that need quotes in a list without line numbers, in which a comma alone separates values. */
const AMBIGUOUS_ALONE = new RegExp(`,|${AMBIGUOUS.source}`);

/**
 * Writes the places that a diagnostic refers to, with their notes. A note about the place of the diagnostic itself has
 * no place.
 */
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
