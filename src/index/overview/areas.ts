import type { Area } from "../../model/overview.ts";
import type { PathFacts } from "../text/paths.ts";

/** A file with what the map adds up by folder. */
export interface WeighedFile {
  /** The path below the folder of the map. */
  readonly path: string;
  readonly facts: Pick<PathFacts, "role" | "kind">;
  readonly lines: number;
  readonly weight: number;
  /** The names of its most used definitions, the most used first. */
  readonly names: readonly { readonly name: string; readonly weight: number }[];
}

interface Folder {
  readonly path: string;
  readonly files: WeighedFile[];
  readonly folders: Map<string, Folder>;
  own: number;
}

const MAX_AREAS = 30;
/** Folders that are listed of an opened one, even if there is no room for all. */
const MIN_OPENED = 8;
/** A folder with a smaller share of the uses is not opened. */
const MIN_OPEN_WEIGHT = 0.08;
/** A folder inside of an opened one with a smaller share is not listed on its own. */
const MIN_LISTED_WEIGHT = 0.005;
/** Share of the files of code from which those in no folder are listed, even if nothing uses them. */
const MIN_OWN_SHARE = 0.05;
/** Share of the weight of a folder from which one inside of it stands for it. */
const MAIN_SHARE = 0.85;
const NAMES_PER_AREA = 4;

/** Divides a folder into areas: its folders, of which the most used are opened further. */
export function areasOf(files: readonly WeighedFile[]): readonly Area[] {
  const root = treeOf(files);
  const folders = [...root.folders.values()].map(collapsed);
  const shown: { folder: Folder; depth: number }[] = [...ownFiles(files), ...folders].map((folder) => ({
    folder,
    depth: 0,
  }));
  const opened = new Set<Folder>();
  for (;;) {
    const next = shown
      .filter(({ folder }) => !opened.has(folder) && foldersIn(folder).length > 0 && isCode(folder))
      .filter(({ folder }) => weightOf(folder) >= MIN_OPEN_WEIGHT)
      .toSorted(byWeight)
      .find(({ folder }) => shown.length + Math.min(foldersIn(folder).length, MIN_OPENED) <= MAX_AREAS);
    if (next === undefined) break;
    opened.add(next.folder);
    const inside = insideOf(next.folder, MAX_AREAS - shown.length);
    shown.splice(shown.indexOf(next) + 1, 0, ...inside.map((folder) => ({ folder, depth: next.depth + 1 })));
  }
  return outline(shown, opened);
}

/** Returns the code that is in no folder, as the main package of a library in Go often is, as an area of its own. */
function ownFiles(files: readonly WeighedFile[]): readonly Folder[] {
  const own = files.filter(({ path, facts }) => !path.includes("/") && facts.kind === "code");
  const weight = own.reduce((sum, file) => sum + file.weight, 0);
  const code = files.filter(({ facts }) => facts.kind === "code").length;
  const isSmall = weight < MIN_LISTED_WEIGHT && own.length < code * MIN_OWN_SHARE;
  return own.length === 0 || isSmall ? [] : [{ path: ".", files: own, folders: new Map(), own: weight }];
}

/**
 * Returns the folders inside of one. A folder that has nearly all of the weight is left out in favour of those inside of
 * it, as `src`, `main` and `java` are.
 */
function foldersIn(folder: Folder): readonly Folder[] {
  const inside = [...folder.folders.values()].map(collapsed);
  const main = inside.find((one) => one.own >= folder.own * MAIN_SHARE && one.folders.size > 0);
  return main === undefined ? inside : [...foldersIn(main), ...inside.filter((one) => one !== main)];
}

/** Returns the folders inside of one, the most used first; small ones and those without room become one entry. */
function insideOf(folder: Folder, room: number): readonly Folder[] {
  const folders = foldersIn(folder)
    .map((one) => ({ folder: one }))
    .toSorted(byWeight)
    .map((one) => one.folder);
  const large = folders.filter(({ own }) => own >= MIN_LISTED_WEIGHT).slice(0, Math.max(room, MIN_OPENED));
  const others = folders.filter((one) => !large.includes(one));
  if (others.length < 2) return folders;
  const path = `${folder.path}/(${others.length} smaller folders)`;
  const own = others.reduce((sum, one) => sum + one.own, 0);
  return [...large, { path, files: others.flatMap(({ files }) => files), folders: new Map(), own }];
}

function byWeight(a: { readonly folder: Folder }, b: { readonly folder: Folder }): number {
  return weightOf(b.folder) - weightOf(a.folder) || b.folder.files.length - a.folder.files.length;
}

/** Puts the areas of each level in the order of their weights, each followed by those inside of it. */
function outline(
  shown: readonly { readonly folder: Folder; readonly depth: number }[],
  opened: ReadonlySet<Folder>,
): readonly Area[] {
  const tops = shown.filter(({ depth }) => depth === 0).toSorted(byWeight);
  return tops.flatMap((top) => {
    const from = shown.indexOf(top);
    const end = shown.findIndex(({ depth }, at) => at > from && depth === 0);
    const group = shown.slice(from, end < 0 ? undefined : end);
    return group.map(({ folder, depth }, at) => {
      const next = group.findIndex((one, index) => index > at && one.depth <= depth);
      const inside = group.slice(at + 1, next < 0 ? undefined : next).map((one) => one.folder);
      return areaOf(folder, depth, opened.has(folder) ? inside : []);
    });
  });
}

/** Describes an area; the definitions of the folders that are listed inside of it are named there. */
function areaOf(folder: Folder, depth: number, listed: readonly Folder[]): Area {
  const elsewhere = new Set(listed.flatMap(({ files }) => files));
  const inside = folder.files.filter((file) => !elsewhere.has(file));
  const role = roleOf(folder);
  return {
    path: folder.path,
    depth,
    weight: weightOf(folder),
    files: folder.files.length,
    lines: folder.files.reduce((sum, { lines }) => sum + lines, 0),
    names: role === undefined ? namesIn(inside) : [],
    ...(role !== undefined && { role }),
  };
}

function namesIn(files: readonly WeighedFile[]): readonly string[] {
  const all = files.flatMap(({ names }) => names).toSorted((a, b) => b.weight - a.weight);
  return [...new Set(all.map(({ name }) => name))].slice(0, NAMES_PER_AREA);
}

function roleOf({ files }: Folder): Area["role"] | undefined {
  const code = files.filter(({ facts: { kind } }) => kind === "code");
  if (code.length === 0) return "no code";
  const most = (test: (file: WeighedFile) => boolean): boolean =>
    code.filter(test).length > code.length * 0.8;
  if (most(({ facts: { role } }) => role.test)) return "tests";
  if (most(({ facts: { role } }) => role.vendored)) return "vendored";
  return most(({ facts: { role } }) => role.example) ? "examples" : undefined;
}

function isCode(folder: Folder): boolean {
  return roleOf(folder) === undefined;
}

function weightOf({ own }: Folder): number {
  return own;
}

function treeOf(files: readonly WeighedFile[]): Folder {
  const root: Folder = { path: "", files: [], folders: new Map(), own: 0 };
  for (const file of files) {
    let at = root;
    const names = file.path.split("/").slice(0, -1);
    add(at, file);
    for (const name of names) {
      const path = at.path === "" ? name : `${at.path}/${name}`;
      const next = at.folders.get(name) ?? { path, files: [], folders: new Map<string, Folder>(), own: 0 };
      at.folders.set(name, next);
      add(next, file);
      at = next;
    }
  }
  return root;
}

function add(folder: Folder, file: WeighedFile): void {
  folder.files.push(file);
  folder.own += file.weight;
}

/** Follows folders that hold nothing but one folder: `src/main/java/org/example`. */
function collapsed(folder: Folder): Folder {
  const [only, ...others] = folder.folders.values();
  const isOnly = only !== undefined && others.length === 0 && only.files.length === folder.files.length;
  return isOnly ? collapsed(only) : folder;
}
