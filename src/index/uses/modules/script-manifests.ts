import type { ViewFile } from "../../live/view.ts";
import { folderOf, joinPath, type ModuleTree } from "./module-rules.ts";

/** A package of the workspace, as its `package.json` describes it. */
export interface PackageManifest {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Upper bound on manifests that are read; larger workspaces resolve imports between packages only for these. */
const MAX_PACKAGES = 1_000;

/** Manifests by the hash of their content, so that later questions need not read them again. */
const parsed = new Map<string, Readonly<Record<string, unknown>> | undefined>();
const MAX_PARSED = 4_000;

const packagesOfView = new WeakMap<ModuleTree["view"], Promise<readonly PackageManifest[]>>();

/** Returns the packages of the project. */
export function workspacePackages(tree: ModuleTree): Promise<readonly PackageManifest[]> {
  const known = packagesOfView.get(tree.view) ?? readPackages(tree);
  packagesOfView.set(tree.view, known);
  return known;
}

async function readPackages(tree: ModuleTree): Promise<readonly PackageManifest[]> {
  const files = tree.view.files
    .filter(({ path }) => /(?:^|\/)package\.json$/u.test(path))
    .slice(0, MAX_PACKAGES);
  const packages: PackageManifest[] = [];
  for (const file of files) {
    const manifest = await readJson(file, tree);
    const name = manifest?.["name"];
    if (manifest === undefined) continue;
    packages.push({ folder: folderOf(file.path), name: typeof name === "string" ? name : "", manifest });
  }
  return packages;
}

async function readJson(
  file: ViewFile,
  tree: ModuleTree,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (parsed.has(file.key)) return parsed.get(file.key);
  const value = parseJson((await tree.textOf(file.path)) ?? "");
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(file.key, value);
  return value;
}

const COMMENT_OR_STRING = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//gu;

/** Parses JSON that may have comments and trailing commas, as a tsconfig.json has. */
function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  const plain = text
    .replace(/^\uFEFF/u, "")
    .replace(COMMENT_OR_STRING, (found) => (found.startsWith('"') ? found : ""))
    .replace(/,(?=\s*[}\]])/gu, "");
  try {
    const value: unknown = JSON.parse(plain);
    return isRecord(value) ? value : undefined;
  } catch {
    // A manifest that is being edited may be invalid; imports that need it then count as imports of dependencies.
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** How a file loads packages, which decides between the entries that a package has for `import` and for `require`. */
export type LoadedBy = "import" | "require";

/** The file that loads a package. */
export interface Loader {
  readonly path: string;
  /** True if the package is known to be loaded by a call of `require`. */
  readonly isRequired: boolean;
}

/** Returns how a file loads packages, by the rules of Node.js; TypeScript writes imports, whatever it is built into. */
export function loadedBy({ path, isRequired }: Loader, packages: readonly PackageManifest[]): LoadedBy {
  if (isRequired) return "require";
  if (/\.c[jt]s$/u.test(path)) return "require";
  if (!/\.jsx?$/u.test(path)) return "import";
  return nearestPackage(path, packages)?.manifest["type"] === "module" ? "import" : "require";
}

/** Returns the package that a file belongs to. */
export function nearestPackage(
  path: string,
  packages: readonly PackageManifest[],
): PackageManifest | undefined {
  return packages
    .filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** Returns the files, relative to the package, that a subpath (`.`, `./a`, `#a`) of the package may be. */
export function packageEntries({ manifest }: PackageManifest, subpath: string, by: LoadedBy): string[] {
  const field = manifest[subpath.startsWith("#") ? "imports" : "exports"];
  const found = isRecord(field) ? matchSubpath(field, subpath, by) : [];
  const direct = typeof field === "string" && subpath === "." ? [field] : [];
  if (subpath !== ".") return [...found, ...direct, subpath, `src/${subpath.slice(2)}`];
  return withSources([...found, ...direct, ...mainFields(manifest)]);
}

/** Returns the files, relative to the package, that its folder may mean in a relative path: Node reads no `exports` then. */
export function folderEntries(own: PackageManifest, by: LoadedBy): string[] {
  const main = mainFields(own.manifest);
  return [...(main.length > 0 ? withSources(main) : []), ...packageEntries(own, ".", by)];
}

function mainFields(manifest: PackageManifest["manifest"]): string[] {
  return ["source", "types", "typings", "module", "main"]
    .map((key) => manifest[key])
    .filter((entry): entry is string => typeof entry === "string");
}

/** Adds the usual places of the sources to the entries that a manifest names. */
function withSources(named: readonly string[]): string[] {
  // A script beside built files, which chooses one of them, comes after the source of them all.
  const isLoader = (entry: string): boolean => /^(?:\.\/)?[^/]+\.[cm]?js$/u.test(entry);
  const loaders = named.some((entry) => BUILT.test(entry)) ? named.filter(isLoader) : [];
  const others = named.filter((entry) => !loaders.includes(entry));
  return [...others, "src/index", ...loaders, "index", "src/main", "lib/index"];
}

/** Folders into which packages are built; the source of a built file is in the folder `src`. */
export const BUILT = /^(?:\.\/)?(?:dist|build|lib|out|esm|cjs|types|output)(?:\/(?:esm|cjs|types|src))?\//u;

function matchSubpath(field: Readonly<Record<string, unknown>>, subpath: string, by: LoadedBy): string[] {
  const keys = Object.keys(field);
  // Conditions without subpaths, such as { "import": "./a.js" }, are those of the package itself.
  if (keys.every((key) => !key.startsWith(".") && !key.startsWith("#")))
    return subpath === "." ? targetsOf(field, by) : [];
  if (field[subpath] !== undefined) return targetsOf(field[subpath], by);
  for (const key of keys.filter((one) => one.includes("*")).sort((a, b) => b.length - a.length)) {
    const [before = "", after = ""] = key.split("*");
    if (!subpath.startsWith(before) || !subpath.endsWith(after)) continue;
    const middle = subpath.slice(before.length, subpath.length - after.length);
    return targetsOf(field[key], by).map((target) => target.replaceAll("*", middle));
  }
  return [];
}

const SOURCE_CONDITION = /source|development|types/u;
/** The conditions that Node.js itself knows, besides `import` and `require`; the others are of one platform. */
const NODE_CONDITION = /^(?:node(?:-addons)?|module(?:-sync)?|default)$/u;

/**
 * Returns the paths in the conditions of an export: sources before built files, and last those for the other way of
 * loading and for other platforms.
 */
function targetsOf(value: unknown, by: LoadedBy): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((one) => targetsOf(one, by));
  if (!isRecord(value)) return [];
  const rank = (condition: string): number => {
    if (SOURCE_CONDITION.test(condition)) return 0;
    if (condition === by || NODE_CONDITION.test(condition)) return 1;
    return condition === "import" || condition === "require" ? 2 : 3;
  };
  return Object.entries(value)
    .sort(([one], [other]) => rank(one) - rank(other))
    .flatMap(([, target]) => targetsOf(target, by));
}

/** Number of configurations that may extend one another. */
const MAX_EXTENDED = 6;

/** The paths that a compiler configuration gives a module. */
interface CompilerPaths {
  readonly paths: readonly string[];
  /** True if a pattern of the configuration names the module, so that it belongs to the project. */
  readonly isNamed: boolean;
}

/** Returns the paths that the options `paths` and `baseUrl` of the nearest compiler configuration give a module. */
export async function compilerPaths(
  module: string,
  from: ViewFile,
  tree: ModuleTree,
): Promise<CompilerPaths> {
  for (let folder = folderOf(from.path); ; folder = folderOf(folder)) {
    for (const name of ["tsconfig.json", "jsconfig.json"]) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (tree.view.fileAt(path) !== undefined) return pathsIn(module, await optionsOf(path, tree));
    }
    if (folder === "") return { paths: [], isNamed: false };
  }
}

interface PathOptions {
  readonly base?: string;
  readonly paths?: Readonly<Record<string, unknown>>;
  /** The folder that the paths are relative to. */
  readonly folder: string;
}

async function optionsOf(path: string, tree: ModuleTree, depth = 0): Promise<PathOptions> {
  const file = tree.view.fileAt(path);
  const config = file === undefined ? undefined : await readJson(file, tree);
  const folder = folderOf(path);
  if (config === undefined) return { folder };
  const options = isRecord(config["compilerOptions"]) ? config["compilerOptions"] : {};
  const inherited =
    depth < MAX_EXTENDED ? await extendedOptions(config["extends"], folder, { tree, depth }) : { folder };
  const url = options["baseUrl"];
  const base = typeof url === "string" ? joinPath(folder, url) : inherited.base;
  const own = isRecord(options["paths"]) ? options["paths"] : undefined;
  const paths = own ?? inherited.paths;
  return {
    folder: own === undefined ? inherited.folder : folder,
    ...(base !== undefined && { base }),
    ...(paths !== undefined && { paths }),
  };
}

async function extendedOptions(
  field: unknown,
  folder: string,
  { tree, depth }: { readonly tree: ModuleTree; readonly depth: number },
): Promise<PathOptions> {
  for (const name of [field].flat().reverse()) {
    if (typeof name !== "string" || !name.startsWith(".")) continue;
    const base = joinPath(folder, name);
    const path = [base, `${base}.json`, `${base}/tsconfig.json`].find(
      (one) => tree.view.fileAt(one ?? "") !== undefined,
    );
    if (path !== undefined) return optionsOf(path, tree, depth + 1);
  }
  return { folder };
}

function pathsIn(module: string, { base, paths = {}, folder }: PathOptions): CompilerPaths {
  const found: string[] = [];
  let isNamed = false;
  for (const [pattern, targets] of Object.entries(paths)) {
    const [before = "", after] = pattern.split("*");
    const fits =
      after === undefined
        ? module === pattern
        : module.startsWith(before) &&
          module.endsWith(after) &&
          module.length >= before.length + after.length;
    if (!fits || !Array.isArray(targets)) continue;
    const middle = after === undefined ? "" : module.slice(before.length, module.length - after.length);
    for (const target of targets) {
      if (typeof target !== "string") continue;
      const path = joinPath(base ?? folder, target.replace("*", middle));
      if (path === undefined) continue;
      found.push(path);
      // A pattern such as `*` fits dependencies, too, and some patterns name the types of dependencies.
      isNamed ||= before !== "" && !/(?:^|\/)node_modules(?:\/|$)/u.test(path);
    }
  }
  const fromBase = base === undefined ? undefined : joinPath(base, module);
  return { paths: fromBase === undefined ? found : [...found, fromBase], isNamed };
}
