import type { Budget } from "../kernel/budget.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile } from "../model/diagnostic-group.ts";
import type { Severity } from "../model/diagnostic.ts";
import { fileless, type FilePart, folderLine, folderOf, relatedOf } from "./places.ts";

export interface RenderedDiagnostics {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

const LETTER: Record<Severity, string> = { error: "E", warning: "W", info: "I" };
/** A place list is cut into pieces of this many, so that the budget can stop inside it. */
const PLACES_A_PIECE = 40;
/** A folder that all share is named once where that saves at least so many tokens. */
const MIN_SAVED = 40;

/** A stretch of text that is shown whole or not at all. A head is shown only with the piece after it. */
interface Piece {
  readonly head?: string;
  readonly text: string;
  readonly diagnostics: number;
}

/**
 * Every diagnostic in the fewest tokens: message templates with `file:lines` under them. Diagnostics that stand alone and share a file are
 * listed under it. A folder that all files share is named once, before the list.
 */
export function renderDiagnostics(groups: readonly DiagnosticGroup[], budget: Budget): RenderedDiagnostics {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const namesTools = new Set(groups.map((group) => group.tool)).size > 1;
  const folder = sharedFolder(groups);
  const lines = folder === "" ? [] : [`in ${folder}`];
  budget.reserve(lines.join());
  let shown = 0;
  let lastHead: string | undefined;
  for (const piece of pieces(saidOnce(below(groups, folder)), namesTools)) {
    const head = piece.head !== undefined && piece.head !== lastHead ? `${piece.head}\n` : "";
    if (!budget.take(`${head}${piece.text}\n`)) break;
    lines.push(head + piece.text);
    shown += piece.diagnostics;
    lastHead = piece.head;
  }
  return { text: shown === 0 ? "" : lines.join("\n"), shown, total };
}

/** The folder that all files are in, where naming it once is worth a line. */
function sharedFolder(groups: readonly DiagnosticGroup[]): string {
  const folders = groups.flatMap((group) => [
    ...new Set(group.files.flatMap(({ file }) => (file === undefined ? [] : [folderOf(file)]))),
  ]);
  let [shared = ""] = folders;
  for (const folder of folders) while (!folder.startsWith(shared)) shared = folderOf(shared.slice(0, -1));
  return (folders.length - 1) * estimateTokens(shared) - 2 >= MIN_SAVED ? shared : "";
}

function below(groups: readonly DiagnosticGroup[], folder: string): readonly DiagnosticGroup[] {
  if (folder === "") return groups;
  const shortened = (file: string): string => (file.startsWith(folder) ? file.slice(folder.length) : file);
  return groups.map((group) => ({
    ...group,
    files: group.files.map(({ file, places }) => ({
      ...(file === undefined ? {} : { file: shortened(file) }),
      places: places.map((place) =>
        place.related === undefined
          ? place
          : { ...place, related: place.related.map((one) => ({ ...one, file: shortened(one.file) })) },
      ),
    })),
  }));
}

/** What explains a rule stands at its first use only. */
function saidOnce(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  const said = new Set<string>();
  return groups.map(({ url, help, ...group }) => {
    const newHelp = help?.filter((line) => !said.has(`${group.code}\0${line}`));
    for (const line of newHelp ?? []) said.add(`${group.code}\0${line}`);
    const known = [group.template, ...(help ?? [])].some((text) => url !== undefined && text.includes(url));
    const newUrl = url === undefined || known || said.has(url) ? undefined : url;
    if (newUrl !== undefined) said.add(newUrl);
    return {
      ...group,
      ...(newUrl === undefined ? {} : { url: newUrl }),
      ...(newHelp === undefined || newHelp.length === 0 ? {} : { help: newHelp }),
    };
  });
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
  const related = place === undefined ? "" : relatedOf(place, file?.file ?? "");
  const text = indent(`${line}${headOf(group, namesTools)}`, " ") + (related && ` ${related}`);
  return { ...(file?.file === undefined ? {} : { head: file.file }), text, diagnostics: 1 };
}

function* groupPieces(group: DiagnosticGroup, namesTools: boolean): Generator<Piece> {
  const head = headOf(group, namesTools);
  const folders = new Map<string, FilePart[]>();
  for (const file of group.files) {
    if (file.file === undefined) yield* filelessPieces(file, head);
    else {
      const folder = folderOf(file.file);
      const parts = folders.get(folder) ?? [];
      folders.set(folder, parts);
      for (let from = 0; from < file.places.length; from += PLACES_A_PIECE)
        parts.push({ file: file.file, places: file.places.slice(from, from + PLACES_A_PIECE) });
    }
  }
  for (const [folder, parts] of folders)
    for (const some of inPieces(parts)) {
      const diagnostics = some.reduce((sum, part) => sum + part.places.length, 0);
      yield { head, text: ` ${folderLine(folder, some)}`, diagnostics };
    }
}

function* filelessPieces(file: GroupedFile, head: string): Generator<Piece> {
  if (file.places.every((place) => place.values.length === 0 && place.help === undefined)) {
    const [first] = file.places;
    const related = first === undefined ? "" : relatedOf(first, "");
    yield { text: head + (related && ` ${related}`), diagnostics: file.places.length };
    return;
  }
  for (let from = 0; from < file.places.length; from += PLACES_A_PIECE) {
    const places = file.places.slice(from, from + PLACES_A_PIECE);
    yield { head, text: ` ${fileless(file, places)}`, diagnostics: places.length };
  }
}

/** As many parts together as make a piece. */
function inPieces(parts: readonly FilePart[]): FilePart[][] {
  const pieces: FilePart[][] = [];
  let room = 0;
  for (const part of parts) {
    room -= part.places.length;
    const last = pieces.at(-1);
    if (last !== undefined && room >= 0) last.push(part);
    else {
      pieces.push([part]);
      room = PLACES_A_PIECE - part.places.length;
    }
  }
  return pieces;
}

function headOf(group: DiagnosticGroup, namesTools: boolean): string {
  const words = [
    LETTER[group.severity],
    ...(namesTools ? [group.tool] : []),
    ...(group.code ? [group.code] : []),
  ];
  const help = (group.help ?? []).map((line) => `\n ${line.replaceAll("\n", "\n ")}`).join("");
  const url = group.url === undefined ? "" : ` ${group.url}`;
  return `${words.join(" ")}: ${group.template}${url}${help}`;
}

function indent(text: string, by: string): string {
  return by + text.replaceAll("\n", `\n${by}`);
}
