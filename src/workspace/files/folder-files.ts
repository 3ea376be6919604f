import { readdirSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { contains } from "../../kernel/files/opened-path.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";

/** The files of a folder and of its parent folders, up to the root of the workspace. */
export interface FolderFiles {
  /** Names of the entries in the folder itself. */
  readonly names: readonly string[];
  /** Returns whether there is a file or folder at a relative path below the folder, such as `src/lib.rs`. */
  hasBelow(path: string): boolean;
  /** The names in a folder below this one; none if it does not exist. */
  namesBelow(path: string): readonly string[];
  /** Reads a file at a relative path below the folder; undefined if it is missing, a link to the outside or too large. */
  readBelow(path: string): string | undefined;
  /** Reads the nearest file with this name: in the folder itself or in the closest parent that has one. */
  nearest(name: string): { readonly folder: string; readonly text: string } | undefined;
}

/**
 * Folders of dependencies, build output or test data, whose manifests do not describe the project and which are
 * skipped.
 */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(
  "node_modules vendor target dist build out bin obj venv site-packages __pycache__ coverage fixtures testdata".split(
    " ",
  ),
);
const MAX_FOLDERS_SEARCHED = 2_000;
/** What CMake writes for ninja has this size with about 40,000 source files. */
const MAX_BELOW_BYTES = 32 * 1024 * 1024;

export function readFolder(folder: string, root: string): FolderFiles {
  const listings = new Map<string, readonly string[]>();
  const list = (path: string): readonly string[] => {
    const known = listings.get(path) ?? listNames(path);
    listings.set(path, known);
    return known;
  };
  return {
    names: list(folder),
    hasBelow: (path) => list(join(folder, dirname(path))).includes(basename(path)),
    namesBelow: (path) => list(join(folder, path)),
    readBelow: (path) =>
      readSmallText(join(folder, path), { within: jailOf(folder, root), maxBytes: MAX_BELOW_BYTES }),
    nearest(name) {
      for (const path of upwards(folder, root))
        if (list(path).includes(name)) {
          const text = readManifest(join(path, name), jailOf(path, root));
          if (text !== undefined) return { folder: path, text };
        }
      return undefined;
    },
  };
}

/**
 * Reads the nearest file with this relative path, such as `.vscode/tasks.json`: in the folder itself or in the closest
 * parent up to the root.
 */
export function nearestText(folder: string, root: string, path: string): string | undefined {
  for (const at of upwards(folder, root)) {
    const text = readManifest(join(at, path), jailOf(at, root));
    if (text !== undefined) return text;
  }
  return undefined;
}

interface Manifests {
  readonly found: readonly { readonly folder: string; readonly manifest: string }[];
  /** False if the search ended early because of a limit. */
  readonly isComplete: boolean;
}

/**
 * Searches the subfolders of a folder breadth first for manifests. The returned paths are relative and have forward
 * slashes.
 */
export function findManifests(
  folder: string,
  isManifest: (name: string) => boolean,
  limits: { readonly depth: number; readonly count: number },
): Manifests {
  const found: { folder: string; manifest: string }[] = [];
  let level = [folder];
  let searched = 0;
  for (let depth = 0; depth <= limits.depth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      if (++searched > MAX_FOLDERS_SEARCHED || found.length >= limits.count)
        return { found, isComplete: false };
      const manifest = depth === 0 ? undefined : listNames(path).find(isManifest);
      if (manifest !== undefined)
        found.push({ folder: relative(folder, path).split(sep).join("/"), manifest });
      next.push(...subfolders(path));
    }
    level = next;
  }
  return { found, isComplete: true };
}

function* upwards(folder: string, root: string): Generator<string> {
  for (let path = folder; ; path = dirname(path)) {
    yield path;
    if (path === root || dirname(path) === path) return;
  }
}

/** Reads a manifest or lock file. Large lock files are truncated, because only their beginning is of interest. */
function readManifest(path: string, within: string): string | undefined {
  return readSmallText(path, { within, truncate: true });
}

/** Returns the folder that a manifest must be in: the root, or its own folder if that is outside of the root. */
function jailOf(folder: string, root: string): string {
  return contains(root, folder) ? root : folder;
}

function subfolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter(
        (entry) => entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED_FOLDERS.has(entry.name),
      )
      .map((entry) => join(path, entry.name));
  } catch {
    // A folder that was removed or is not readable has nothing to search.
    return [];
  }
}

function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    // A folder that was removed or is not readable counts as empty.
    return [];
  }
}
