import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import { folderOf } from "./path-lines.ts";
import { needsQuotes } from "./places.ts";

/** What the paths of a list have in common, so that it is said once. */
export interface Base {
  /** Paths are as seen from it; those of other folders begin with `../`. */
  readonly folder: string;
  /** The folder in it that names without a folder are in. */
  readonly usual: string;
  /** All names end so, and are written without it. */
  readonly ending: string;
}

/** A line of its own has to save so many tokens. */
const MIN_SAVED = 40;
const MIN_SAVED_DENSE = 8;
const MIN_SAVED_USUAL = 2;
/** An ending stands on so many lines at least. */
const MIN_LINES = 6;
/** Of the folders that are named most often. */
const MAX_TRIED = 6;
/** With more steps up a path is hard to follow. */
const MAX_UP = 2;

/** The base of a list: the folder that all files are in or, in a dense list, most of them; and in that the usual one. Nothing where that saves little. */
export function baseOf(groups: readonly DiagnosticGroup[], dense: boolean): Base {
  const files = allFiles(groups);
  if (files.some(needsQuotes)) return { folder: "", usual: "", ending: "" };
  const named = foldersNamed(groups);
  const shared = sharedFolder([...named.keys()]);
  const often = dense && files.every((file) => isBelow(file, shared)) ? oftenNamed(named) : [];
  let best = { folder: "", usual: "" };
  let bestCost = costFrom(best, named) - (dense ? MIN_SAVED_DENSE : MIN_SAVED);
  for (const folder of new Set(["", shared, ...often])) {
    // Of paths that begin with a sign of their own it could not be told what is usual.
    const inside =
      folder !== "" || isBelow(shared, "") ? often.filter((path) => path.startsWith(folder)) : [];
    for (const usual of new Set(["", ...inside.map((path) => path.slice(folder.length))])) {
      const cost = costFrom({ folder, usual }, named) + (usual === "" ? 0 : MIN_SAVED_USUAL);
      if (cost <= bestCost) [best, bestCost] = [{ folder, usual }, cost];
    }
  }
  const lines = [...named.values()].reduce((sum, times) => sum + times, 0);
  return { ...best, ending: dense && lines >= MIN_LINES ? sharedEnding(files) : "" };
}

/** The line that names the base; nothing where there is none. */
export function baseLine({ folder, usual, ending }: Base): string {
  const text = `${folder}${usual && `{${usual}}`}${ending && `*${ending}`}`;
  return text && `in ${text}`;
}

/** The same groups with their paths as seen from the base. */
export function seenFrom(groups: readonly DiagnosticGroup[], base: Base): readonly DiagnosticGroup[] {
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

/** A name in the base itself, beside a usual folder, needs a sign that it is not in that. */
function seenFolder(path: string, { folder, usual }: Omit<Base, "ending">): string {
  const seen = relative(path, folder);
  if (usual === "") return seen;
  return seen === usual ? "" : seen || `.${usual.at(-1)}`;
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
  return file.startsWith(folder) && !/^(?:[/\\]|[A-Za-z]:)|(?:^|[/\\])\.\.?[/\\]/.test(rest);
}

function oftenNamed(named: ReadonlyMap<string, number>): string[] {
  const often = [...named].sort(([, one], [, other]) => other - one).slice(0, MAX_TRIED);
  return often.map(([folder]) => folder);
}

function costFrom(base: Omit<Base, "ending">, named: ReadonlyMap<string, number>): number {
  let cost = estimateTokens(baseLine({ ...base, ending: "" }));
  for (const [path, times] of named)
    cost += stepsUp(path, base.folder) > MAX_UP ? Infinity : times * estimateTokens(seenFolder(path, base));
  return cost;
}

function relative(path: string, base: string): string {
  const known = sharedFolder([base, path]);
  return `..${base.at(-1)}`.repeat(stepsUp(path, base)) + path.slice(known.length);
}

function stepsUp(path: string, base: string): number {
  return base.slice(sharedFolder([base, path]).length).match(/[/\\]/g)?.length ?? 0;
}

/** The ending that all names have behind their last dot. */
function sharedEnding(files: readonly string[]): string {
  const ending = /\.[A-Za-z0-9]+$/.exec(files[0] ?? "")?.[0] ?? "";
  const hasIt = (file: string): boolean =>
    file.endsWith(ending) && /[^/\\\s]$/.test(file.slice(0, -ending.length));
  return ending !== "" && files.every(hasIt) ? ending : "";
}
