import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { ECOSYSTEMS, type Ecosystem, type InstalledPackage } from "../../model/installed-package.ts";
import { createJail, type JailedPath } from "../jail.ts";
import { workspaceRootOf } from "../roots.ts";
import type { Workspace } from "../workspaces.ts";
import { cargoCrates } from "./cargo-crates.ts";
import { goModules } from "./go-modules.ts";
import { npmPackages } from "./npm-packages.ts";
import {
  type LookupPlace,
  type NamedPackage,
  type PackageSource,
  splitPackageText,
} from "./package-source.ts";
import { isFile } from "./read-files.ts";
import { pythonPackages } from "./python-packages.ts";

const SOURCES: readonly PackageSource[] = [npmPackages, pythonPackages, goModules, cargoCrates];

/** Matches the name of an installed dependency: `dep:zod`, `dep:cargo:rand`, `dep:zod@3.22.4/src/types.ts`. */
const DEPENDENCY = new RegExp(`^dep:(?:(${ECOSYSTEMS.join("|")}):)?(.+)$`, "s");

/** Matches a path through a folder of installed packages; the rest of it begins with the name of a package. */
const PACKAGE_FOLDER =
  /^(?:.*[/\\])?(?:node_modules|site-packages|dist-packages|pkg[/\\]mod|registry[/\\]src[/\\][^/\\]+)[/\\](.+)$/;

/** True for a folder in which package managers install; what is below it is no project of the user. */
export function isInPackageFolder(path: string): boolean {
  return PACKAGE_FOLDER.test(path);
}

type Surroundings = Pick<LookupPlace, "home" | "variables">;

/**
 * Lets a workspace also resolve installed dependencies by name. Each one is a jail of its own: only files of that
 * package's folder can be reached through it, and only if the workspace's own manifests and lookup rules lead there.
 * With `folders`, the path of a package's folder means the package too, even inside the workspace.
 */
export function withInstalledPackages(
  workspace: Workspace,
  surroundings: Surroundings,
  { folders }: { readonly folders: boolean },
): Workspace {
  return {
    path: workspace.path,
    async resolve(wanted) {
      const named = DEPENDENCY.exec(wanted);
      if (named !== null && !(await workspace.resolve(wanted)).exists)
        return findPackage(wanted, named, workspace, surroundings);
      const within = PACKAGE_FOLDER.exec(wanted)?.[1];
      if (within === undefined) return workspace.resolve(wanted);
      const plain = await workspace.resolve(wanted).catch((error: unknown) => {
        if (error instanceof PithError && error.code === "workspace_not_allowed") return error;
        throw error;
      });
      if (!(plain instanceof PithError) && !folders) return plain;
      const found = await packageAround(wanted, within, workspace, surroundings);
      if (found !== undefined) return found;
      if (plain instanceof PithError) throw plain;
      return plain;
    },
  };
}

async function lookupPlace(workspace: Workspace, surroundings: Surroundings): Promise<LookupPlace> {
  const root = workspace.path.absolute;
  return { ...surroundings, root, top: await workspaceRootOf(root) };
}

async function findPackage(
  text: string,
  [, chosen, rest = ""]: RegExpExecArray,
  workspace: Workspace,
  surroundings: Surroundings,
): Promise<JailedPath> {
  const place = await lookupPlace(workspace, surroundings);
  const sources = SOURCES.filter(({ ecosystem }) => chosen === undefined || ecosystem === chosen);
  const found = await candidates(rest, sources, place);
  const [first] = found;
  if (first === undefined) throw await notInstalled(text, rest, { sources, place });
  const prefix = prefixOf(text, first.inside);
  return jailedIn(first, { found, prefix, workspace, place });
}

interface Candidate extends NamedPackage {
  readonly ecosystem: Ecosystem;
}

async function candidates(
  text: string,
  sources: readonly PackageSource[],
  place: LookupPlace,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const source of sources)
    for (const one of await source.find(text, place)) found.push({ ...one, ecosystem: source.ecosystem });
  return found;
}

/** Returns the part of a text that names the package, without the path inside of it. */
function prefixOf(text: string, inside: string): string {
  return (inside === "" ? text : text.slice(0, -inside.length)).replace(/\/+$/, "");
}

interface Choice {
  readonly found: readonly Candidate[];
  readonly prefix: string;
  readonly workspace: Workspace;
  readonly place: LookupPlace;
}

/** Resolves a path inside a package. The real folder must be where its ecosystem installs packages. */
async function jailedIn(candidate: Candidate, choice: Choice): Promise<JailedPath> {
  const folder = await realpath(candidate.folder);
  if (!(await isWhereInstalled(candidate, folder, choice.workspace)))
    throw new PithError(
      "workspace_not_allowed",
      `${choice.prefix} is a link to ${folder}, outside the workspace`,
      { suggestion: "Add that folder to [server] roots to work on it as a workspace." },
    );
  const found = await createJail([folder]).resolve(candidate.inside === "" ? "." : candidate.inside, folder);
  const { name, version, ecosystem } = candidate;
  const shown = found.shown === "." ? choice.prefix : `${choice.prefix}/${found.shown}`;
  const about: InstalledPackage = {
    name,
    ...(version !== undefined && { version }),
    ecosystem,
    prefix: choice.prefix,
    ...((await isFile(folder)) && { isFile: true }),
    others: await othersOf(candidate, folder, choice),
  };
  return { ...found, shown, scope: { root: folder, prefix: `${choice.prefix}/`, package: about } };
}

/**
 * Tests whether a package is really installed where it was found. A link may lead to another place inside the workspace,
 * as those of a monorepo do, or into the global store of pnpm.
 */
async function isWhereInstalled(
  { within, name, ecosystem }: Candidate,
  folder: string,
  workspace: Workspace,
): Promise<boolean> {
  for (const one of within) {
    const installed = await realPathOf(one);
    if (installed !== undefined && contains(installed, folder)) return true;
  }
  if (ecosystem === "npm" && PNPM_STORE.exec(folder)?.[1] === name) return true;
  return workspace.resolve(folder).then(
    () => true,
    // The workspace refuses folders outside of the allowed roots.
    () => false,
  );
}

/** Matches a package in the global store of pnpm: `store/v10/links/@scope/name/1.0.0/HASH/node_modules/@scope/name`. */
const PNPM_STORE = /[/\\]store[/\\]v\d+[/\\]links[/\\].+[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)$/;

const MAX_OTHERS = 5;

/** The other packages and versions of the same name, in the form in which they are asked for. */
async function othersOf(
  { name, version, ecosystem }: Candidate,
  folder: string,
  { found, prefix }: Choice,
): Promise<readonly string[]> {
  const others = new Set<string>();
  for (const other of found) {
    if ((await realpath(other.folder)) === folder) continue;
    if (other.ecosystem !== ecosystem) others.add(`dep:${other.ecosystem}:${other.name}`);
    else if (other.name !== name) others.add(`dep:${other.name}`);
    else if (other.version !== undefined && other.version !== version)
      others.add(`dep:${name}@${other.version}`);
  }
  others.delete(prefix);
  return [...others].slice(0, MAX_OTHERS);
}

/** Finds the package that a path leads into: `node_modules/zod/src`, `/usr/lib/python3/dist-packages/yaml`. */
async function packageAround(
  wanted: string,
  within: string,
  workspace: Workspace,
  surroundings: Surroundings,
): Promise<JailedPath | undefined> {
  const place = await lookupPlace(workspace, surroundings);
  const text = within.replaceAll("\\", "/").replace(/\/+$/, "");
  // A crate's folder is named after its version, and a nested package follows the last folder of packages.
  const names = [
    text,
    text.replace(/^([\w-]+?)-(\d[^/]*)/, "$1@$2"),
    text.replaceAll(/!([a-z])/g, (_, c: string) => c.toUpperCase()),
  ];
  const absolute = await realPathOf(resolve(place.root, wanted));
  for (const name of new Set(names)) {
    const found = await candidates(name, SOURCES, place);
    for (const one of found) {
      const prefix = prefixOf(`dep:${name}`, one.inside);
      const folder = await realpath(one.folder);
      if (absolute !== undefined && contains(folder, absolute))
        return jailedIn(one, { found, prefix, workspace, place });
    }
  }
  return undefined;
}

async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch((error: unknown) => {
    // A path that leads nowhere is in no package.
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  });
}

async function notInstalled(
  text: string,
  rest: string,
  { sources, place }: { readonly sources: readonly PackageSource[]; readonly place: LookupPlace },
): Promise<PithError> {
  for (const source of sources) {
    const required = await source.required?.(rest, place);
    if (required === undefined) continue;
    const { name, version, install } = required;
    return new PithError("file_not_found", `${name} ${version} is required here, but not installed`, {
      suggestion: `Install it: ${install}.`,
    });
  }
  const all = await Promise.all(sources.map((source) => source.names(place)));
  const names = new Set(all.flat());
  const wanted = splitPackageText(rest)?.name ?? rest;
  const nearest = nearestNames(wanted, names);
  const what = sources.length === 1 ? `${sources[0]?.ecosystem} package` : "dependency";
  return new PithError("file_not_found", `No installed ${what} ${JSON.stringify(text.slice(0, 100))}`, {
    ...(nearest.length > 0 && { nearest: nearest.map((name) => `dep:${name}`) }),
    suggestion:
      nearest.length > 0
        ? `Did you mean ${nearest.map((name) => `dep:${name}`).join(", ")}?`
        : names.size === 0
          ? "Nothing is installed for this workspace; install its dependencies first."
          : `Installed here: ${pluralize(names.size, "package")} (npm, Python, Go, cargo); name one of them.`,
  });
}
