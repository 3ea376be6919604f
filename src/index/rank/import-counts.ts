import { addToGroup } from "../../kernel/group-by.ts";
import type { View, ViewFile } from "../live/view.ts";

/**
 * How many files import each file, by names and paths alone. Only the order of results depends on it; what a name refers
 * to is found by the resolvers of `uses/`, which read more than a search can wait for.
 */
export interface ImportGraph {
  /** Returns the number of files that import this one. */
  importers(path: string): number;
}

const RESOLVED_ENDINGS = /(?:\.d)?\.\w+$/;
/** Number of words at the end of an import that are compared with the paths of files. */
const MAX_SEGMENTS = 8;
/** Number of files up to which an import that is a single word is resolved; if it fits more, it is ambiguous. */
const MAX_AMBIGUOUS_FILES = 3;
/** Matches a header in an include, which refers to the header and not to the source file of the same name. */
const HEADER = /\.(?:h|hh|hpp|hxx|inc)$/;

/** Resolves the imports of all files by name, in the same way for every language. */
export function createImportGraph(view: View): ImportGraph {
  const byEnding = endingsOf(view);
  const targetsOf = (file: ViewFile): ReadonlySet<string> => {
    const found = new Set<string>();
    for (const source of view.documentOf(file).imports) {
      const target = resolveImport(source, file.path, byEnding);
      if (target !== undefined && target !== file.path) found.add(target);
    }
    return found;
  };
  const counts = new Map<string, number>();
  for (const file of view.files)
    for (const target of targetsOf(file)) counts.set(target, (counts.get(target) ?? 0) + 1);
  return { importers: (path) => counts.get(path) ?? 0 };
}

/**
 * Maps the last segment of each path, without extension, to the files that have it. Index files are listed under the
 * name of their folder.
 */
function endingsOf(view: View): ReadonlyMap<string, readonly string[]> {
  const byEnding = new Map<string, string[]>();
  for (const { path, facts } of view.files) {
    if (facts.kind !== "code") continue;
    const bare = barePath(path);
    const last = bare.slice(bare.lastIndexOf("/") + 1);
    addToGroup(byEnding, last, path);
  }
  return byEnding;
}

/** Returns the path without extension; for an index file, the path of its folder. */
function barePath(path: string): string {
  return path.replace(RESOLVED_ENDINGS, "").replace(/\/(?:index|mod|__init__)$/, "");
}

function resolveImport(
  source: string,
  from: string,
  byEnding: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const folder = from.slice(0, Math.max(0, from.lastIndexOf("/")));
  const segments = segmentsOf(source, folder);
  // The last words of an import may name something inside a module, so up to two of them are dropped, one by one.
  for (let end = segments.length; end > 0 && end > segments.length - 3; end--) {
    const wanted = segments.slice(Math.max(0, end - MAX_SEGMENTS), end);
    const ending = wanted.join("/");
    const fits = (byEnding.get(wanted.at(-1) ?? "") ?? []).filter((path) => {
      const bare = barePath(path);
      return bare === ending || bare.endsWith(`/${ending}`);
    });
    if (fits.length === 0) continue;
    // An import that is a single word is ambiguous if it fits many files.
    if (fits.length > MAX_AMBIGUOUS_FILES && wanted.length < 2) return undefined;
    const extension = HEADER.exec(source)?.[0];
    const same = extension === undefined ? [] : fits.filter((path) => path.endsWith(extension));
    return nearest(same.length === 0 ? fits : same, folder);
  }
  return undefined;
}

/**
 * Splits an import into words. A relative one (`./a/b`, `../c`) starts with the words of the importing file's folder;
 * others (`a.b.c`, `crate::a::b`, `a/b.h`) are split as they are.
 */
function segmentsOf(source: string, folder: string): string[] {
  const relative = /^(\.+)(?:\/|(?=\w)|$)/.exec(source)?.[1];
  const rest = source.replace(/^[.\s]+/, "").replace(/^\//, "");
  const separated = source.includes("/")
    ? rest.replace(/\.(?:[cm]?[jt]sx?|h|hh|hpp|hxx|vue|svelte|css|json|py|rb|php)$/, "")
    : rest;
  const words = separated
    .split(source.includes("/") ? /[/\\]/ : /::|[./\\]/)
    .filter((word) => word !== "" && word !== "..");
  if (relative === undefined) return words.filter((word) => !ROOT_WORDS.has(word));
  const up =
    source.startsWith("./") || source.startsWith("../")
      ? [...source.matchAll(/\.\.\//g)].length
      : relative.length - 1;
  const base = folder === "" ? [] : folder.split("/");
  return [...base.slice(0, Math.max(0, base.length - up)), ...words];
}

/** Words in an import that refer to the package itself. */
const ROOT_WORDS: ReadonlySet<string> = new Set(["crate", "self", "super", "@", "~"]);

function nearest(paths: readonly string[], folder: string): string | undefined {
  let best: string | undefined;
  let bestShared = -1;
  for (const path of paths) {
    const shared = sharedLength(path, folder);
    if (shared > bestShared || (shared === bestShared && best !== undefined && path.length < best.length)) {
      best = path;
      bestShared = shared;
    }
  }
  return best;
}

function sharedLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}
