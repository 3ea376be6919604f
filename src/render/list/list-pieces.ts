import { groupBy } from "../../kernel/group-by.ts";
import type { DiagnosticGroup, GroupedFile, GroupedPlace } from "../../model/diagnostic-group.ts";
import { detailsOf, helpText, isBare, lineList, shownFile, timesText } from "./places.ts";

/**
 * A piece of the list, which is printed whole or not at all. Its heads are the lines above it, such as the message or
 * the file; they are printed only if they differ from those of the previous piece.
 */
export interface Piece {
  readonly heads: readonly string[];
  readonly text: string;
  readonly diagnostics: number;
}

/** The most diagnostics in one line of the list. */
const DIAGNOSTICS_PER_LINE = 40;

/**
 * Splits a list of diagnostics into pieces. Messages about one file are listed below that file, and a message about
 * several files above its places. Errors stay before warnings.
 */
export function* piecesOf(groups: readonly DiagnosticGroup[], namesTools: boolean): Generator<Piece> {
  for (const some of groupBy(groups, fileKey).values())
    for (const group of some) {
      const message = messageOf(group, namesTools);
      const [only, another] = group.files;
      if (only?.file === undefined || another !== undefined) yield* piecesBelowMessage(group.files, message);
      else if (some.length > 1) yield* piecesBelowFile(only, shownFile(only.file), message);
      else yield* piecesWithFile(only, shownFile(only.file), message);
    }
}

/** Returns the same key for groups that are about one file only; any other group has a key of its own. */
function fileKey(group: DiagnosticGroup): string | DiagnosticGroup {
  const [only, another] = group.files;
  return only?.file === undefined || another !== undefined ? group : `${group.severity} ${only.file}`;
}

interface Message {
  /** The severity, the tool if the list has several, the rule and the message. */
  readonly text: string;
  /** The help and the link. */
  readonly notes: readonly string[];
}

function messageOf(group: DiagnosticGroup, namesTools: boolean): Message {
  const words = [
    group.severity,
    ...(namesTools ? ["from", group.tool] : []),
    ...(group.code ? [group.code] : []),
  ];
  const link = group.url === undefined ? [] : [`see ${group.url}`];
  return {
    text: `${words.join(" ")}: ${group.message}`,
    notes: [...(group.help ?? []).map(helpText), ...link],
  };
}

/** Writes lines of which all but the first are indented. */
function block(...lines: readonly string[]): string {
  return indented(lines.join("\n"));
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n ");
}

/** Places of a message in one file that are written on one line of the list. */
interface PlaceLine {
  /** The line numbers; empty if the message is about the whole file. */
  readonly numbers: string;
  /** Says how often the message is repeated, if it is about the whole file; otherwise empty. */
  readonly times: string;
  readonly details: readonly string[];
  readonly diagnostics: number;
}

/** Joins the places that have nothing but a line number; any other place gets a line of its own. */
function placeLines({ file = "", places }: GroupedFile): PlaceLine[] {
  const byKind = groupBy(places, (place) => (isBare(place) ? place.line === undefined : place));
  return [...byKind.values()].flatMap((some) => {
    const lines: PlaceLine[] = [];
    for (let from = 0; from < some.length; from += DIAGNOSTICS_PER_LINE)
      lines.push(placeLine(some.slice(from, from + DIAGNOSTICS_PER_LINE), file));
    return lines;
  });
}

function placeLine(places: readonly GroupedPlace[], file: string): PlaceLine {
  const [first] = places;
  const isWholeFile = first?.line === undefined;
  return {
    numbers: isWholeFile ? "" : lineList(places),
    times: isWholeFile ? timesText(places.length) : "",
    details: places.flatMap((place) => detailsOf(place, file)),
    diagnostics: places.length,
  };
}

/** Writes the only message about a file on one line: `src/a.ts:3,7 error E1: bad`. */
function piecesWithFile(only: GroupedFile, file: string, message: Message): Piece[] {
  const [line, another] = placeLines(only);
  if (line === undefined || another !== undefined) return piecesBelowMessage([only], message);
  const at = line.numbers === "" ? `${file}:` : `${file}:${line.numbers}`;
  const text = block(`${at} ${message.text}${line.times}`, ...line.details, ...message.notes);
  return [{ heads: [], text, diagnostics: line.diagnostics }];
}

/** Writes one of several messages about a file below its name: ` 3,7 error E1: bad`. */
function piecesBelowFile(only: GroupedFile, file: string, message: Message): Piece[] {
  const lines = placeLines(only);
  const [first, another] = lines;
  if (first !== undefined && another === undefined) {
    const words = [first.numbers, message.text].filter(Boolean).join(" ");
    const text = block(words + first.times, ...first.details, ...message.notes);
    return [{ heads: [file], text: ` ${indented(text)}`, diagnostics: first.diagnostics }];
  }
  const heads = [file, ` ${indented(block(message.text, ...message.notes))}`];
  return lines.map((line) => ({
    heads,
    text: `  ${indented(indented(withDetails(line.numbers === "" ? "whole file" : line.numbers, line)))}`,
    diagnostics: line.diagnostics,
  }));
}

/** Writes a message with its places below it, one line per file: ` src/a.ts:3,7`. */
function piecesBelowMessage(files: readonly GroupedFile[], message: Message): Piece[] {
  const places = files.flatMap((one) => placeLines(one).map((line) => ({ file: one.file, line })));
  const [only, another] = places;
  if (only !== undefined && another === undefined && only.file === undefined && only.line.numbers === "") {
    const text = block(message.text + only.line.times, ...only.line.details, ...message.notes);
    return [{ heads: [], text, diagnostics: only.line.diagnostics }];
  }
  const heads = [block(message.text, ...message.notes)];
  return places.map(({ file, line }) => ({
    heads,
    text: ` ${indented(withDetails(placeText(file, line.numbers), line))}`,
    diagnostics: line.diagnostics,
  }));
}

/** Writes the details of a place after it: one on the same line, several on lines of their own. */
function withDetails(place: string, { times, details }: PlaceLine): string {
  const [only = "", another] = details;
  return another === undefined ? `${place}${times}${only && ` ${only}`}` : block(place + times, ...details);
}

function placeText(file: string | undefined, numbers: string): string {
  if (file === undefined) return numbers === "" ? "no file" : `line ${numbers}`;
  return numbers === "" ? shownFile(file) : `${shownFile(file)}:${numbers}`;
}
