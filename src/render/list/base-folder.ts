import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import { folderOf } from "./path-lines.ts";
import { needsQuotes } from "./places.ts";

/** The base of a list of files: what their paths have in common, which a line above the list names once. */
export interface Base {
  /** The folder to which the paths in the list are relative; paths outside it begin with `../`. */
  readonly folder: string;
  /** The folder inside the base folder to which a file name without a folder belongs. */
  readonly defaultFolder: string;
  /** The file extension that all file names share; the list writes the names without it. */
  readonly ending: string;
}

/**
 * The fewest tokens that a base folder above the list must save to be used, in an easily readable and in a dense list.
 */
const MIN_SAVED = 40;
const MIN_SAVED_DENSE = 8;
/** The fewest tokens that a default folder (where names without a folder belong) must save to be used. */
const MIN_SAVED_DEFAULT = 2;
/** The fewest lines of a list from whose file names a shared extension is left out. */
const MIN_LINES = 6;
/** How many of the folders that are named most often are tried as a base folder or as a default folder. */
const MAX_TRIED = 6;
/** The most `../` in a path of the list; a path with more is hard to follow. */
const MAX_STEPS_UP = 2;

/**
 * Finds the base of a list of files: the folder of all of them or, in a dense list, of most of them, and the default
 * folder inside it. Both are empty if they would save little.
 */
export function findBase(groups: readonly DiagnosticGroup[], dense: boolean): Base {
  const files = allFiles(groups);
  if (files.some(needsQuotes)) return { folder: "", defaultFolder: "", ending: "" };
  const named = foldersNamed(groups);
  const shared = sharedFolder([...named.keys()]);
  const often = dense && files.every((file) => isBelow(file, shared)) ? mostNamed(named) : [];
  let best = { folder: "", defaultFolder: "" };
  let bestCost = costFrom(best, named) - (dense ? MIN_SAVED_DENSE : MIN_SAVED);
  for (const folder of new Set(["", shared, ...often])) {
    // A default folder would be ambiguous if paths are absolute or begin with "..".
    const inside =
      folder !== "" || isBelow(shared, "") ? often.filter((path) => path.startsWith(folder)) : [];
    for (const defaultFolder of new Set(["", ...inside.map((path) => path.slice(folder.length))])) {
      const cost =
        costFrom({ folder, defaultFolder }, named) + (defaultFolder === "" ? 0 : MIN_SAVED_DEFAULT);
      if (cost <= bestCost) [best, bestCost] = [{ folder, defaultFolder }, cost];
    }
  }
  const lines = [...named.values()].reduce((sum, times) => sum + times, 0);
  return { ...best, ending: dense && lines >= MIN_LINES ? sharedEnding(files) : "" };
}

/** The line above the list that names the base; empty if there is no base. */
export function baseLine({ folder, defaultFolder, ending }: Base): string {
  const text = `${folder}${defaultFolder && `{${defaultFolder}}`}${ending && `*${ending}`}`;
  return text && `in ${text}`;
}

/** Makes the paths in groups of diagnostics relative to the base. */
export function relativeTo(groups: readonly DiagnosticGroup[], base: Base): readonly DiagnosticGroup[] {
  if (baseLine(base) === "") return groups;
  const seen = (file: string): string =>
    seenFolder(folderOf(file), base) + file.slice(folderOf(file).length, file.length - base.ending.length);
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

/**
 * The folder as the list writes it. A file in the base folder itself is written with `./`, so that it is not taken for
 * one in the default folder.
 */
function seenFolder(path: string, { folder, defaultFolder }: Omit<Base, "ending">): string {
  const seen = relative(path, folder);
  if (defaultFolder === "") return seen;
  return seen === defaultFolder ? "" : seen || `.${defaultFolder.at(-1)}`;
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

/** Counts how often the list would name each folder: once per message. */
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

/** Checks whether the file is below the folder and its path from there is unambiguous. */
function isBelow(file: string, folder: string): boolean {
  const rest = file.slice(folder.length);
  return file.startsWith(folder) && !/^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.?[/\\]/.test(rest);
}

function mostNamed(named: ReadonlyMap<string, number>): string[] {
  const often = [...named].sort(([, one], [, other]) => other - one).slice(0, MAX_TRIED);
  return often.map(([folder]) => folder);
}

function costFrom(base: Omit<Base, "ending">, named: ReadonlyMap<string, number>): number {
  let cost = estimateTokens(baseLine({ ...base, ending: "" }));
  for (const [path, times] of named)
    cost +=
      stepsUp(path, base.folder) > MAX_STEPS_UP ? Infinity : times * estimateTokens(seenFolder(path, base));
  return cost;
}

function relative(path: string, base: string): string {
  const known = sharedFolder([base, path]);
  return `..${base.at(-1)}`.repeat(stepsUp(path, base)) + path.slice(known.length);
}

function stepsUp(path: string, base: string): number {
  return base.slice(sharedFolder([base, path]).length).match(/[/\\]/g)?.length ?? 0;
}

/** The file extension that all names share; empty if they differ. */
function sharedEnding(files: readonly string[]): string {
  const ending = /\.[A-Za-z0-9]+$/.exec(files[0] ?? "")?.[0] ?? "";
  const hasIt = (file: string): boolean =>
    file.endsWith(ending) && /[^/\\\s]$/.test(file.slice(0, -ending.length));
  return ending !== "" && files.every(hasIt) ? ending : "";
}
