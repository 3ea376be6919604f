import { addToGroup } from "../../../kernel/group-by.ts";
import type { ViewFile } from "../../live/view.ts";
import { folderOf, joinPath, type ModuleRules, type ModuleTarget, type ModuleTree } from "./module-rules.ts";

/**
 * Go: a package is the files of a folder with the same package clause. Import paths begin with the path of a module,
 * which its `go.mod` tells; `replace` gives another folder to a path. Packages in `vendor` are dependencies.
 */
export const goModules: ModuleRules = {
  languages: ["go"],
  hasOpenTypes: true,
  hasOneDefinition: true,
  keysMayBeNames: true,
  find: findPackage,
  neighbours: (file, tree) => Promise.resolve(neighbours(file, tree)),
  packageName,
};

/** Returns the name in the package clause of a file. */
function packageName(file: ViewFile, { view }: ModuleTree): string | undefined {
  return view.documentOf(file).symbols.find(({ kind }) => kind === "module")?.name;
}

function isTest({ path }: ViewFile): boolean {
  return path.endsWith("_test.go");
}

function goFiles(folder: string, tree: ModuleTree): readonly ViewFile[] {
  return tree.filesIn(folder).filter(({ path }) => path.endsWith(".go"));
}

/** Returns the other files of a package. Only its tests see the names of its tests. */
function neighbours(file: ViewFile, tree: ModuleTree): readonly ViewFile[] {
  const name = packageName(file, tree);
  return goFiles(folderOf(file.path), tree).filter(
    (other) =>
      other.path !== file.path && (isTest(file) || !isTest(other)) && packageName(other, tree) === name,
  );
}

async function findPackage(module: string, from: ViewFile, tree: ModuleTree): Promise<ModuleTarget> {
  const folder = /^\.{1,2}(?:\/|$)/u.test(module)
    ? joinPath(folderOf(from.path), module)
    : await folderOfImport(module, from, tree);
  if (folder === undefined) return "outside";
  const files = goFiles(folder, tree).filter((file) => !isTest(file));
  const libraries = files.filter((file) => packageName(file, tree) !== "main");
  const found = libraries.length > 0 ? libraries : files;
  return found.length > 0 ? found : "missing";
}

/** An import path and the folder of the project that it refers to. */
interface Root {
  readonly path: string;
  readonly folder: string;
}

/** Returns the folder that an import path refers to, by the longest path of a module that it begins with. */
async function folderOfImport(module: string, from: ViewFile, tree: ModuleTree): Promise<string | undefined> {
  let best: Root | undefined;
  for (const root of await rootsOf(tree)) {
    if (module !== root.path && !module.startsWith(`${root.path}/`)) continue;
    // A copy of a module, as in a folder of test data, is only meant by files beside it.
    const isBetter =
      root.path.length > (best?.path.length ?? -1) ||
      (root.path.length === best?.path.length && isAround(root.folder, from) && !isAround(best.folder, from));
    if (isBetter) best = root;
  }
  if (best === undefined) return undefined;
  const folder = joinPath(best.folder, module.slice(best.path.length));
  return folder !== undefined && /(?:^|\/)vendor\//u.test(`${folder}/`) ? undefined : folder;
}

function isAround(folder: string, { path }: ViewFile): boolean {
  return folder === "" || path.startsWith(`${folder}/`);
}

const rootsOfView = new WeakMap<ModuleTree["view"], Promise<readonly Root[]>>();

function rootsOf(tree: ModuleTree): Promise<readonly Root[]> {
  const known = rootsOfView.get(tree.view) ?? readRoots(tree);
  rootsOfView.set(tree.view, known);
  return known;
}

/** Upper bound on modules of a project whose `go.mod` is read. */
const MAX_MODULES = 500;

async function readRoots(tree: ModuleTree): Promise<readonly Root[]> {
  const manifests = tree.view.files
    .filter(({ path }) => /(?:^|\/)go\.mod$/u.test(path))
    .slice(0, MAX_MODULES);
  const roots: Root[] = [];
  for (const { path } of manifests) roots.push(...rootsIn((await tree.textOf(path)) ?? "", folderOf(path)));
  return roots.length > 0 ? roots : guessedRoots(tree);
}

const MODULE = /^[ \t]*module[ \t]+"?([^\s"]+)"?/mu;
const REPLACE =
  /^[ \t]*(?:replace[ \t]+)?"?([^\s"()]+)"?(?:[ \t]+v\S+)?[ \t]*=>[ \t]*"?(\.{1,2}(?:\/[^\s"]*)?)"?/gmu;

/** Reads the path of a module and its replacements by folders from the text of a `go.mod`. */
function rootsIn(text: string, folder: string): Root[] {
  const plain = text.replace(/\/\/[^\n]*/gu, "");
  const path = MODULE.exec(plain)?.[1];
  const replaced = [...plain.matchAll(REPLACE)].flatMap(([, from = "", to = ""]) => {
    const target = joinPath(folder, to);
    return target === undefined ? [] : [{ path: from, folder: target }];
  });
  return path === undefined ? replaced : [{ path, folder }, ...replaced];
}

/** Number of folders that must fit a path for a project without `go.mod`. */
const MIN_FITTING = 2;

/**
 * Finds the import path of the root of a project without `go.mod`: the one that, followed by a folder of the project,
 * gives most of the import paths in its files.
 */
function guessedRoots(tree: ModuleTree): readonly Root[] {
  const folders = new Set(
    tree.view.files.flatMap(({ path }) => (path.endsWith(".go") ? [folderOf(path)] : [])),
  );
  const fitting = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const file of tree.view.files) {
    if (!file.path.endsWith(".go")) continue;
    for (const module of tree.view.documentOf(file).imports) {
      if (seen.has(module)) continue;
      seen.add(module);
      for (let at = module.indexOf("/"); at >= 0; at = module.indexOf("/", at + 1))
        if (folders.has(module.slice(at + 1))) addToGroup(fitting, module.slice(0, at), module);
    }
  }
  const [best] = [...fitting].sort(([, a], [, b]) => b.length - a.length);
  return best === undefined || best[1].length < MIN_FITTING ? [] : [{ path: best[0], folder: "" }];
}
