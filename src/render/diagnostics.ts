import type { Budget } from "../kernel/budget.ts";
import type { DiagnosticGroup, GroupedFile, GroupedPlace } from "../model/diagnostic-group.ts";
import type { RelatedPlace, Severity } from "../model/diagnostic.ts";

export interface RenderedDiagnostics {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

const LETTER: Record<Severity, string> = { error: "E", warning: "W", info: "I" };
/** A place list is cut into pieces of this many, so that the budget can stop inside it. */
const PLACES_A_PIECE = 40;

/** A stretch of text that is shown whole or not at all. A head is shown only with the piece after it. */
interface Piece {
  readonly head?: string;
  readonly text: string;
  readonly diagnostics: number;
}

/**
 * Every diagnostic in the fewest tokens: message templates with `file:lines` under them. Diagnostics that stand alone and share a file are
 * listed under it.
 */
export function renderDiagnostics(groups: readonly DiagnosticGroup[], budget: Budget): RenderedDiagnostics {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const namesTools = new Set(groups.map((group) => group.tool)).size > 1;
  const lines: string[] = [];
  let shown = 0;
  let lastHead: string | undefined;
  for (const piece of pieces(groups, namesTools)) {
    const head = piece.head !== undefined && piece.head !== lastHead ? `${piece.head}\n` : "";
    if (!budget.take(`${head}${piece.text}\n`)) break;
    lines.push(head + piece.text);
    shown += piece.diagnostics;
    lastHead = piece.head;
  }
  return { text: lines.join("\n"), shown, total };
}

function* pieces(groups: readonly DiagnosticGroup[], namesTools: boolean): Generator<Piece> {
  const alone = aloneByFile(groups);
  const done = new Set<string>();
  for (const group of groups) {
    const key = fileKey(group);
    const siblings = key === undefined ? undefined : alone.get(key);
    if (key === undefined || siblings === undefined || siblings.length < 2)
      yield* groupPieces(group, namesTools);
    else if (!done.has(key)) {
      done.add(key);
      for (const sibling of siblings) yield aloneInFile(sibling, namesTools);
    }
  }
}

/** Groups of one, by severity and file. */
function aloneByFile(groups: readonly DiagnosticGroup[]): Map<string, DiagnosticGroup[]> {
  const byFile = new Map<string, DiagnosticGroup[]>();
  for (const group of groups) {
    const key = fileKey(group);
    if (key === undefined) continue;
    const known = byFile.get(key);
    if (known === undefined) byFile.set(key, [group]);
    else known.push(group);
  }
  return byFile;
}

function fileKey(group: DiagnosticGroup): string | undefined {
  const file = group.files[0]?.file;
  return group.count === 1 && file !== undefined ? `${group.severity} ${file}` : undefined;
}

function aloneInFile(group: DiagnosticGroup, namesTools: boolean): Piece {
  const [file] = group.files;
  const [place] = file?.places ?? [];
  const line = place?.line === undefined ? "" : `${place.line} `;
  const text = indent(`${line}${headOf(group, namesTools)}`, " ") + relatedOf(place?.related);
  return { ...(file?.file === undefined ? {} : { head: file.file }), text, diagnostics: 1 };
}

function* groupPieces(group: DiagnosticGroup, namesTools: boolean): Generator<Piece> {
  const head = headOf(group, namesTools);
  for (const file of group.files) {
    if (file.file === undefined && file.places.every((place) => place.values.length === 0)) {
      yield { text: head + relatedOf(file.places[0]?.related), diagnostics: file.places.length };
      continue;
    }
    for (let from = 0; from < file.places.length; from += PLACES_A_PIECE) {
      const places = file.places.slice(from, from + PLACES_A_PIECE);
      yield { head, text: ` ${fileLine(file, places)}`, diagnostics: places.length };
    }
  }
}

function headOf(group: DiagnosticGroup, namesTools: boolean): string {
  const words = [
    LETTER[group.severity],
    ...(namesTools ? [group.tool] : []),
    ...(group.code ? [group.code] : []),
  ];
  const help = (group.help ?? []).map((line) => `\n ${line.replaceAll("\n", "\n ")}`).join("");
  const url = group.url === undefined || group.template.includes(group.url) ? "" : ` ${group.url}`;
  return `${words.join(" ")}: ${group.template}${url}${help}`;
}

/** `file:4,9` and `file:4 name, 9 other`: no blank after a bare number, it would cost a token each. */
function fileLine(file: GroupedFile, places: readonly GroupedPlace[]): string {
  let list = "";
  for (const [index, place] of places.entries()) {
    const next = places[index + 1];
    const value = valuesOf(place);
    // Lines that share their values are listed before them: `4,7,9 name`.
    const shared =
      next !== undefined &&
      value !== "" &&
      valuesOf(next) === value &&
      !place.related &&
      next.line !== undefined;
    const column = place.column === undefined ? "" : `:${place.column}`;
    const at = place.line === undefined ? "" : `${place.line}${column}`;
    const more = (shared ? "" : value) + relatedOf(place.related);
    list += at === "" || more === "" || more.startsWith(" ") ? at + more : `${at} ${more}`;
    if (next !== undefined && list !== "") list += more === "" ? "," : ", ";
  }
  if (file.file === undefined) return list;
  const first = places[0]?.line === undefined ? ": " : ":";
  return list === "" ? file.file : `${file.file}${first}${list}`;
}

function valuesOf(place: GroupedPlace): string {
  return place.values.map((value) => (/[,|\n]|^$/.test(value) ? JSON.stringify(value) : value)).join("|");
}

function relatedOf(related: readonly RelatedPlace[] | undefined): string {
  if (related === undefined || related.length === 0) return "";
  const parts = related.map((place) =>
    [`${place.file}${place.line === undefined ? "" : `:${place.line}`}`, place.message]
      .filter(Boolean)
      .join(" "),
  );
  return ` (${parts.join("; ")})`;
}

function indent(text: string, by: string): string {
  return by + text.replaceAll("\n", `\n${by}`);
}
