import { lstat } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import type { GrepOutput } from "../../model/grep-result.ts";
import { missingFile } from "../files/missing-file.ts";
import type { JailedPath } from "../jail.ts";
import { planGlobs } from "./grep-glob.ts";

/** How lines are matched; the names are those of the ripgrep options. */
export interface GrepMatching {
  readonly ignoreCase: boolean;
  /** Ignores case if no pattern contains an upper-case letter. */
  readonly smartCase: boolean;
  /** Treats patterns as plain text instead of regular expressions. */
  readonly fixedStrings: boolean;
  readonly wordRegexp: boolean;
  readonly lineRegexp: boolean;
  readonly invertMatch: boolean;
  /** Allows a match to span lines. */
  readonly multiline: boolean;
  /** With `multiline`, lets a dot also match a line ending. */
  readonly multilineDotall: boolean;
  /** Shows only the matching part of a line. */
  readonly onlyMatching: boolean;
  /** Uses the PCRE2 syntax, which has look-around and backreferences. */
  readonly pcre2: boolean;
}

export interface GrepQuery extends Partial<GrepMatching> {
  /** Regular expressions in the syntax of Rust; a line matches if any of them does. */
  readonly patterns: readonly string[];
  /**
   * Globs for the files to search. A glob without a slash matches file names, one with a slash matches paths, and a
   * leading `!` excludes files.
   */
  readonly globs?: readonly string[] | undefined;
  /** File types as ripgrep names them, such as `ts`, `py` or `rust`. */
  readonly types?: readonly string[] | undefined;
  readonly typesNot?: readonly string[] | undefined;
  readonly beforeLines?: number | undefined;
  readonly afterLines?: number | undefined;
  /** Maximum number of matching lines, or of files for the outputs `files` and `count`. */
  readonly maxMatches?: number | undefined;
  /** Maximum number of matching lines per file. */
  readonly maxPerFile?: number | undefined;
  /** Searches ignored files as well. */
  readonly noIgnore?: boolean | undefined;
  readonly output?: GrepOutput | undefined;
}

export interface GrepOptions {
  /** Ripgrep programs that are tried in order, instead of the default ones. */
  readonly programs?: readonly string[];
  /** True if secrets must be masked. */
  readonly mask?: boolean;
  readonly signal?: AbortSignal;
}

/** A file or folder to search, relative to the working directory of the search. */
export interface GrepTarget {
  /** The path of the file or folder with forward slashes, or `.`. */
  readonly below: string;
  /** True for a single file, which is searched even if ignore rules exclude it. */
  readonly isFile: boolean;
}

/** A search query with all defaults applied, and the working directory in which it runs. */
export interface GrepPlan {
  readonly patterns: readonly string[];
  readonly matching: GrepMatching;
  readonly globs: readonly string[];
  readonly types: readonly string[];
  readonly typesNot: readonly string[];
  readonly beforeLines: number;
  readonly afterLines: number;
  readonly maxMatches: number;
  readonly maxPerFile: number;
  readonly noIgnore: boolean;
  readonly output: GrepOutput;
  readonly mask: boolean;
  /** Working directory of the search. */
  readonly cwd: string;
  readonly targets: readonly GrepTarget[];
  /** Formats a path relative to `cwd` for replies. */
  readonly show: (path: string) => string;
}

export const DEFAULT_MAX_MATCHES = 200;
const MAX_PATTERNS = 50;

/** Throws an error that lists what is wrong with a query, if anything is. */
export function checkQuery({
  patterns,
  globs,
  multiline,
  beforeLines,
  afterLines,
  maxMatches,
  maxPerFile,
}: GrepQuery): void {
  const wrong: string[] = [];
  if (patterns.length === 0) wrong.push("pattern is missing");
  if (patterns.length > MAX_PATTERNS)
    wrong.push(`patterns has ${patterns.length} entries, at most ${MAX_PATTERNS}`);
  for (const [index, pattern] of patterns.entries()) {
    const name = patterns.length === 1 ? "pattern" : `patterns[${index}]`;
    if (/[\r\n]/.test(pattern) && multiline !== true)
      wrong.push(`${name} contains a line end, but single lines are searched`);
    if (pattern.includes("\0")) wrong.push(`${name} contains a NUL, but text files are searched`);
  }
  for (const [name, lines] of Object.entries({ beforeLines, afterLines }))
    if (lines !== undefined && !(Number.isSafeInteger(lines) && lines >= 0))
      wrong.push(`${name === "beforeLines" ? "before" : "after"} is ${lines} lines, it must be 0 or more`);
  for (const [name, count] of Object.entries({ max_matches: maxMatches, max_count: maxPerFile }))
    if (count !== undefined && !(Number.isSafeInteger(count) && count >= 1))
      wrong.push(`${name} is ${count}, it must be 1 or more`);
  if (wrong.length > 0) throw new PithError("invalid_input", wrong.join("; "));
  planGlobs(globs ?? []);
}

async function isFolder(target: JailedPath): Promise<boolean> {
  try {
    const stats = await lstat(target.absolute);
    if (stats.isDirectory()) return true;
    if (stats.isFile()) return false;
  } catch (error) {
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    throw await missingFile(target, error);
  }
  throw new PithError("not_text", `${target.shown} is neither a file nor a folder`);
}

type SearchPlace = Pick<GrepPlan, "cwd" | "show" | "targets">;

/** A place with the text before its paths, if it is a dependency or another project. */
type NamedPlace = SearchPlace & { readonly prefix: string };

/**
 * Groups the files and folders to search by the working directory of the search. Those in the workspace are searched
 * from its root, others from the outermost requested folder that contains them.
 */
export async function groupTargets(paths: readonly JailedPath[]): Promise<GroupedTargets> {
  const { found, missing } = await findTargets(paths);
  const folders = found.filter(({ isFile }) => !isFile).map(({ path }) => path.absolute);
  const places = new Map<
    string,
    Omit<NamedPlace, "targets" | "cwd"> & { targets: Map<string, GrepTarget> }
  >();
  for (const { path, isFile } of found) {
    const outermost = folders
      .filter((folder) => contains(folder, path.absolute))
      .sort((one, other) => one.length - other.length)[0];
    const isInside = contains(path.base, path.absolute);
    const cwd = isInside ? path.base : (outermost ?? dirname(path.absolute));
    const place = places.get(cwd) ?? {
      show: (shown: string) => (isInside ? shown : `${toForwardSlashes(cwd)}/${shown}`),
      prefix: path.scope?.prefix ?? "",
      targets: new Map<string, GrepTarget>(),
    };
    const below = toForwardSlashes(relative(cwd, path.absolute)) || ".";
    place.targets.set(below, { below, isFile });
    places.set(cwd, place);
  }
  return {
    places: [...places].map(([cwd, { targets, ...place }]) => ({
      ...place,
      cwd,
      targets: [...targets.values()],
    })),
    missing,
  };
}

interface GroupedTargets {
  readonly places: readonly NamedPlace[];
  /** The paths that do not exist, as replies show them. If none exists, an error is thrown instead. */
  readonly missing: readonly string[];
}

async function findTargets(paths: readonly JailedPath[]) {
  const found: { readonly path: JailedPath; readonly isFile: boolean }[] = [];
  const errors: { readonly shown: string; readonly error: PithError }[] = [];
  for (const path of paths)
    try {
      found.push({ path, isFile: !(await isFolder(path)) });
    } catch (error) {
      // The reply names the missing paths beside the matches in the others.
      if (!(error instanceof PithError) || error.code !== "file_not_found") throw error;
      errors.push({ shown: path.shown, error });
    }
  const [first] = errors;
  if (first !== undefined && found.length === 0) throw first.error;
  return { found, missing: errors.map(({ shown }) => shown) };
}

export function withDefaults(query: GrepQuery): Omit<GrepPlan, keyof SearchPlace | "mask"> {
  const { patterns, globs = [], types = [], typesNot = [], ...rest } = query;
  const { beforeLines = 0, afterLines = 0, noIgnore = false, output = "lines" } = rest;
  const { maxMatches = DEFAULT_MAX_MATCHES, maxPerFile = Number.MAX_SAFE_INTEGER } = rest;
  return {
    patterns,
    matching: {
      ignoreCase: query.ignoreCase ?? false,
      smartCase: query.smartCase ?? false,
      fixedStrings: query.fixedStrings ?? false,
      wordRegexp: query.wordRegexp ?? false,
      lineRegexp: query.lineRegexp ?? false,
      invertMatch: query.invertMatch ?? false,
      multiline: query.multiline ?? false,
      multilineDotall: query.multilineDotall ?? false,
      onlyMatching: query.onlyMatching ?? false,
      pcre2: query.pcre2 ?? false,
    },
    globs,
    types,
    typesNot,
    beforeLines,
    afterLines,
    maxMatches,
    maxPerFile,
    noIgnore,
    output,
  };
}

function toForwardSlashes(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}
