import { estimateTokens } from "../../kernel/tokens.ts";

/** A file and the text that follows its name in the list, such as `:3,9`. */
export interface PathItem {
  readonly path: string;
  readonly text: string;
  readonly diagnostics: number;
}

/** One line of the list, with one or more files. */
export interface PathLine {
  /** The folder of the files, if it is named on a line above them. */
  readonly head?: string;
  readonly text: string;
  readonly diagnostics: number;
}

/** The most diagnostics on one line of the list. A small budget can cut the list only between lines. */
export const DIAGNOSTICS_PER_LINE = 40;

interface Folder {
  /** The path of the folder with its closing slash; empty for the root. */
  readonly path: string;
  readonly dense: boolean;
  readonly files: PathItem[];
  readonly folders: Map<string, Folder>;
  /** The cheapest layout of the folder, by how many characters of its path are already written above. */
  readonly layouts: Map<number, Layout>;
}

interface Layout {
  readonly lines: readonly Line[];
  readonly cost: number;
}

interface Line {
  readonly head?: string;
  readonly folder: string;
  readonly items: readonly PathItem[];
}

/**
 * Lists files in the fewest tokens: `src/auth/: jwt.ts:3,9; login.ts:12 name`. A folder is named once: on the line of
 * its files or, if several lines are about it, above them.
 */
export function pathLines(items: readonly PathItem[], dense: boolean): PathLine[] {
  return layoutOf(treeOf(items, dense), 0).lines.flatMap(({ head, folder, items: all }) =>
    splitLines(all).map((some) => ({
      ...(head === undefined ? {} : { head }),
      text: lineText(folder, some, dense),
      diagnostics: some.reduce((sum, item) => sum + item.diagnostics, 0),
    })),
  );
}

/** The folder of a path with its closing slash or backslash; empty if the path has none. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function treeOf(items: readonly PathItem[], dense: boolean): Folder {
  const root = newFolder("", dense);
  for (const item of items) {
    let at = root;
    for (const name of foldersOf(item.path)) {
      const known = at.folders.get(name) ?? newFolder(at.path + name, dense);
      at.folders.set(name, known);
      at = known;
    }
    at.files.push(item);
  }
  return root;
}

/** The names of the folders in a path. A quoted path is not split. */
function foldersOf(path: string): readonly string[] {
  return path.startsWith('"') ? [] : (folderOf(path).match(/[^/\\]*[/\\]/g) ?? []);
}

function newFolder(path: string, dense: boolean): Folder {
  return { path, dense, files: [], folders: new Map(), layouts: new Map() };
}

/** The cheapest layout of a folder, given that the first `named` characters of its path are already written above. */
function layoutOf(folder: Folder, named: number): Layout {
  const known = folder.layouts.get(named);
  if (known !== undefined) return known;
  const flat = cheapest([apart(folder, named), together(folder, named)]);
  // A folder on a line of its own below another such line would save little more and be hard to read.
  const layout =
    flat.lines.length > 1 && folder.path !== "" && named === 0 ? cheapest([flat, headed(folder)]) : flat;
  folder.layouts.set(named, layout);
  return layout;
}

function cheapest(layouts: readonly Layout[]): Layout {
  return layouts.reduce((best, layout) => (layout.cost < best.cost ? layout : best));
}

/** Writes the files of the folder on one line and lays out each subfolder separately. */
function apart(folder: Folder, named: number): Layout {
  const own = ownLine(folder, folder.files, named);
  return sumOf([own, ...[...folder.folders.values()].map((inner) => layoutOf(inner, named))]);
}

/** Writes the files of small subfolders on the same line as the folder's own files. */
function together(folder: Folder, named: number): Layout {
  // If the path of this folder is already written above, a common line would share nothing.
  if (folder.path.length <= named) return apart(folder, named);
  const small: PathItem[] = [];
  const large: Layout[] = [];
  for (const inner of folder.folders.values()) {
    const items = allItems(inner);
    const layout = layoutOf(inner, named);
    if (listCost(folder, items) < layout.cost) small.push(...items);
    else large.push(layout);
  }
  return sumOf([ownLine(folder, [...folder.files, ...small], named), ...large]);
}

/** Writes the path of the folder on a line of its own above its files. */
function headed(folder: Folder): Layout {
  const { lines, cost } = layoutOf(folder, folder.path.length);
  return {
    lines: lines.map((line) => ({ ...line, head: folder.path })),
    cost: cost + estimateTokens(folder.path) + MIN_HEAD_GAIN,
  };
}

/** The fewest tokens that a folder on a line of its own must save. */
const MIN_HEAD_GAIN = 4;

/**
 * Writes the files of a folder on one line or, in a dense list, on two lines if many but not all names share an ending.
 */
function ownLine(folder: Folder, items: readonly PathItem[], named: number): Layout {
  if (items.length === 0) return { lines: [], cost: 0 };
  const line = { folder: folder.path.slice(named), items: below(folder.path, items) };
  const whole = { lines: [line], cost: estimateTokens(lineText(line.folder, line.items, folder.dense)) + 1 };
  const ending = folder.dense ? commonEnding(items.map((item) => item.path)) : "";
  if (ending === "") return whole;
  const [alike, others] = [true, false].map((has) =>
    items.filter(({ path }) => path.endsWith(ending) === has),
  );
  return cheapest([
    whole,
    sumOf([ownLine(folder, others ?? [], named), ownLine(folder, alike ?? [], named)]),
  ]);
}

/**
 * Finds the ending of file names, such as `_test.go`, that saves most tokens among those that several names share, but
 * not all.
 */
function commonEnding(names: readonly string[]): string {
  const times = new Map<string, number>();
  for (const name of names)
    if (!name.startsWith('"'))
      for (const sign of name.slice(folderOf(name).length).matchAll(/[._-]/g)) {
        const ending = name.slice(folderOf(name).length + sign.index);
        times.set(ending, (times.get(ending) ?? 0) + 1);
      }
  let [best, mostSaved] = ["", 0];
  for (const [ending, count] of times)
    if (count > 1 && count < names.length && count * ending.length > mostSaved)
      [best, mostSaved] = [ending, count * ending.length];
  return best;
}

function below(folder: string, items: readonly PathItem[]): PathItem[] {
  return items.map((item) => ({ ...item, path: item.path.slice(folder.length) }));
}

/** The tokens that files cost if they are added to an existing line. */
function listCost({ path, dense }: Folder, items: readonly PathItem[]): number {
  return estimateTokens(lineText("", below(path, items), dense)) + 1;
}

function sumOf(layouts: readonly Layout[]): Layout {
  return {
    lines: layouts.flatMap((layout) => layout.lines),
    cost: layouts.reduce((sum, layout) => sum + layout.cost, 0),
  };
}

function allItems(folder: Folder): PathItem[] {
  return [...folder.files, ...[...folder.folders.values()].flatMap(allItems)];
}

/** Splits the files of a line into lines of at most DIAGNOSTICS_PER_LINE diagnostics. */
function splitLines(items: readonly PathItem[]): PathItem[][] {
  const lines: PathItem[][] = [];
  let room = 0;
  for (const item of items) {
    room -= item.diagnostics;
    const last = lines.at(-1);
    if (last !== undefined && room >= 0) last.push(item);
    else {
      lines.push([item]);
      room = DIAGNOSTICS_PER_LINE - item.diagnostics;
    }
  }
  return lines;
}

function lineText(folder: string, items: readonly PathItem[], dense: boolean): string {
  const [only] = items;
  if (only !== undefined && items.length === 1) return folder + only.path + only.text;
  const names = items.map((item) => item.path);
  const parts = items.every((item) => item.text === "")
    ? (joinByBraces(names) ?? names)
    : items.map((item) => item.path + item.text);
  if (parts.length === 1) return folder + parts.join("");
  const ending = dense && items.every((item) => item.text !== "") ? sharedEnding(names) : "";
  const whole = folder === "" ? parts.join("; ") : `${folder}: ${parts.join("; ")}`;
  if (ending === "") return whole;
  const stems = items.map(({ path, text }) => path.slice(0, path.length - ending.length) + text);
  const short = `${folder}*${ending}: ${stems.join("; ")}`;
  return estimateTokens(short) < estimateTokens(whole) ? short : whole;
}

/** The ending that all file names share, from punctuation on. It is written once: `*_test.go: auth:3; login:7`. */
function sharedEnding(names: readonly string[]): string {
  const [first = ""] = names;
  if (names.some((name) => name.startsWith('"'))) return "";
  let same = Math.min(...names.map((name) => name.length)) - 1;
  for (const name of names) while (!name.endsWith(first.slice(first.length - same))) same--;
  return /[._/\\-].*$/s.exec(first.slice(first.length - same))?.[0] ?? "";
}

/**
 * Joins file names in the notation of shell brace expansion: `{ast,codegen}.ts`; undefined if a name does not allow
 * that.
 */
function joinByBraces(names: readonly string[]): string[] | undefined {
  if (names.some((name) => /[",\s]/.test(name))) return undefined;
  const longEndings = new Map<string, number>();
  for (const name of names) {
    const ending = longEnding(name);
    longEndings.set(ending, (longEndings.get(ending) ?? 0) + 1);
  }
  const byEnding = new Map<string, string[]>();
  for (const name of names) {
    const long = longEnding(name);
    const ending = (longEndings.get(long) ?? 0) > 1 ? long : long.slice(long.lastIndexOf("."));
    const stem = name.slice(0, name.length - ending.length);
    const known = byEnding.get(ending);
    if (known === undefined) byEnding.set(ending, [stem]);
    else known.push(stem);
  }
  return [...byEnding].map(([ending, stems]) =>
    stems.length === 1 ? `${stems.join("")}${ending}` : `{${stems.join(",")}}${ending}`,
  );
}

/** The ending of a file name from its first dot on: `.test.ts`. */
function longEnding(path: string): string {
  const dot = path.indexOf(".", folderOf(path).length + 1);
  return dot < 0 ? "" : path.slice(dot);
}
