import type { View, ViewFile } from "../live/view.ts";

/** How often files are imported, as far as names and paths tell without a compiler. */
export interface ImportGraph {
  /** How many files import this one. */
  importers(path: string): number;
  /** The paths of the files that a file imports. */
  targetsOf(file: ViewFile): ReadonlySet<string>;
}

const RESOLVED_ENDINGS = /(?:\.d)?\.\w+$/;
/** An import names files by this many trailing words at most; more would only cost time. */
const MAX_SEGMENTS = 8;
/** A name that fits more files than this says nothing. */
const MAX_AMBIGUOUS_FILES = 3;
/** An include names a header, not the source beside it that bears the same name. */
const HEADER = /\.(?:h|hh|hpp|hxx|inc)$/;

/** Resolves the imports of all files of a view by their names alone, the same way for every language. */
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
  return { importers: (path) => counts.get(path) ?? 0, targetsOf };
}

/** For each last part of a path without extension, the files that end so. Index files also go by their folder. */
function endingsOf(view: View): ReadonlyMap<string, readonly string[]> {
  const byEnding = new Map<string, string[]>();
  for (const { path, facts } of view.files) {
    if (facts.kind !== "code") continue;
    const bare = barePath(path);
    const last = bare.slice(bare.lastIndexOf("/") + 1);
    const list = byEnding.get(last);
    if (list === undefined) byEnding.set(last, [path]);
    else list.push(path);
  }
  return byEnding;
}

/** Without its extension; an index file is named by its folder. */
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
  // The last words may name something inside the module: they are left off one by one.
  for (let end = segments.length; end > 0 && end > segments.length - 3; end--) {
    const wanted = segments.slice(Math.max(0, end - MAX_SEGMENTS), end);
    const ending = wanted.join("/");
    const fits = (byEnding.get(wanted.at(-1) ?? "") ?? []).filter((path) => {
      const bare = barePath(path);
      return bare === ending || bare.endsWith(`/${ending}`);
    });
    if (fits.length === 0) continue;
    // One word alone names too much, unless it is a path or only one file has it.
    if (fits.length > MAX_AMBIGUOUS_FILES && wanted.length < 2) return undefined;
    const extension = HEADER.exec(source)?.[0];
    const same = extension === undefined ? [] : fits.filter((path) => path.endsWith(extension));
    return nearest(same.length === 0 ? fits : same, folder);
  }
  return undefined;
}

/** The words of an import: `./a/b` and `../c` from the folder, `a.b.c`, `crate::a::b`, `a/b.h`. */
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

/** Words that stand for the package itself. */
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
