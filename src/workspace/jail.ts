import { lstat, readlink, realpath, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";
import { errnoOf, PithError } from "../kernel/errors.ts";
import { contains, openedPath } from "../kernel/files/opened-path.ts";
import type { InstalledPackage } from "../model/installed-package.ts";

/** A path that was verified to be inside an allowed root folder, with all symbolic links resolved. */
export interface JailedPath {
  /** Absolute path without symbolic links; parts that do not exist yet are appended as written. */
  readonly absolute: string;
  /**
   * The path as replies show it: relative to the base folder with forward slashes (`.` for the base itself), or
   * absolute if it is outside of the base.
   */
  readonly shown: string;
  /** The folder against which the path was resolved, with symbolic links resolved. */
  readonly base: string;
  readonly exists: boolean;
  /** The folder that the path belongs to, if it is not the workspace of the call. */
  readonly scope?: PathScope;
}

/** A folder other than the workspace of a call: an installed dependency, or another project. */
export interface PathScope {
  /** Absolute path of the folder, without symbolic links. */
  readonly root: string;
  /** The text before the paths of its files: `dep:zod/`, `api:`. */
  readonly prefix: string;
  readonly package?: InstalledPackage;
}

export interface Jail {
  /**
   * Resolves an absolute path, or one relative to `base`. Throws `workspace_not_allowed` if it is outside the allowed
   * root folders.
   */
  resolve(path: string, base: string): Promise<JailedPath>;
}

/** Maximum length of a path: the longest that any supported system allows, which is Windows with long paths enabled. */
const MAX_PATH_LENGTH = 32_767;
/** Maximum number of symbolic links that are followed in one path, as in Linux. */
const MAX_LINKS = 40;

/**
 * Creates a resolver that accepts only paths inside the given folders, which may be symbolic links and may be created
 * later.
 */
export function createJail(roots: readonly string[]): Jail {
  return {
    async resolve(path, base) {
      refuseImpossible(path);
      const found = await follow(resolve(base, path), path);
      const inside = await Promise.all(
        roots.map(async (root) => contains(await resolveLinks(root), found.path)),
      );
      if (!inside.includes(true)) throw outsideError(path);
      const realBase = await resolveLinks(base);
      const shown = showFrom(realBase, found.path);
      return { absolute: found.path, shown, base: realBase, exists: found.exists };
    },
  };
}

/**
 * Tests whether an open file is the one at the checked path. Returns false if the file was replaced in the meantime, and
 * throws if a part of the path is or was a symbolic link.
 */
export async function isSameFile(handle: FileHandle, path: JailedPath): Promise<boolean> {
  const opened = openedPath(handle.fd);
  if (opened === path.absolute || opened === `${path.absolute} (deleted)`) return true;
  try {
    const [file, current, real] = await Promise.all([
      handle.stat({ bigint: true }),
      stat(path.absolute, { bigint: true }),
      realpath(path.absolute),
    ]);
    if (real !== path.absolute) throw outsideError(path.shown);
    return opened === undefined && file.ino === current.ino && file.dev === current.dev;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

function refuseImpossible(path: string): void {
  if (path === "") throw new PithError("invalid_input", "The path is empty");
  if (path.includes("\0")) throw new PithError("invalid_input", "The path contains a NUL character");
  if (path.length > MAX_PATH_LENGTH) throw tooLongError(path);
}

interface Followed {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Returns the real path of the deepest part of a path that exists, with the missing rest appended. A symbolic link to a
 * missing target is followed too, because writing through it would create the target.
 */
async function follow(path: string, asWritten: string, links = 0): Promise<Followed> {
  const missing: string[] = [];
  for (let current = path; ; current = dirname(current)) {
    try {
      return { path: join(await realpath(current), ...missing), exists: missing.length === 0 };
    } catch (error) {
      refuseUnfollowable(error, asWritten);
    }
    const target = await linkTarget(current);
    if (target !== undefined) {
      if (links >= MAX_LINKS) throw linkLoopError(asWritten);
      const from = await realpath(dirname(current));
      return follow(join(resolve(from, target), ...missing), asWritten, links + 1);
    }
    if (current === parse(current).root) return { path: join(current, ...missing), exists: false };
    missing.unshift(basename(current));
  }
}

/**
 * Throws if a path cannot be resolved at all. If parts are only missing or unreadable, it returns, and the caller tries
 * the folders above them.
 */
function refuseUnfollowable(error: unknown, asWritten: string): void {
  const code = errnoOf(error);
  if (code === "ENAMETOOLONG") throw tooLongError(asWritten);
  if (code === "ELOOP") throw linkLoopError(asWritten);
  if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES" && code !== "EPERM") throw error;
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    // A missing or unreadable entry is not a link that could be followed.
    return undefined;
  }
}

async function resolveLinks(folder: string): Promise<string> {
  return (await follow(resolve(folder), folder)).path;
}

function showFrom(base: string, path: string): string {
  const shown = contains(base, path) ? relative(base, path) || "." : path;
  return sep === "\\" ? shown.replaceAll("\\", "/") : shown;
}

function outsideError(path: string): PithError {
  return new PithError("workspace_not_allowed", `${clipPath(path)} is outside the workspace`);
}

function tooLongError(path: string): PithError {
  return new PithError(
    "invalid_input",
    `The path is too long (${path.length} characters): ${clipPath(path)}`,
  );
}

function linkLoopError(path: string): PithError {
  return new PithError("file_not_found", `${clipPath(path)} is a loop of symbolic links`, {
    suggestion: "Name the file itself, not a link to it.",
  });
}

/** Truncates a path for an error message, which must not fill the token budget. */
function clipPath(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}…`;
}
