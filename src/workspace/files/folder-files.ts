import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** What lies in a folder and above it, up to the workspace's root. */
export interface FolderFiles {
  /** Names in the folder itself. */
  readonly names: readonly string[];
  /** The nearest file of this name here or above, as text. */
  nearest(name: string): { readonly folder: string; readonly text: string } | undefined;
}

/** No manifest is larger; more of a file is not read. */
const MAX_BYTES = 1_000_000;
/** Folders that hold other people's manifests. */
const NOT_OURS: ReadonlySet<string> = new Set(
  "node_modules vendor target dist build out bin obj venv site-packages __pycache__ coverage fixtures testdata".split(
    " ",
  ),
);
const MAX_FOLDERS_LOOKED_AT = 2_000;

export function readFolder(folder: string, root: string): FolderFiles {
  const listings = new Map<string, readonly string[]>();
  const list = (path: string): readonly string[] => {
    const known = listings.get(path) ?? listNames(path);
    listings.set(path, known);
    return known;
  };
  return {
    names: list(folder),
    nearest(name) {
      for (const path of upwards(folder, root))
        if (list(path).includes(name)) {
          const text = readStart(join(path, name));
          if (text !== undefined) return { folder: path, text };
        }
      return undefined;
    },
  };
}

/** The text of the nearest file of this path (`.vscode/tasks.json`) in the folder or above it, up to the root. */
export function nearestText(folder: string, root: string, path: string): string | undefined {
  for (const at of upwards(folder, root)) {
    const text = readStart(join(at, path));
    if (text !== undefined) return text;
  }
  return undefined;
}

interface Manifests {
  readonly found: readonly { readonly folder: string; readonly manifest: string }[];
  /** False where a limit ended the search. */
  readonly isComplete: boolean;
}

/** Folders below that have a manifest of their own, relative with forward slashes, breadth first. */
export function findManifests(
  folder: string,
  isManifest: (name: string) => boolean,
  limits: { readonly depth: number; readonly count: number },
): Manifests {
  const found: { folder: string; manifest: string }[] = [];
  let level = [folder];
  let looked = 0;
  for (let depth = 0; depth <= limits.depth && level.length > 0; depth++) {
    const next: string[] = [];
    for (const path of level) {
      if (++looked > MAX_FOLDERS_LOOKED_AT || found.length >= limits.count)
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

function subfolders(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NOT_OURS.has(entry.name))
      .map((entry) => join(path, entry.name));
  } catch {
    // Gone or closed to us: then nothing of it can be listed.
    return [];
  }
}

function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    // Gone or closed to us.
    return [];
  }
}

function readStart(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const buffer = Buffer.alloc(MAX_BYTES);
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, MAX_BYTES, 0));
  } catch {
    // A folder of that name, or closed to us: not a manifest.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
