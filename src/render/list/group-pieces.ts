import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { Severity } from "../../model/diagnostic.ts";
import { isMark } from "./footnotes.ts";
import { DIAGNOSTICS_A_LINE, type PathItem, pathLines } from "./path-lines.ts";
import { isBare, type ListStyle, needsQuotes, placeList, relatedOf } from "./places.ts";
import { sharings } from "./shared-values.ts";
import { eitherOf } from "./two-messages.ts";
import { usualOf, withUsual } from "./usual-value.ts";

/** A stretch of text that is shown whole or not at all, below its heads, which are shown where they are not those of the piece before. */
export interface Piece {
  readonly heads: readonly string[];
  /** Which of the heads is the message, where one is. */
  readonly message?: number;
  readonly text: string;
  readonly diagnostics: number;
}

export interface PieceStyle extends ListStyle {
  /** Whether there are several, so that each message must say whose it is. */
  readonly namesTools: boolean;
}

const LETTER: Record<Severity, string> = { error: "E", warning: "W", info: "I" };

/** A message and below it the files it is about. */
export function groupPieces(group: DiagnosticGroup, style: PieceStyle): Piece[] {
  const named = group.files.filter(({ file }) => file !== undefined);
  const head = headOf(group, style);
  const pieces = group.files.flatMap(({ file, places }) =>
    file === undefined ? filelessPieces(places, head, style) : [],
  );
  pieces.push(...sharedPieces(group, named, { style, heads: (head) => [head], write: filePieces }));
  return pieces.map((piece) => (piece.heads.length === 0 ? piece : { ...piece, message: 0 }));
}

/** Writes files below what stands above them. */
type Write = (files: readonly GroupedFile[], above: readonly string[], style: PieceStyle) => Piece[];

interface Writing {
  readonly style: PieceStyle;
  /** What stands above the places, of which the message is the last. */
  readonly heads: (message: string) => readonly string[];
  readonly write: Write;
}

/** A usual value has to save so many tokens. */
const MIN_SAVED = 2;

/** In a dense list what the values of many places have in common is said once, in the message or above them. */
function sharedPieces(group: DiagnosticGroup, files: readonly GroupedFile[], writing: Writing): Piece[] {
  const { style, heads, write } = writing;
  if (!style.dense || !files.some(({ places }) => places.some(({ values }) => values.length > 0)))
    return write(files, heads(headOf(group, style)), style);
  const above = piecesBelowValues(group, files, writing);
  const usual = group.other === undefined ? usualOf(group.template, files) : undefined;
  if (usual === undefined) return above;
  const inside = piecesBelowValues(group, files, { ...writing, style: { ...style, usual } });
  return costOf(inside) + MIN_SAVED <= costOf(above) ? inside : above;
}

function piecesBelowValues(
  group: DiagnosticGroup,
  files: readonly GroupedFile[],
  { style, heads, write }: Writing,
): Piece[] {
  const above = heads(headOf(group, style));
  const cost = (some: readonly GroupedFile[]): number => costOf(write(some, [], style));
  return sharings(files, cost).flatMap(({ line, files: some }) =>
    write(some, line === undefined ? above : [...above, " ".repeat(above.length) + line], style),
  );
}

/** What pieces cost in tokens, a head once. */
export function costOf(pieces: readonly Piece[]): number {
  const lines = new Set<string>();
  for (const { heads, text } of pieces) for (const line of [...heads, text]) lines.add(line);
  return [...lines].reduce((sum, line) => sum + estimateTokens(line) + 1, 0);
}

function filePieces(files: readonly GroupedFile[], above: readonly string[], style: PieceStyle): Piece[] {
  const items: PathItem[] = [];
  for (const { file, places } of files)
    if (file !== undefined)
      for (const some of inPieces(places))
        items.push({ path: shownFile(file), text: placesText(some, file, style), diagnostics: some.length });
  return pathLines(items, style.dense).map(({ head, text, diagnostics }) => {
    const heads = [...above, ...(head === undefined ? [] : [" ".repeat(above.length) + head])];
    return { heads, text: " ".repeat(heads.length) + text, diagnostics };
  });
}

/** What is said of one file only, below the name of that file. */
export function piecesInFile(group: DiagnosticGroup, file: GroupedFile, style: PieceStyle): Piece[] {
  const name = shownFile(file.file ?? "");
  const [place] = file.places;
  if (place !== undefined && file.places.length === 1) {
    const filled = filledAt(group, place);
    const text = ` ${[place.line, headOf(filled, style), relatedOf(place, file.file ?? "")].filter(Boolean).join(" ")}`;
    return [{ heads: [name], text: text.replaceAll("\n", "\n "), diagnostics: 1 }];
  }
  const head = ` ${headOf(group, style).replaceAll("\n", "\n ")}`;
  if (file.places.every(isBare) && file.places.length <= DIAGNOSTICS_A_LINE)
    return inPieces(file.places).map((places) => {
      const lines = placeList(places, "", style);
      return { heads: [name], text: (lines && ` ${lines}`) + head, diagnostics: places.length };
    });
  const heads = (message: string): string[] => [name, ` ${message.replaceAll("\n", "\n ")}`];
  const pieces = sharedPieces(group, [file], { style, heads, write: placePieces });
  return pieces.map((piece) => ({ ...piece, message: 1 }));
}

/** Places of one file that is named above. */
function placePieces(files: readonly GroupedFile[], heads: readonly string[], style: PieceStyle): Piece[] {
  return files.flatMap(({ file = "", places }) =>
    inPieces(places).map((some) => ({
      heads,
      text: `${" ".repeat(heads.length)}${some[0]?.line === undefined ? "…=" : ""}${placeList(some, file, style)}`,
      diagnostics: some.length,
    })),
  );
}

/** The group as it reads at one place: with the values and the help of that place. */
function filledAt(group: DiagnosticGroup, { values, help }: GroupedPlace): DiagnosticGroup {
  if (values.length === 0 && help === undefined) return group;
  let at = 0;
  const template = group.template.replaceAll(
    /…(\d*)/g,
    (gap, number: string) => values[number === "" ? at++ : Number(number) - 1] ?? gap,
  );
  return { ...group, template, help: [...(group.help ?? []), ...(help === undefined ? [] : [help])] };
}

function headOf(group: DiagnosticGroup, { namesTools, letters, usual }: PieceStyle): string {
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
    group.other === undefined ? withUsual(group.template, usual) : eitherOf(group.template, group.other);
  return `${words.join(" ")}${words.length > 0 ? ": " : ""}${message}${url}${help}`;
}

/** Without a file: the message alone, the lines where they are known, or what varies. */
function filelessPieces(places: readonly GroupedPlace[], head: string, style: PieceStyle): Piece[] {
  const placed = places.filter((place) => place.line !== undefined);
  const rest = places.filter((place) => place.line === undefined);
  const listed = (some: readonly GroupedPlace[], sign: string): Piece[] =>
    inPieces(some).map((part) => ({
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

/** As many as a line holds; those without a line of their own apart, as they are written in another way. */
function inPieces(places: readonly GroupedPlace[]): GroupedPlace[][] {
  const pieces: GroupedPlace[][] = [];
  for (const some of [
    places.filter((place) => place.line !== undefined),
    places.filter((place) => place.line === undefined),
  ])
    for (let from = 0; from < some.length; from += DIAGNOSTICS_A_LINE)
      pieces.push(some.slice(from, from + DIAGNOSTICS_A_LINE));
  return pieces;
}

/** `:4,9` behind a file's name, or `: what` where no line is known. */
function placesText(places: readonly GroupedPlace[], file: string, style: PieceStyle): string {
  const list = placeList(places, file, style);
  if (list === "") return "";
  return `${places[0]?.line === undefined ? ": " : ":"}${list}`;
}

/** A name with signs of the list in it stands in quotes. */
function shownFile(file: string): string {
  return needsQuotes(file) ? JSON.stringify(file) : file;
}
