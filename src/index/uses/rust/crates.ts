import { parse as parseToml, TomlError } from "smol-toml";
import type { ViewFile } from "../../live/view.ts";
import { folderOf, joinPath, type ModuleTree } from "../modules/module-rules.ts";

/** A package of Cargo. */
interface CratePackage {
  readonly folder: string;
  readonly name: string;
  /** The name and the file of its library. */
  readonly library: string;
  readonly root: string;
  /** The packages that its dependencies mean, by the names that code uses. */
  readonly dependencies: ReadonlyMap<string, string>;
}

const packagesOfView = new WeakMap<ModuleTree["view"], Promise<readonly CratePackage[]>>();
/** Upper bound on packages whose manifests are read. */
const MAX_PACKAGES = 500;

/** Returns the file of the library that a name means in a file: that of its own package, or of a dependency in the project. */
export async function crateNamed(
  name: string,
  from: ViewFile,
  tree: ModuleTree,
): Promise<ViewFile | undefined> {
  const packages = await packagesOf(tree);
  const own = packageAround(packages, from);
  if (own === undefined) return undefined;
  if (own.library === name) return tree.view.fileAt(own.root);
  const wanted = own.dependencies.get(name);
  const found = packages.find((one) => one.name === wanted);
  return found === undefined ? undefined : tree.view.fileAt(found.root);
}

/** Returns true if a name may be that of a crate: the manifest of the package lists it, or there is no manifest. */
export async function mayBeCrate(name: string, from: ViewFile, tree: ModuleTree): Promise<boolean> {
  const own = packageAround(await packagesOf(tree), from);
  return own === undefined || own.library === name || own.dependencies.has(name);
}

function packagesOf(tree: ModuleTree): Promise<readonly CratePackage[]> {
  const known = packagesOfView.get(tree.view) ?? readPackages(tree);
  packagesOfView.set(tree.view, known);
  return known;
}

function packageAround(packages: readonly CratePackage[], { path }: ViewFile): CratePackage | undefined {
  const around = packages.filter(({ folder }) => folder === "" || path.startsWith(`${folder}/`));
  return around.sort((a, b) => b.folder.length - a.folder.length)[0];
}

async function readPackages(tree: ModuleTree): Promise<readonly CratePackage[]> {
  const files = tree.view.files
    .filter(({ path }) => /(?:^|\/)Cargo\.toml$/u.test(path))
    .slice(0, MAX_PACKAGES);
  const manifests = await Promise.all(
    files.map(async ({ path }) => ({
      folder: folderOf(path),
      manifest: parse((await tree.textOf(path)) ?? ""),
    })),
  );
  // A dependency with `workspace = true` is described in the manifest of the workspace.
  const shared = manifests.flatMap(({ manifest }) =>
    Object.entries(tableOf(tableOf(manifest["workspace"])["dependencies"])),
  );
  return manifests.flatMap((one) => packageOf(one.folder, one.manifest, new Map(shared)));
}

type Table = Readonly<Record<string, unknown>>;

function parse(text: string): Table {
  try {
    return parseToml(text);
  } catch (error) {
    // A manifest that is being edited may be invalid; names of its package then count as names of dependencies.
    if (error instanceof TomlError) return {};
    throw error;
  }
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tableOf(value: unknown): Table {
  return isTable(value) ? value : {};
}

function packageOf(folder: string, manifest: Table, shared: ReadonlyMap<string, unknown>): CratePackage[] {
  const name = tableOf(manifest["package"])["name"];
  if (typeof name !== "string") return [];
  const { name: library = name.replaceAll("-", "_"), path = "src/lib.rs" } = tableOf(manifest["lib"]);
  const tables = [manifest, ...Object.values(tableOf(manifest["target"])).map(tableOf)];
  const dependencies = new Map<string, string>();
  for (const table of tables)
    for (const kind of ["dependencies", "dev-dependencies", "build-dependencies"])
      for (const [key, value] of Object.entries(tableOf(table[kind]))) {
        const described = tableOf(value)["workspace"] === true ? shared.get(key) : value;
        const { package: original } = tableOf(described);
        dependencies.set(key.replaceAll("-", "_"), typeof original === "string" ? original : key);
      }
  const root = joinPath(folder, typeof path === "string" ? path : "src/lib.rs") ?? "";
  return [{ folder, name, library: typeof library === "string" ? library : name, root, dependencies }];
}
