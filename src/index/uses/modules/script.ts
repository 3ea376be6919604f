import type { ViewFile } from "../../live/view.ts";
import { folderOf, joinPath, type ModuleRules, type ModuleTarget, type ModuleTree } from "./module-rules.ts";
import {
  BUILT,
  compilerPaths,
  folderEntries,
  loadedBy,
  nearestPackage,
  packageEntries,
  workspacePackages,
  type Loader,
  type PackageManifest,
} from "./script-manifests.ts";

/**
 * JavaScript and TypeScript: relative paths with or without extension, the paths of `tsconfig.json`, the imports of
 * `package.json`, and the packages of the same workspace.
 */
export const scriptModules: ModuleRules = {
  languages: ["typescript", "tsx", "javascript", "vue", "svelte", "html"],
  find: findModule,
  neighbours: (_file, tree) => globalDeclarations(tree),
  // A file of declarations exports everything, and a component is exported as a whole.
  hasExports: ({ path }) => /(?<!\.d)\.[cm]?[jt]sx?$/u.test(path),
  isWholeValue: ({ path }) => !/\.[cm]?[jt]sx?$/u.test(path),
  hasStaticMembers: true,
  globalObjects: new Set(["globalThis", "global", "window", "self"]),
  isShared: async (file, tree) => {
    if (/\.(?:vue|svelte)$/u.test(file.path)) return false;
    const { links, marks } = await tree.factsOf(file);
    const isModule =
      links.length > 0 || [...marks.values()].some((one) => one === "exported" || one === "entry");
    return !isModule && isGlobal(file, tree);
  },
};

const globalsOfView = new WeakMap<ModuleTree["view"], Promise<readonly ViewFile[]>>();

/** Returns the declaration files whose names need no import, because they are no modules: nothing in them is exported. */
function globalDeclarations(tree: ModuleTree): Promise<readonly ViewFile[]> {
  const known = globalsOfView.get(tree.view) ?? findGlobalDeclarations(tree);
  globalsOfView.set(tree.view, known);
  return known;
}

async function findGlobalDeclarations(tree: ModuleTree): Promise<readonly ViewFile[]> {
  const found: ViewFile[] = [];
  for (const file of tree.view.files) {
    if (!/\.d\.[cm]?ts$/u.test(file.path) || file.facts.role.vendored) continue;
    if (await isGlobal(file, tree)) found.push(file);
  }
  return found;
}

/** Whether files are no modules, by the hash of their content, so that later questions need not read them. */
const globalByKey = new Map<string, boolean>();
const MAX_REMEMBERED = 10_000;

async function isGlobal({ path, key }: ViewFile, tree: ModuleTree): Promise<boolean> {
  const known = globalByKey.get(key);
  if (known !== undefined) return known;
  const text = (await tree.textOf(path)) ?? "";
  // Indented statements belong to a module that the file declares.
  const found = !/^(?:import|export)\b/mu.test(text);
  if (globalByKey.size >= MAX_REMEMBERED) globalByKey.clear();
  globalByKey.set(key, found);
  return found;
}

async function findModule(
  module: string,
  from: ViewFile,
  tree: ModuleTree,
  isRequired = false,
): Promise<ModuleTarget> {
  const loader = { path: from.path, isRequired };
  const plain = module.replace(/[?#](?!$).*$/u, (rest) => (module.startsWith("#") ? rest : ""));
  if (/^\.{1,2}(?:\/|$)/u.test(plain)) {
    const base = joinPath(folderOf(from.path), plain);
    const found =
      base === undefined ? undefined : ((await mainFile(base, loader, tree)) ?? fileFor(base, tree));
    return found === undefined ? "missing" : withDeclarations(found, tree);
  }
  const { paths, isNamed } = await compilerPaths(plain, from, tree);
  for (const base of paths) {
    const found = fileFor(base, tree);
    if (found !== undefined) return withDeclarations(found, tree);
  }
  const found = await findPackage(plain, loader, tree);
  if (typeof found !== "string") return found.flatMap((file) => withDeclarations(file, tree));
  return isNamed ? "missing" : found;
}

/** Returns a file of JavaScript together with the file beside it that declares its types, whichever of them was found. */
function withDeclarations(file: ViewFile, { view }: ModuleTree): readonly ViewFile[] {
  const other = /\.d\.[cm]?ts$/u.test(file.path)
    ? file.path.replace(/\.d\.([cm]?)ts$/u, ".$1js")
    : file.path.replace(/\.([cm]?)js$/u, ".d.$1ts");
  const beside = other === file.path ? undefined : view.fileAt(other);
  return beside === undefined ? [file] : [file, beside];
}

async function findPackage(module: string, loader: Loader, tree: ModuleTree): Promise<ModuleTarget> {
  const packages = await workspacePackages(tree);
  const by = loadedBy(loader, packages);
  if (module.startsWith("#")) {
    const own = nearestPackage(loader.path, packages);
    return own === undefined ? "missing" : filesOf(own, packageEntries(own, module, by), loader, tree);
  }
  const name = /^(?:@[^/]+\/)?[^/]+/u.exec(module)?.[0];
  const manifest = packages.find((one) => one.name === name);
  if (manifest === undefined || name === undefined) return "outside";
  const subpath = `.${module.slice(name.length)}`;
  return filesOf(manifest, packageEntries(manifest, subpath, by), loader, tree);
}

/**
 * Returns the file that a package has for an import. A script gets the code that runs, too, if the file only declares
 * its types, since either defines the names.
 */
function filesOf(
  own: PackageManifest,
  entries: readonly string[],
  { path }: Loader,
  tree: ModuleTree,
): ModuleTarget {
  const found = firstFile(own, entries, tree);
  if (found === undefined) return "missing";
  if (!DECLARATIONS.test(found.path) || !/\.[cm]?jsx?$/u.test(path)) return [found];
  const code = entries.filter((entry) => !DECLARATIONS.test(entry));
  const run = firstFile(own, code, tree);
  return run === undefined || DECLARATIONS.test(run.path) ? [found] : [found, run];
}

const DECLARATIONS = /\.d\.[cm]?ts$/u;

/** Returns the file that stands for a folder with a package.json, as `require("../..")` in its tests means it. */
async function mainFile(folder: string, loader: Loader, tree: ModuleTree): Promise<ViewFile | undefined> {
  if (tree.view.fileAt(folder === "" ? "package.json" : `${folder}/package.json`) === undefined)
    return undefined;
  const packages = await workspacePackages(tree);
  const own = packages.find((one) => one.folder === folder);
  return own === undefined ? undefined : firstFile(own, folderEntries(own, loadedBy(loader, packages)), tree);
}

function firstFile(
  { folder }: PackageManifest,
  entries: readonly string[],
  tree: ModuleTree,
): ViewFile | undefined {
  for (const entry of entries)
    for (const path of [entry, entry.replace(BUILT, "src/"), entry.replace(BUILT, "")]) {
      const base = joinPath(folder, path);
      const found = base === undefined ? undefined : fileFor(base, tree);
      if (found !== undefined) return found;
    }
  return undefined;
}

const EXTENSIONS = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"];
/** The extensions of sources for the extension of the compiled file that an import may name. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".js", ".jsx", ".d.ts"],
  ".jsx": [".tsx", ".jsx"],
  ".mjs": [".mts", ".mjs", ".ts"],
  ".cjs": [".cts", ".cjs", ".ts"],
};

/** Returns the source file for a path as an import writes it. */
function fileFor(base: string, { view }: ModuleTree): ViewFile | undefined {
  const extension = /\.[cm]?jsx?$/u.exec(base)?.[0];
  const bare = extension === undefined ? base : base.slice(0, -extension.length);
  const named = extension === undefined ? [] : (SOURCES[extension] ?? []).map((one) => bare + one);
  const index = base === "" ? "index" : `${base}/index`;
  const candidates = [
    ...named,
    ...EXTENSIONS.map((one) => base + one),
    ...EXTENSIONS.map((one) => index + one),
  ];
  const exact = view.fileAt(base);
  if (exact !== undefined && named.length === 0) return exact;
  for (const path of candidates) {
    const found = view.fileAt(path);
    if (found !== undefined) return found;
  }
  return exact;
}
