import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { Severity } from "../../model/diagnostic.ts";
import { isMark } from "./footnotes.ts";
import { DIAGNOSTICS_PER_LINE, type PathItem, pathLines } from "./path-lines.ts";
import { isBare, type ListStyle, needsQuotes, placeList, relatedOf } from "./places.ts";
import { groupByCommonValues } from "./common-values.ts";
import { joinMessages } from "./paired-messages.ts";
import { findDefault, showDefault } from "./default-value.ts";

/**
 * A piece of the list, which is printed whole or not at all. Its heads are the lines above it, such as the message or
 * the file; they are printed only if they differ from those of the previous piece.
 */
export interface Piece {
  readonly heads: readonly string[];
  /** The index of the message among the heads. */
  readonly message?: number;
  readonly text: string;
  readonly diagnostics: number;
}

export interface PieceStyle extends ListStyle {
  /** True if the list has diagnostics of several tools, so that each message names its tool. */
  readonly namesTools: boolean;
}

const LETTER: Record<Severity, string> = { error: "E", warning: "W", info: "I" };

/** Writes a group (diagnostics with one message) as pieces of the list: the message, and the files below it. */
export function groupPieces(group: DiagnosticGroup, style: PieceStyle): Piece[] {
  const named = group.files.filter(({ file }) => file !== undefined);
  const head = headOf(group, style);
  const pieces = group.files.flatMap(({ file, places }) =>
    file === undefined ? filelessPieces(places, head, style) : [],
  );
  pieces.push(...piecesWithValues(group, named, { style, heads: (head) => [head], write: filePieces }));
  return pieces.map((piece) => (piece.heads.length === 0 ? piece : { ...piece, message: 0 }));
}

/** Writes files as pieces of the list, below the given lines. */
type Write = (files: readonly GroupedFile[], above: readonly string[], style: PieceStyle) => Piece[];

interface Writing {
  readonly style: PieceStyle;
  /** Returns the lines above the places; the message is the last of them. */
  readonly heads: (message: string) => readonly string[];
  readonly write: Write;
}

/** The fewest tokens that a common value must save to be written into the message. */
const MIN_SAVED = 2;

/**
 * Writes the pieces of a group. In a dense list a value that many places share is written once, in the message or above
 * the places.
 */
function piecesWithValues(group: DiagnosticGroup, files: readonly GroupedFile[], writing: Writing): Piece[] {
  const { style, heads, write } = writing;
  if (!style.dense || !files.some(({ places }) => places.some(({ values }) => values.length > 0)))
    return write(files, heads(headOf(group, style)), style);
  const above = piecesBelowValues(group, files, writing);
  const defaultValue = group.other === undefined ? findDefault(group.template, files) : undefined;
  if (defaultValue === undefined) return above;
  const inside = piecesBelowValues(group, files, { ...writing, style: { ...style, defaultValue } });
  return costOf(inside) + MIN_SAVED <= costOf(above) ? inside : above;
}

function piecesBelowValues(
  group: DiagnosticGroup,
  files: readonly GroupedFile[],
  { style, heads, write }: Writing,
): Piece[] {
  const above = heads(headOf(group, style));
  const cost = (some: readonly GroupedFile[]): number => costOf(write(some, [], style));
  return groupByCommonValues(files, cost).flatMap(({ line, files: some }) =>
    write(some, line === undefined ? above : [...above, " ".repeat(above.length) + line], style),
  );
}

/** The tokens that some pieces of the list cost; lines above several of them count once. */
export function costOf(pieces: readonly Piece[]): number {
  const lines = new Set<string>();
  for (const { heads, text } of pieces) for (const line of [...heads, text]) lines.add(line);
  return [...lines].reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

function filePieces(files: readonly GroupedFile[], above: readonly string[], style: PieceStyle): Piece[] {
  const items: PathItem[] = [];
  for (const { file, places } of files)
    if (file !== undefined)
      for (const some of splitPlaces(places))
        items.push({ path: shownFile(file), text: placesText(some, file, style), diagnostics: some.length });
  return pathLines(items, style.dense).map(({ head, text, diagnostics }) => {
    const heads = [...above, ...(head === undefined ? [] : [" ".repeat(above.length) + head])];
    return { heads, text: " ".repeat(heads.length) + text, diagnostics };
  });
}

/** Writes those diagnostics of a group that are about one file, below the name of that file. */
export function piecesInFile(group: DiagnosticGroup, file: GroupedFile, style: PieceStyle): Piece[] {
  const name = shownFile(file.file ?? "");
  const [place] = file.places;
  if (place !== undefined && file.places.length === 1) {
    const filled = filledAt(group, place);
    const text = ` ${[place.line, headOf(filled, style), relatedOf(place, file.file ?? "")].filter(Boolean).join(" ")}`;
    return [{ heads: [name], text: text.replaceAll("\n", "\n "), diagnostics: 1 }];
  }
  const head = ` ${headOf(group, style).replaceAll("\n", "\n ")}`;
  if (file.places.every(isBare) && file.places.length <= DIAGNOSTICS_PER_LINE)
    return splitPlaces(file.places).map((places) => {
      const lines = placeList(places, "", style);
      return { heads: [name], text: (lines && ` ${lines}`) + head, diagnostics: places.length };
    });
  const heads = (message: string): string[] => [name, ` ${message.replaceAll("\n", "\n ")}`];
  const pieces = piecesWithValues(group, [file], { style, heads, write: placePieces });
  return pieces.map((piece) => ({ ...piece, message: 1 }));
}

/** Writes the places in a file whose name is on a line above. */
function placePieces(files: readonly GroupedFile[], heads: readonly string[], style: PieceStyle): Piece[] {
  return files.flatMap(({ file = "", places }) =>
    splitPlaces(places).map((some) => ({
      heads,
      text: `${" ".repeat(heads.length)}${some[0]?.line === undefined ? "…=" : ""}${placeList(some, file, style)}`,
      diagnostics: some.length,
    })),
  );
}

/** Fills the values and the help of one place into the message of a group. */
function filledAt(group: DiagnosticGroup, { values, help }: GroupedPlace): DiagnosticGroup {
  if (values.length === 0 && help === undefined) return group;
  let at = 0;
  const template = group.template.replaceAll(
    /…(\d*)/g,
    (gap, number: string) => values[number === "" ? at++ : Number(number) - 1] ?? gap,
  );
  return { ...group, template, help: [...(group.help ?? []), ...(help === undefined ? [] : [help])] };
}

function headOf(group: DiagnosticGroup, { namesTools, letters, defaultValue }: PieceStyle): string {
  const words = [
    ...(letters ? [LETTER[group.severity]] : []),
    ...(namesTools ? [group.tool] : []),
    ...(group.code ? [group.code] : []),
  ];
  const help = (group.help ?? [])
    .map((line) => (isMark(line) ? ` ${line}` : `\n ${line.replaceAll("\n", "\n ")}`))
    .join("");
  const url = group.url === undefined ? "" : ` ${group.url}`;
  const message =
    group.other === undefined
      ? showDefault(group.template, defaultValue)
      : joinMessages(group.template, group.other);
  return `${words.join(" ")}${words.length > 0 ? ": " : ""}${message}${url}${help}`;
}

/** Writes diagnostics without a file: the message alone, or the message with its lines or values below it. */
function filelessPieces(places: readonly GroupedPlace[], head: string, style: PieceStyle): Piece[] {
  const placed = places.filter((place) => place.line !== undefined);
  const rest = places.filter((place) => place.line === undefined);
  const listed = (some: readonly GroupedPlace[], sign: string): Piece[] =>
    splitPlaces(some).map((part) => ({
      heads: [head],
      text: ` ${sign}${placeList(part, "", style)}`,
      diagnostics: part.length,
    }));
  const [first] = rest;
  if (first === undefined) return listed(placed, ":");
  if (rest.some((place) => place.values.length > 0 || place.help !== undefined))
    return [...listed(placed, ":"), ...listed(rest, "…=")];
  const related = relatedOf(first, "");
  const text = head + (related && ` ${related}`);
  return [{ heads: [], text, diagnostics: rest.length }, ...listed(placed, ":")];
}

/**
 * Splits the places of a message into lines of the list. Places without a line number come last, because they are
 * written differently.
 */
function splitPlaces(places: readonly GroupedPlace[]): GroupedPlace[][] {
  const pieces: GroupedPlace[][] = [];
  for (const some of [
    places.filter((place) => place.line !== undefined),
    places.filter((place) => place.line === undefined),
  ])
    for (let from = 0; from < some.length; from += DIAGNOSTICS_PER_LINE)
      pieces.push(some.slice(from, from + DIAGNOSTICS_PER_LINE));
  return pieces;
}

/** Writes the places after the name of a file: `:4,9`, or `: value` if no line number is known. */
function placesText(places: readonly GroupedPlace[], file: string, style: PieceStyle): string {
  const list = placeList(places, file, style);
  if (list === "") return "";
  return `${places[0]?.line === undefined ? ": " : ":"}${list}`;
}

/** Quotes a file name that contains characters which the list uses as punctuation. */
function shownFile(file: string): string {
  return needsQuotes(file) ? JSON.stringify(file) : file;
}
