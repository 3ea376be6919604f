import type { NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import { fixtureNamed } from "./fixtures.ts";
import { folderOf, joinPath, type ModuleRules, type ModuleTree } from "./module-rules.ts";
import { isPythonBuiltIn } from "./python-builtins.ts";

/**
 * Python: a module is a file or a folder with `__init__.py`. An absolute name begins at a folder of the search path,
 * which is not written down anywhere: it is looked for in the folders around the importing file, then in `src` and
 * `lib`, then in every folder that has a package of this name and is in none itself.
 */
export const pythonModules: ModuleRules = {
  languages: ["python"],
  exportsImports: true,
  hasOneDefinition: true,
  find: (module, from, tree) => Promise.resolve(findModule(module, from, tree)),
  submodule: (parent, name, tree) =>
    moduleAt(typeof parent === "string" ? parent : packageFolder(parent), [name], tree),
  isKept,
  argument: fixtureNamed,
  isBuiltIn: isPythonBuiltIn,
};

/** The uses of a file contain no shorter strings. */
const MIN_STRING = 3;

/**
 * Names that begin with an underscore are private, unless a string, probably in `__all__`, lists them. If the file has an
 * `__all__` that consists of strings alone, the names that it does not list are private, too.
 */
async function isKept(file: ViewFile, name: string, tree: ModuleTree): Promise<boolean> {
  const { symbols } = tree.view.documentOf(file);
  const hasList = symbols.some((one) => one.name === "__all__" && one.parent < 0);
  if (!name.startsWith("_") && (!hasList || name.length < MIN_STRING)) return false;
  const { uses } = await tree.factsOf(file);
  const isListed = ({ role }: NameUse): boolean => role === "string" || role === "export";
  const strings = new Set(uses.filter(isListed).map((use) => use.name));
  if (strings.has(name)) return false;
  if (name.startsWith("_")) return true;
  const isExtended = uses.some((use) => use.name === "__all__" && use.receiver !== "none");
  return !isExtended && symbols.some((one) => one.parent < 0 && strings.has(one.name));
}

/** Returns the folder whose files are the submodules of a module; only a package has some. */
function packageFolder({ path }: ViewFile): string {
  return /(?:^|\/)__init__\.pyi?$/.test(path) ? folderOf(path) : `${path}/`;
}

function findModule(
  module: string,
  from: ViewFile,
  tree: ModuleTree,
): readonly ViewFile[] | "outside" | "missing" {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const names = module
    .slice(dots)
    .split(".")
    .filter((name) => name !== "");
  if (dots > 0) {
    const folder = joinPath(folderOf(from.path), "../".repeat(dots - 1));
    if (folder === undefined) return "missing";
    const found = moduleAt(folder, names, tree);
    return found.length > 0 ? found : "missing";
  }
  for (const root of rootsFor(names[0] ?? "", from, tree)) {
    const found = moduleAt(root, names, tree);
    if (found.length > 0) return found;
  }
  // A module that is not there, in a package that is there, belongs to no dependency.
  const isOwn = names.length > 1 && findModule(names[0] ?? "", from, tree) !== "outside";
  return isOwn ? "missing" : "outside";
}

/** Returns the files of a module below a folder: its source, and its declarations in a `.pyi` file. */
function moduleAt(folder: string, names: readonly string[], tree: ModuleTree): readonly ViewFile[] {
  const base = [...(folder === "" ? [] : [folder]), ...names].join("/");
  const candidates = names.length === 0 ? [] : [`${base}.py`, `${base}.pyi`];
  const found = [
    ...candidates,
    ...["py", "pyi"].map((end) => (base === "" ? `__init__.${end}` : `${base}/__init__.${end}`)),
  ].flatMap((path) => tree.view.fileAt(path) ?? []);
  if (found.length > 0 || !tree.hasFolder(base)) return found;
  // A folder without `__init__.py` is a package, too. It has no names of its own, only submodules.
  return tree
    .filesIn(base)
    .filter(({ path }) => path.endsWith(".py"))
    .slice(0, 1);
}

/** Returns the folders in which an absolute module name may begin, the likeliest first. */
function rootsFor(name: string, from: ViewFile, tree: ModuleTree): string[] {
  const roots: string[] = [];
  for (let folder = folderOf(from.path); ; folder = folderOf(folder)) {
    if (isRoot(folder, tree)) roots.push(folder);
    if (folder === "") break;
    for (const source of ["src", "lib"])
      if (tree.hasFolder(`${folder}/${source}`)) roots.push(`${folder}/${source}`);
  }
  for (const source of ["src", "lib", "python"]) if (tree.hasFolder(source)) roots.push(source);
  return [...new Set([...roots, ...foldersWith(name, tree)])];
}

/** Returns true if a folder is no package itself, so that absolute names can begin in it. */
function isRoot(folder: string, { view }: ModuleTree): boolean {
  return folder === "" || view.fileAt(`${folder}/__init__.py`) === undefined;
}

const topNames = new WeakMap<ModuleTree["view"], Map<string, string[]>>();

/** Returns the folders, themselves in no package, that contain a package or module of this name. */
function foldersWith(name: string, tree: ModuleTree): readonly string[] {
  const known = topNames.get(tree.view) ?? collectTopNames(tree);
  topNames.set(tree.view, known);
  return known.get(name) ?? [];
}

function collectTopNames(tree: ModuleTree): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { path } of tree.view.files) {
    if (!path.endsWith("/__init__.py")) continue;
    const folder = folderOf(path);
    const root = folderOf(folder);
    if (!isRoot(root, tree)) continue;
    const name = folder.slice(folder.lastIndexOf("/") + 1);
    found.set(name, (found.get(name) ?? new Set()).add(root));
  }
  return new Map([...found].map(([name, roots]) => [name, [...roots].sort((a, b) => a.length - b.length)]));
}
