import { delimiter, join, resolve } from "node:path";
import {
  type LookupPlace,
  type NamedPackage,
  ofVersion,
  type PackageFolder,
  type PackageSource,
} from "./package-source.ts";
import { foldersUp, foldersWith, isFolder, textIn } from "./read-files.ts";

/** Modules that `go.mod` requires, in a `vendor` folder or in the module cache. */
export const goModules: PackageSource = {
  ecosystem: "go",
  async find(text, place) {
    const [, version] = /(?<=[^/])@(v[^/\s]+)/.exec(text) ?? [];
    const path = version === undefined ? text : text.replace(`@${version}`, "");
    const found: NamedPackage[] = [];
    for (const module of bestMatches(path, await requiredModules(place))) {
      const folder = await folderOf(module, place);
      if (folder === undefined) continue;
      const inside = path.length > module.name.length ? path.slice(module.name.length + 1) : "";
      found.push({
        name: module.name,
        version: module.version,
        ...folder,
        inside: module.isShort ? "" : inside,
      });
    }
    return ofVersion(found, version);
  },
  async names(place) {
    const modules = await requiredModules(place);
    const folders = await Promise.all(modules.map((module) => folderOf(module, place)));
    return modules.filter((_, at) => folders[at] !== undefined).map(({ name }) => name);
  },
  async required(text, place) {
    const [module] = bestMatches(text.replace(/@v[^/]*/, ""), await requiredModules(place));
    if (module === undefined || (await folderOf(module, place)) !== undefined) return undefined;
    return { name: module.name, version: module.version, install: "go mod download" };
  },
};

interface RequiredModule {
  readonly name: string;
  readonly version: string;
  /** The folder of the `go.mod` that requires it. */
  readonly root: string;
  /** What a `replace` directive puts in its place: another module, or a folder relative to `root`. */
  readonly replacement?: { readonly path: string; readonly version?: string };
}

/**
 * Returns the modules with the longest path that a text begins with, because a package path continues that of its
 * module; otherwise those whose last word it is: `errors` for `github.com/pkg/errors`.
 */
function bestMatches(
  text: string,
  modules: readonly RequiredModule[],
): readonly (RequiredModule & { readonly isShort: boolean })[] {
  const fits = modules.filter(({ name }) => text === name || text.startsWith(`${name}/`));
  const longest = Math.max(...fits.map(({ name }) => name.length));
  if (fits.length > 0)
    return fits.filter(({ name }) => name.length === longest).map((one) => ({ ...one, isShort: false }));
  const short = modules.filter(({ name }) => name.replace(/\/v\d+$/, "").endsWith(`/${text}`));
  const isOne = new Set(short.map(({ name }) => name)).size === 1;
  return isOne ? short.map((one) => ({ ...one, isShort: true })) : [];
}

async function requiredModules(place: LookupPlace): Promise<readonly RequiredModule[]> {
  for (const root of foldersUp(place)) {
    const text = await textIn(join(root, "go.mod"));
    if (text !== undefined) return modulesIn(text, root);
  }
  const nested = await foldersWith("go.mod", place);
  const all = await Promise.all(
    nested.map(async (root) => modulesIn((await textIn(join(root, "go.mod"))) ?? "", root)),
  );
  return all.flat();
}

/** Reads the directives `require` and `replace`, alone or in a block. */
function modulesIn(manifest: string, root: string): readonly RequiredModule[] {
  const required: RequiredModule[] = [];
  const replacements = new Map<string, { path: string; version?: string }>();
  let block = "";
  for (const raw of manifest.split(/\r?\n/)) {
    const line = raw.replace(/\/\/.*$/, "").trim();
    const opened = /^(\w+)\s*\($/.exec(line)?.[1];
    if (opened !== undefined) block = opened;
    if (line === ")") block = "";
    const [first = "", ...rest] = line.split(/\s+/);
    const [verb, words] = block === "" ? [first, rest] : [block, [first, ...rest]];
    const [name, version] = words;
    if (verb === "require" && name !== undefined && version?.startsWith("v") === true)
      required.push({ name, version, root });
    const arrow = words.indexOf("=>");
    const [path, to] = arrow < 0 ? [] : words.slice(arrow + 1);
    if (verb === "replace" && name !== undefined && path !== undefined)
      replacements.set(name, { path, ...(to !== undefined && { version: to }) });
  }
  return required.map((module) => {
    const replacement = replacements.get(module.name);
    return replacement === undefined ? module : { ...module, replacement };
  });
}

async function folderOf(
  { name, version, root, replacement }: RequiredModule,
  place: LookupPlace,
): Promise<Pick<PackageFolder, "folder" | "within"> | undefined> {
  const vendored = join(root, "vendor", name);
  if (await isFolder(vendored)) return { folder: vendored, within: [join(root, "vendor")] };
  const isLocal = replacement !== undefined && replacement.version === undefined;
  const cache = moduleCache(place);
  const [path, at] = [replacement?.path ?? name, replacement?.version ?? version];
  const folder = isLocal ? resolve(root, replacement.path) : join(cache, `${escaped(path)}@${escaped(at)}`);
  return (await isFolder(folder)) ? { folder, within: isLocal ? [] : [cache] } : undefined;
}

function moduleCache({ variables, home }: LookupPlace): string {
  const [first = join(home, "go")] = (variables["GOPATH"] ?? "").split(delimiter).filter(Boolean);
  return variables["GOMODCACHE"] ?? join(first, "pkg", "mod");
}

/** The module cache writes an upper-case letter as `!` and the lower-case one, for file systems that ignore case. */
function escaped(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
