import { join } from "node:path";
import { type NamedPackage, ofVersion, type PackageSource, splitPackageText } from "./package-source.ts";
import { siteFolders } from "./python-interpreter.ts";
import { isFile, isFolder, namesIn, textIn } from "./read-files.ts";

/** Python packages by the name of the distribution (`PyYAML`) or of the module that code imports (`yaml`). */
export const pythonPackages: PackageSource = {
  ecosystem: "python",
  async find(text, place) {
    const named = splitPackageText(text);
    if (named === undefined) return [];
    const found: NamedPackage[] = [];
    for (const site of await siteFolders(place)) {
      const names = await namesIn(site);
      const distributions = names.flatMap(distributionOf);
      const own = distributions.filter(({ name }) => sameName(name) === sameName(named.name));
      const all = own.length > 0 ? own : await ownersOf(named.name, distributions, { site, names });
      for (const distribution of all) {
        const modules = own.length > 0 ? await modulesOf(distribution, { site, names }) : [named.name];
        for (const module of mainFirst(modules, named.name)) {
          const folder = await moduleIn(site, module);
          if (folder === undefined) continue;
          const { version } = distribution;
          const inside = named.inside;
          found.push({
            name: module,
            folder,
            within: [site],
            inside,
            ...(version !== undefined && { version }),
          });
        }
      }
    }
    return ofVersion(found, named.version);
  },
  async names(place) {
    const all = await Promise.all((await siteFolders(place)).map((site) => namesIn(site)));
    return all.flat().flatMap((entry) => {
      const [distribution] = distributionOf(entry);
      if (distribution !== undefined) return [distribution.name];
      return /^[A-Za-z]\w*(?:\.py)?$/.test(entry) ? [entry.replace(/\.py$/, "")] : [];
    });
  },
};

interface Distribution {
  readonly name: string;
  readonly version?: string;
  /** The name of its folder of metadata. */
  readonly entry: string;
}

interface Site {
  readonly site: string;
  readonly names: readonly string[];
}

function distributionOf(entry: string): readonly Distribution[] {
  const [, name, version] = /^(.+?)-(\d[^-]*)(?:-py3[^-]*)?\.(?:dist|egg)-info$/.exec(entry) ?? [];
  return name === undefined || version === undefined ? [] : [{ name, version, entry }];
}

/** Names of distributions are compared without case, and with `-`, `_` and `.` alike. */
function sameName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** Returns the distributions that contain a module; a module without one is found by its folder alone. */
async function ownersOf(
  module: string,
  distributions: readonly Distribution[],
  site: Site,
): Promise<readonly Distribution[]> {
  if (!/^[\w.]+$/.test(module) || (await moduleIn(site.site, module)) === undefined) return [];
  for (const distribution of distributions)
    if ((await modulesOf(distribution, site)).includes(module)) return [distribution];
  return [{ name: module, entry: "" }];
}

/** Returns the modules of a distribution: its own folders in `RECORD`, or those that `top_level.txt` lists. */
async function modulesOf({ name, entry }: Distribution, { site, names }: Site): Promise<readonly string[]> {
  const listed = ((await textIn(join(site, entry, "top_level.txt"))) ?? "").split(/\s+/).filter(Boolean);
  const record = await textIn(join(site, entry, "RECORD"));
  const recorded = record === undefined ? [] : recordedModules(record);
  if (recorded.length > 0) return recorded;
  const fallback = name.toLowerCase().replaceAll("-", "_");
  // In a namespace such as `lazr`, which several distributions share, `lazr.uri` is the module of its own.
  const dotted = names.includes(name.split(".")[0] ?? "") && name.includes(".") ? [name] : [];
  return [...dotted, ...(listed.length > 0 ? listed : [fallback])];
}

/**
 * Returns the modules whose files a `RECORD` lists. Where several distributions share a folder, such as `google`, the
 * module is the folder below it that has all of the files.
 */
function recordedModules(record: string): readonly string[] {
  const tops = new Map<string, string[][]>();
  for (const line of record.split("\n")) {
    const [path = ""] = line.replace(/^"([^"]*)".*/, "$1").split(",");
    const parts = path.split("/");
    if (!/\.pyi?$/.test(path) || parts.includes("..") || path.startsWith("/")) continue;
    const [top = ""] = parts;
    tops.set(top, [...(tops.get(top) ?? []), parts.slice(0, -1)]);
  }
  return Array.from(tops, ([top, folders]) =>
    top.endsWith(".py") || top.endsWith(".pyi") ? top.replace(/\.pyi?$/, "") : commonStart(folders).join("."),
  );
}

function commonStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = []] = lists;
  const length = first.findIndex((part, i) => lists.some((list) => list[i] !== part));
  return length < 0 ? first : first.slice(0, length);
}

/** Puts the module that a distribution is named after first, and private ones last. */
function mainFirst(modules: readonly string[], name: string): readonly string[] {
  const rank = (module: string): number =>
    sameName(module) === sameName(name) ? 0 : module.startsWith("_") ? 2 : 1;
  return [...new Set(modules)].toSorted((a, b) => rank(a) - rank(b));
}

/** Returns the folder or the only file of a module. */
async function moduleIn(site: string, module: string): Promise<string | undefined> {
  const path = join(site, ...module.split("."));
  if (await isFolder(path)) return path;
  return (await isFile(`${path}.py`)) ? `${path}.py` : undefined;
}
