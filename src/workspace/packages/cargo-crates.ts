import { join } from "node:path";
import {
  type LookupPlace,
  ofVersion,
  type PackageFolder,
  type PackageSource,
  splitPackageText,
} from "./package-source.ts";
import { foldersUp, foldersWith, isFolder, namesIn, textIn } from "./read-files.ts";

/** Crates that `Cargo.lock` names, in a `vendor` folder or in the sources of cargo's registry. */
export const cargoCrates: PackageSource = {
  ecosystem: "cargo",
  async find(text, place) {
    const named = splitPackageText(text);
    if (named === undefined) return [];
    const wanted = sameName(named.name);
    const locked = (await lockedCrates(place)).filter(({ name }) => sameName(name) === wanted);
    const found: PackageFolder[] = [];
    for (const crate of locked) {
      const folder = await folderOf(crate, place);
      if (folder !== undefined) found.push({ ...crate, ...folder });
    }
    return ofVersion(found, named.version).map((crate) => ({ ...crate, inside: named.inside }));
  },
  async names(place) {
    const crates = await lockedCrates(place);
    const folders = await Promise.all(crates.map((crate) => folderOf(crate, place)));
    return crates.filter((_, at) => folders[at] !== undefined).map(({ name }) => name);
  },
  async required(text, place) {
    const wanted = sameName(splitPackageText(text)?.name ?? text);
    const crate = (await lockedCrates(place)).find(({ name }) => sameName(name) === wanted);
    if (crate === undefined || (await folderOf(crate, place)) !== undefined) return undefined;
    return { name: crate.name, version: crate.version, install: "cargo fetch" };
  },
};

interface LockedCrate {
  readonly name: string;
  readonly version: string;
  readonly root: string;
}

/** Cargo treats `-` and `_` in the names of crates alike when it looks one up. */
function sameName(name: string): string {
  return name.replaceAll("_", "-");
}

/** Reads the crates of the nearest lockfile that come from outside of the workspace, the newest version first. */
async function lockedCrates(place: LookupPlace): Promise<readonly LockedCrate[]> {
  for (const root of foldersUp(place)) {
    const text = await textIn(join(root, "Cargo.lock"));
    if (text !== undefined) return cratesIn(text, root);
  }
  const nested = await foldersWith("Cargo.lock", place);
  const all = await Promise.all(
    nested.map(async (root) => cratesIn((await textIn(join(root, "Cargo.lock"))) ?? "", root)),
  );
  return all.flat();
}

function cratesIn(lockfile: string, root: string): readonly LockedCrate[] {
  const crates: LockedCrate[] = [];
  for (const entry of lockfile.split(/^\[\[package\]\]\s*$/m).slice(1)) {
    const [, name] = /^name = "([\w-]+)"$/m.exec(entry) ?? [];
    const [, version] = /^version = "([^"/\\]+)"$/m.exec(entry) ?? [];
    // A crate without a source is a member of the workspace itself.
    if (name !== undefined && version !== undefined && /^source = /m.test(entry))
      crates.push({ name, version, root });
  }
  return crates.toSorted((a, b) => b.version.localeCompare(a.version, "en", { numeric: true }));
}

async function folderOf(
  { name, version, root }: LockedCrate,
  { home, variables }: LookupPlace,
): Promise<Pick<PackageFolder, "folder" | "within"> | undefined> {
  const vendor = join(root, "vendor");
  for (const folder of [join(vendor, `${name}-${version}`), join(vendor, name)])
    if (await isCrate(folder, version)) return { folder, within: [vendor] };
  const sources = join(variables["CARGO_HOME"] ?? join(home, ".cargo"), "registry", "src");
  for (const registry of await namesIn(sources)) {
    const folder = join(sources, registry, `${name}-${version}`);
    if (await isFolder(folder)) return { folder, within: [sources] };
  }
  return undefined;
}

async function isCrate(folder: string, version: string): Promise<boolean> {
  return (await textIn(join(folder, "Cargo.toml")))?.includes(`version = "${version}"`) ?? false;
}
