import { realpath } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import type { LookupPlace } from "./package-source.ts";
import { foldersUp, isFile, isFolder, namesIn, textIn } from "./read-files.ts";

/**
 * Returns the folders in which Python would look for installed packages of this workspace: those of its virtual
 * environment, or those of the interpreter on the PATH. No interpreter is started.
 */
export async function siteFolders(place: LookupPlace): Promise<readonly string[]> {
  const environment = await virtualEnvironment(place);
  if (environment === undefined) return systemFolders(place);
  const own = await sitesBelow(environment);
  const settings = (await textIn(join(environment, "pyvenv.cfg"))) ?? "";
  const isOpen = /^include-system-site-packages\s*=\s*true\s*$/im.test(settings);
  return isOpen ? [...own, ...(await systemFolders(place))] : own;
}

/** Finds the environment in the workspace or above it, as its `pyvenv.cfg` marks it, else the active one. */
async function virtualEnvironment(place: LookupPlace): Promise<string | undefined> {
  for (const folder of foldersUp(place)) {
    const names = await namesIn(folder);
    const usual = names.filter((name) => /^\.?v?env$/.test(name));
    for (const name of [...usual, ...names.filter((one) => !usual.includes(one))])
      if (await isFile(join(folder, name, "pyvenv.cfg"))) return join(folder, name);
  }
  const { VIRTUAL_ENV, CONDA_PREFIX } = place.variables;
  for (const active of [VIRTUAL_ENV, CONDA_PREFIX])
    if (active !== undefined && active !== "" && (await isFolder(active))) return active;
  return undefined;
}

async function systemFolders({ root, home, variables }: LookupPlace): Promise<readonly string[]> {
  for (const folder of (variables["PATH"] ?? "").split(delimiter)) {
    const program = join(folder, "python3");
    if (folder === "" || !(await isFile(program))) continue;
    const prefix = await prefixOf(program, root);
    if (prefix === undefined) continue;
    const sites = await sitesBelow(prefix);
    const versions = new Set(
      sites.map((site) => basename(dirname(site))).filter((name) => name !== "python3"),
    );
    const users = [...versions].map((version) => join(home, ".local", "lib", version, "site-packages"));
    // Debian keeps what pip installs for all users apart from its own packages.
    const local = prefix === "/usr" ? await sitesBelow("/usr/local") : [];
    return [...users, ...local, ...sites];
  }
  return [];
}

/** Returns the folder that an interpreter is installed in. A shim of pyenv stands for the version that a file names. */
async function prefixOf(program: string, root: string): Promise<string | undefined> {
  if (basename(dirname(program)) !== "shims") return dirname(dirname(await realpath(program)));
  const pyenv = dirname(dirname(program));
  const named = (await textIn(join(root, ".python-version"))) ?? (await textIn(join(pyenv, "version"))) ?? "";
  const [version = ""] = named.trim().split(/\s+/);
  const folder = join(pyenv, "versions", version);
  return /^[\w.-]+$/.test(version) && (await isFolder(folder)) ? folder : undefined;
}

/** Lists the folders of packages below an installation, those of the newest Python first. */
async function sitesBelow(prefix: string): Promise<readonly string[]> {
  const library = join(prefix, "lib");
  const versions = (await namesIn(library))
    .filter((name) => /^python3(?:\.\d+)?$/.test(name))
    .toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((name) => join(library, name));
  const found: string[] = [];
  for (const folder of [...versions, join(prefix, "Lib")])
    for (const name of ["site-packages", "dist-packages"])
      if (await isFolder(join(folder, name))) found.push(join(folder, name));
  return found;
}
