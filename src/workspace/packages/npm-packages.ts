import { join } from "node:path";
import {
  type LookupPlace,
  type NamedPackage,
  ofVersion,
  type PackageFolder,
  type PackageSource,
  splitPackageText,
} from "./package-source.ts";
import { asObject, foldersUp, foldersWith, isFile, namesIn, objectIn } from "./read-files.ts";

/**
 * Packages in `node_modules`, as npm, pnpm, yarn and bun install them. Node looks for a package in the folder of the
 * importing file and in those above it; so does this, from the workspace up to the top of its repository, and then in
 * the packages of a monorepo that depend on it.
 */
export const npmPackages: PackageSource = {
  ecosystem: "npm",
  async find(text, place) {
    const named = splitPackageText(text);
    if (named === undefined) return [];
    const { name, version, inside } = named;
    const near = await candidatesIn(foldersUp(place), name);
    const all = near.length > 0 ? near : await candidatesIn(await dependents(name, place), name);
    const found: NamedPackage[] = [];
    for (const folder of all) found.push({ ...(await described(name, folder, place)), inside });
    return ofVersion(found, version);
  },
  async names(place) {
    const names: string[] = [];
    for (const folder of foldersUp(place)) {
      const modules = join(folder, "node_modules");
      for (const name of await namesIn(modules)) {
        if (!name.startsWith("@")) names.push(name);
        else for (const inner of await namesIn(join(modules, name))) names.push(`${name}/${inner}`);
      }
    }
    return names.filter((name) => !name.startsWith("."));
  },
};

/** The folders in which isolated installs keep each version of a package: `.pnpm/zod@3.22.4/node_modules/zod`. */
const VERSION_STORES = [".pnpm", ".bun"];

/** Returns the folders of a package below these folders: the one that Node resolves, then nested and stored versions. */
async function candidatesIn(folders: readonly string[], name: string): Promise<readonly string[]> {
  const direct: string[] = [];
  const further: string[] = [];
  for (const folder of folders) {
    const modules = join(folder, "node_modules");
    direct.push(join(modules, name));
    // The hidden lockfile of npm lists every installed package by its path.
    const listed = asObject((await objectIn(join(modules, ".package-lock.json")))?.["packages"]) ?? {};
    const nested = Object.keys(listed).filter((key) => key.endsWith(`/node_modules/${name}`));
    further.push(...nested.filter((key) => !key.includes("..")).map((key) => join(folder, key)));
    for (const store of VERSION_STORES) {
      const start = `${name.replace("/", "+")}@`;
      const versions = (await namesIn(join(modules, store))).filter((entry) => entry.startsWith(start));
      further.push(...versions.map((entry) => join(modules, store, entry, "node_modules", name)));
    }
  }
  const found: string[] = [];
  for (const candidate of [...direct, ...further])
    if (await isFile(join(candidate, "package.json"))) found.push(candidate);
  return found;
}

/** Returns the packages of a monorepo whose manifests name this dependency. */
async function dependents(name: string, place: LookupPlace): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of await foldersWith("package.json", place)) {
    const manifest = await objectIn(join(folder, "package.json"));
    const names = DEPENDENCY_FIELDS.flatMap((field) => Object.keys(asObject(manifest?.[field]) ?? {}));
    if (names.includes(name)) found.push(folder);
  }
  return found;
}

const DEPENDENCY_FIELDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

async function described(name: string, folder: string, place: LookupPlace): Promise<PackageFolder> {
  const version = (await objectIn(join(folder, "package.json")))?.["version"];
  const own = folder.slice(0, -name.length - 1);
  const within = [own, ...foldersUp(place).map((one) => join(one, "node_modules"))];
  return { name, folder, within, ...(typeof version === "string" && { version }) };
}
