import { estimateTokens } from "../kernel/tokens.ts";
import type { DiagnosticGroup } from "../model/diagnostic-group.ts";
import { folderOf } from "./path-lines.ts";
import { needsQuotes } from "./places.ts";

/** What the paths of a list have in common, so that it is said once: they are relative to the folder, and without the ending. */
export interface Base {
  readonly folder: string;
  readonly ending: string;
}

/** A line of its own has to save so many tokens. */
const MIN_SAVED = 40;
const MIN_SAVED_DENSE = 8;
/** An ending stands on so many lines at least. */
const MIN_LINES = 6;
/** With more steps up a path is hard to follow. */
const MAX_UP = 2;
/** Of the folders that are named most often. */
const MAX_TRIED = 6;

/**
 * The base of a list: the folder that all files are in or, in a dense list, the one most of them are in; the others are reached from it by
 * `../`. Nothing where that saves little.
 */
export function baseOf(groups: readonly DiagnosticGroup[], dense: boolean): Base {
  const files = allFiles(groups);
  if (files.some(needsQuotes)) return { folder: "", ending: "" };
  const named = foldersNamed(groups);
  const shared = sharedFolder([...named.keys()]);
  const cost = (base: string): number => costFrom(base, named) + estimateTokens(`in ${base}`);
  const most = costFrom("", named) - (dense ? MIN_SAVED_DENSE : MIN_SAVED);
  const tried = dense && files.every((file) => isBelow(file, shared)) ? oftenNamed(named, shared) : [];
  let folder = cost(shared) <= most ? shared : "";
  for (const base of tried) if (cost(base) + MIN_SAVED_DENSE <= cost(folder)) folder = base;
  const lines = [...named.values()].reduce((sum, times) => sum + times, 0);
  return { folder, ending: dense && lines >= MIN_LINES ? sharedEnding(files) : "" };
}

/** The line that names the base; nothing where there is none. */
export function baseLine({ folder, ending }: Base): string {
  if (folder === "" && ending === "") return "";
  return `in ${folder}${ending === "" ? "" : `*${ending}`}`;
}

/** The same groups with their paths as seen from the base. */
export function seenFrom(groups: readonly DiagnosticGroup[], base: Base): readonly DiagnosticGroup[] {
  if (baseLine(base) === "") return groups;
  const seen = (file: string): string =>
    relative(folderOf(file), base.folder) +
    file.slice(folderOf(file).length, file.length - base.ending.length);
  return groups.map((group) => ({
    ...group,
    files: group.files.map(({ file, places }) => ({
      ...(file === undefined ? {} : { file: seen(file) }),
      places: places.map((place) =>
        place.related === undefined
          ? place
          : { ...place, related: place.related.map((one) => ({ ...one, file: seen(one.file) })) },
      ),
    })),
  }));
}

function allFiles(groups: readonly DiagnosticGroup[]): string[] {
  const files = new Set<string>();
  for (const group of groups)
    for (const { file, places } of group.files) {
      if (file !== undefined) files.add(file);
      for (const { related = [] } of places) for (const one of related) files.add(one.file);
    }
  return [...files];
}

/** How often each folder is named: once a message. */
function foldersNamed(groups: readonly DiagnosticGroup[]): Map<string, number> {
  const named = new Map<string, number>();
  for (const { files } of groups)
    for (const folder of new Set(files.flatMap(({ file }) => (file === undefined ? [] : [folderOf(file)]))))
      named.set(folder, (named.get(folder) ?? 0) + 1);
  return named;
}

function sharedFolder(folders: readonly string[]): string {
  let [shared = ""] = folders;
  for (const folder of folders) while (!folder.startsWith(shared)) shared = folderOf(shared.slice(0, -1));
  return shared;
}

/** Whether steps up and down from another folder lead to a file, and to no other. */
function isBelow(file: string, folder: string): boolean {
  const rest = file.slice(folder.length);
  return file.startsWith(folder) && !/^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.[/\\]/.test(rest);
}

function oftenNamed(named: ReadonlyMap<string, number>, shared: string): string[] {
  const often = [...named].sort(([, one], [, other]) => other - one).slice(0, MAX_TRIED);
  return often
    .map(([folder]) => folder)
    .filter(
      (base) => [...named.keys()].every((folder) => stepsUp(folder, base) <= MAX_UP) && base !== shared,
    );
}

function costFrom(base: string, named: ReadonlyMap<string, number>): number {
  let cost = 0;
  for (const [folder, times] of named) cost += times * estimateTokens(relative(folder, base));
  return cost;
}

function relative(folder: string, base: string): string {
  const known = sharedFolder([base, folder]);
  return `..${base.at(-1)}`.repeat(stepsUp(folder, base)) + folder.slice(known.length);
}

function stepsUp(folder: string, base: string): number {
  return base.slice(sharedFolder([base, folder]).length).match(/[/\\]/g)?.length ?? 0;
}

/** The ending that all names have behind their last dot. */
function sharedEnding(files: readonly string[]): string {
  const ending = /\.[A-Za-z0-9]+$/.exec(files[0] ?? "")?.[0] ?? "";
  const hasIt = (file: string): boolean =>
    file.endsWith(ending) && /[^/\\\s]$/.test(file.slice(0, -ending.length));
  return ending !== "" && files.every(hasIt) ? ending : "";
}
