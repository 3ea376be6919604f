import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { contains } from "../kernel/files/opened-path.ts";
import { readSmallFile } from "../kernel/files/small-file.ts";
import { git } from "./git/git-repository.ts";

/** Upper bound on the files and folders of a tree, because every one is looked at. */
const MAX_ENTRIES = 100_000;
/** Upper bound on the bytes of the files whose content is compared. */
const MAX_CONTENT_BYTES = 64 * 1024 * 1024;
/** A larger file is identified by its size and times. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** The longest time without yielding to the event loop. */
const YIELD_AFTER_MS = 10;
const MAX_LIST_BYTES = 32 * 1024 * 1024;

/** Thrown if files outside of the tree may matter, or if there are too many files, so that nothing can be said. */
export class UnknownTreeError extends Error {
  override readonly name = "UnknownTreeError";
}

/** Which files of a tree are caches, by their paths relative to its top folder. */
export interface CacheRules {
  /** Caches of the tools that run: they change with each run and are compared apart. */
  isOwn(path: string): boolean;
  /** Caches of other tools, which nobody else reads. */
  isOther(path: string): boolean;
}

/** All files of a folder as the file system describes them, ignored ones included. */
export interface TreeSurvey {
  readonly top: string;
  /** Changes whenever anything but a cache is written, even with the same content. */
  readonly strict: string;
  /** Changes whenever a cache of the running tools is written. */
  readonly caches: string;
  /** What each entry looks like, by path. */
  readonly entries: ReadonlyMap<string, string>;
}

/**
 * Surveys a folder without reading files. Git is not asked, because it can be told to overlook changes (assume-unchanged,
 * line ends, submodules) that a checker sees.
 */
export async function surveyTree(top: string, rules: CacheRules, signal: AbortSignal): Promise<TreeSurvey> {
  const entries = new Map<string, string>();
  const [strict, caches] = [createHash("sha256"), createHash("sha256")];
  const pending = [""];
  const pause = createPause(signal);
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const names = readdirSync(join(top, folder), { withFileTypes: true });
    let hasCache = false;
    for (const entry of names) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (folder === "" && entry.name === ".git") continue;
      if (rules.isOther(path)) {
        hasCache = true;
        continue;
      }
      const isOwn = rules.isOwn(path);
      hasCache ||= isOwn;
      if (entry.isDirectory()) {
        pending.push(path);
        continue;
      }
      const look = entry.isSymbolicLink() ? linkLook(top, path) : statLook(join(top, path));
      (isOwn ? caches : strict).update(`${path}\0${look}\n`);
      if (!isOwn) entries.set(path, look);
      if (entries.size > MAX_ENTRIES) throw new UnknownTreeError("too many files");
      await pause();
    }
    // The time of a folder shows that a file came and went. In a folder with a cache it shows nothing.
    const { mtimeMs, ctimeMs } = lstatSync(join(top, folder));
    strict.update(`${folder}/\0${hasCache || rules.isOwn(folder) ? "" : `${mtimeMs} ${ctimeMs}`}\n`);
  }
  return { top, strict: strict.digest("base64"), caches: caches.digest("base64"), entries };
}

/**
 * Identifies a surveyed tree by the contents of its files, so that a file that was touched, or changed back, counts as
 * unchanged. Files that git ignores are not read; they count as changed when they were written.
 */
export async function contentOf({ top, entries }: TreeSurvey, signal: AbortSignal): Promise<string> {
  const listed = await git(top, ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    signal,
    maxBytes: MAX_LIST_BYTES,
  });
  if (listed.exitCode !== 0) throw new UnknownTreeError("git cannot list the files");
  const visible = new Set(listed.stdout.toString("utf8").split("\0"));
  const hash = createHash("sha256");
  const pause = createPause(signal);
  let bytes = 0;
  // The order of folders differs between file systems and after changes.
  for (const path of [...entries.keys()].sort()) {
    const look = entries.get(path) ?? "";
    if (!visible.has(path) || !look.startsWith("file ")) {
      hash.update(`${path}\0${look}\n`);
      continue;
    }
    const { size, mode } = statSync(join(top, path));
    bytes += size;
    if (bytes > MAX_CONTENT_BYTES) throw new UnknownTreeError("too large to read");
    const read = size > MAX_FILE_BYTES ? undefined : readSmallFile(join(top, path), { within: top });
    if (read !== undefined && "refused" in read) throw new UnknownTreeError(`${path} cannot be read`);
    const content = read?.bytes;
    if (content !== undefined && namesOutside(top, path, content))
      throw new UnknownTreeError(`${path} names a file outside of the repository`);
    const id = content === undefined ? look : createHash("sha1").update(content).digest("base64");
    hash.update(`${path}\0${(mode & 0o111) === 0 ? "file" : "program"} ${id}\n`);
    await pause();
  }
  return hash.digest("base64");
}

/** Describes a file by what changes when it is written or replaced. */
export function statLook(path: string): string {
  const { size, mtimeMs, ctimeMs, ino, mode } = lstatSync(path);
  return `file ${size} ${mtimeMs} ${ctimeMs} ${ino} ${mode}`;
}

/** Describes a link. The target of a link that leaves the tree is looked at too, because nothing else would see it. */
function linkLook(top: string, path: string): string {
  const text = readlinkSync(join(top, path));
  const target = resolve(join(top, dirname(path)), text);
  if (contains(top, target)) return `link ${text}`;
  if (!existsSync(target)) return `link ${text} to nothing`;
  if (!statSync(target).isFile()) throw new UnknownTreeError(`${path} leads out of the repository`);
  const real = realpathSync(target);
  return `link ${text} ${real} ${statLook(real)}`;
}

/** Throws if one of the files of a tree leads out of it, or names a file that is not in it. */
export async function checkStaysInside(
  top: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const pause = createPause(signal);
  let bytes = 0;
  for (const path of paths) {
    const found = lstatSync(join(top, path), { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true) {
      const target = resolve(join(top, dirname(path)), readlinkSync(join(top, path)));
      if (!contains(top, target) && existsSync(target))
        throw new UnknownTreeError(`${path} leads out of the repository`);
    }
    if (found?.isFile() !== true || found.size > MAX_FILE_BYTES || !mayNameFiles(path)) continue;
    bytes += found.size;
    if (bytes > MAX_CONTENT_BYTES) throw new UnknownTreeError("too large to read");
    const read = readSmallFile(join(top, path), { within: top });
    if ("refused" in read) throw new UnknownTreeError(`${path} cannot be read`);
    if (namesOutside(top, path, read.bytes))
      throw new UnknownTreeError(`${path} names a file outside of the repository`);
    await pause();
  }
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
/** Settings of tools, and JSON files that they may extend, but not the data of tests. */
const SETTINGS =
  /^(?!(?:.*\/)?(?:tests?|__tests__|fixtures|__fixtures__|testdata)\/).*(?:\.json[c5]?|(?:^|\/)\.[\w-]+rc[^/]*|config\.[cm]?[jt]s|\.(?:toml|cfg|ini)|(?:^|\/)\.flake8)$/;
const IMPORT_ABOVE = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']((?:\.\.\/)+)/g;
const PATH_ABOVE = /(?:^|[\s=:,"'`])((?:\.\.\/)+|\.\.(?=$|[\s,"'`]))/gm;
const ABSOLUTE_PATH = /(?:^|[\s=:,"'`])(\/[\w.@-][\w.@/-]*)/gm;

function mayNameFiles(path: string): boolean {
  return SETTINGS.test(path) || SCRIPT.test(path);
}

/** Checks whether a file imports or configures something that is not below the top folder. */
function namesOutside(top: string, path: string, content: Buffer): boolean {
  if (!mayNameFiles(path)) return false;
  const isSettings = SETTINGS.test(path);
  const text = content.toString("utf8");
  const depth = path.split("/").length - 1;
  for (const [, steps = ""] of text.matchAll(isSettings ? PATH_ABOVE : IMPORT_ABOVE))
    if (steps.split("..").length - 1 > depth) return true;
  if (!isSettings) return false;
  for (const [, absolute = ""] of text.matchAll(ABSOLUTE_PATH))
    if (existsSync(absolute) && !contains(top, absolute)) return true;
  return false;
}

/** Returns a function that lets other work run from time to time, and throws when the signal aborts. */
function createPause(signal: AbortSignal): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < YIELD_AFTER_MS) return;
    await new Promise<void>((resume) => {
      setImmediate(resume);
    });
    signal.throwIfAborted();
    begun = performance.now();
  };
}
