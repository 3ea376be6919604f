import { lstat, readlink, realpath, stat } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { errnoOf, PithError } from "../kernel/errors.ts";

/** A path that was checked: inside a root, with every symbolic link on the way resolved. */
export interface JailedPath {
  /** Absolute and free of symbolic links; what does not exist yet is appended as written. */
  readonly absolute: string;
  /** As replies show it: relative to the base with forward slashes (`.` for the base), absolute outside of it. */
  readonly shown: string;
  /** The folder the path was resolved against, links resolved. */
  readonly base: string;
  readonly exists: boolean;
}

export interface Jail {
  /** The path a user named, relative to `base` or absolute. Throws `workspace_not_allowed` outside the roots. */
  resolve(path: string, base: string): Promise<JailedPath>;
}

/** The longest path any supported system takes (Windows with long paths on). */
const MAX_PATH_LENGTH = 32_767;
/** What Linux itself allows on one path. */
const MAX_LINKS = 40;

/** Confines paths to the given folders. The folders may be links, and may come into being later. */
export function createJail(roots: readonly string[]): Jail {
  return {
    async resolve(path, base) {
      refuseImpossible(path);
      const found = await follow(resolve(base, path), path);
      const inside = await Promise.all(
        roots.map(async (root) => contains(await realOrSame(root), found.path)),
      );
      if (!inside.includes(true)) throw outside(path);
      const realBase = await realOrSame(base);
      const shown = showFrom(realBase, found.path);
      return { absolute: found.path, shown, base: realBase, exists: found.exists };
    },
  };
}

/**
 * Whether an opened file is the one at the checked path. False where an editor put a new one in its place meanwhile;
 * throws where a link has come into the way.
 */
export async function isStillThere(handle: FileHandle, path: JailedPath): Promise<boolean> {
  try {
    const [opened, current, real] = await Promise.all([
      handle.stat({ bigint: true }),
      stat(path.absolute, { bigint: true }),
      realpath(path.absolute),
    ]);
    if (real !== path.absolute) throw outside(path.shown);
    return opened.ino === current.ino && opened.dev === current.dev;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Whether `path` is `root` or below it; both real paths. */
export function contains(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function refuseImpossible(path: string): void {
  if (path === "") throw new PithError("invalid_input", "The path is empty");
  if (path.includes("\0")) throw new PithError("invalid_input", "The path contains a NUL character");
  if (path.length > MAX_PATH_LENGTH) throw tooLong(path);
}

interface Followed {
  readonly path: string;
  readonly exists: boolean;
}

/**
 * The real path of the deepest part that exists, with the rest appended. A link to something missing is followed too:
 * writing through it would create its target.
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
      if (links >= MAX_LINKS) throw linkLoop(asWritten);
      const from = await realpath(dirname(current));
      return follow(join(resolve(from, target), ...missing), asWritten, links + 1);
    }
    if (current === parse(current).root) return { path: join(current, ...missing), exists: false };
    missing.unshift(basename(current));
  }
}

/** Missing parts and parts we may not look into are left to the check of what is above them. */
function refuseUnfollowable(error: unknown, asWritten: string): void {
  const code = errnoOf(error);
  if (code === "ENAMETOOLONG") throw tooLong(asWritten);
  if (code === "ELOOP") throw linkLoop(asWritten);
  if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "EACCES" && code !== "EPERM") throw error;
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch {
    // Missing or closed to us: then there is no link to follow here.
    return undefined;
  }
}

async function realOrSame(folder: string): Promise<string> {
  return (await follow(resolve(folder), folder)).path;
}

function showFrom(base: string, path: string): string {
  const shown = contains(base, path) ? relative(base, path) || "." : path;
  return sep === "\\" ? shown.replaceAll("\\", "/") : shown;
}

function outside(path: string): PithError {
  return new PithError("workspace_not_allowed", `${clipPath(path)} is outside the workspace`);
}

function tooLong(path: string): PithError {
  return new PithError(
    "invalid_input",
    `The path is too long (${path.length} characters): ${clipPath(path)}`,
  );
}

function linkLoop(path: string): PithError {
  return new PithError("file_not_found", `${clipPath(path)} is a loop of symbolic links`, {
    suggestion: "Name the file itself, not a link to it.",
  });
}

/** A path is echoed in messages; one that fills the budget helps nobody. */
function clipPath(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 200)}…`;
}
