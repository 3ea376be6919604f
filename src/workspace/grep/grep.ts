import { lstat } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import type { GrepOutput, GrepResult } from "../../model/grep-result.ts";
import { missingFile } from "../files/missing-file.ts";
import { contains, type JailedPath } from "../jail.ts";
import { planGlobs } from "./grep-glob.ts";
import { maskMatches } from "./grep-mask.ts";
import { mergeResults } from "./grep-matches.ts";
import { scanFiles } from "./grep-scan.ts";
import { searchWithRipgrep } from "./ripgrep-search.ts";

/** How a line is matched; the words are ripgrep's own. */
export interface GrepMatching {
  readonly ignoreCase: boolean;
  /** Ignores the case of patterns without an upper-case letter. */
  readonly smartCase: boolean;
  /** Patterns are texts, not regular expressions. */
  readonly fixedStrings: boolean;
  readonly wordRegexp: boolean;
  readonly lineRegexp: boolean;
  readonly invertMatch: boolean;
  /** A match may span lines. */
  readonly multiline: boolean;
  /** With `multiline`, a dot matches a line end too. */
  readonly multilineDotall: boolean;
  /** The matching part of a line in place of the line. */
  readonly onlyMatching: boolean;
  /** Patterns in PCRE2's syntax, which has look-around and backreferences. */
  readonly pcre2: boolean;
}

export interface GrepQuery extends Partial<GrepMatching> {
  /** Rust regular expressions; a line matches when one of them does. */
  readonly patterns: readonly string[];
  /** Gitignore style, against names, or with a slash against paths; `!` in front leaves files out. */
  readonly globs?: readonly string[] | undefined;
  /** ripgrep's names of file types: `ts`, `py`, `rust`. */
  readonly types?: readonly string[] | undefined;
  readonly typesNot?: readonly string[] | undefined;
  readonly beforeLines?: number | undefined;
  readonly afterLines?: number | undefined;
  /** Matching lines, or files for output `files` and `count`. */
  readonly maxMatches?: number | undefined;
  /** Matching lines of each file. */
  readonly maxPerFile?: number | undefined;
  /** Searches ignored files too. */
  readonly noIgnore?: boolean | undefined;
  readonly output?: GrepOutput | undefined;
}

export interface GrepOptions {
  /** ripgrep programs to try in turn, in place of the usual ones. */
  readonly programs?: readonly string[];
  /** Whether secrets are masked. */
  readonly mask?: boolean;
  readonly signal?: AbortSignal;
}

/** One of the places to search, relative to the folder that the search runs in. */
export interface GrepTarget {
  /** `.` or a path, with forward slashes. */
  readonly below: string;
  /** Whether it is one file, which then is searched whatever the ignore rules say. */
  readonly isFile: boolean;
}

/** A query with its defaults filled in, and where it runs. */
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
  /** The folder that the search runs in, and where in it to search. */
  readonly cwd: string;
  readonly targets: readonly GrepTarget[];
  /** How replies show a path that is relative to `cwd`. */
  readonly show: (path: string) => string;
}

const DEFAULT_MAX_MATCHES = 200;
const MAX_PATTERNS = 50;

/**
 * Searches the text files of folders, or single files, for lines that match. Ignored files are left out unless a target
 * is one; hidden files are searched, version control's own folders are not, nor outside of git the folders of installed
 * packages and caches; links are not followed.
 */
export async function grep(
  targets: JailedPath | readonly JailedPath[],
  query: GrepQuery,
  options: GrepOptions = {},
): Promise<GrepResult> {
  checkQuery(query);
  const results: GrepResult[] = [];
  for (const { cwd, show, targets: below } of await placesOf([targets].flat())) {
    const mask = options.mask ?? false;
    const plan = { ...defaultsOf(query), cwd, show, targets: below, mask };
    const result = (await searchWithRipgrep(plan, options)) ?? (await scanFiles(plan, options.signal));
    results.push(mask ? await maskMatches(result, plan) : result);
  }
  return mergeResults(results, query.maxMatches ?? DEFAULT_MAX_MATCHES);
}

/** Refuses a query that no file can be searched with. */
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

type Place = Pick<GrepPlan, "cwd" | "show" | "targets">;

/**
 * The folders that searches run in, each with what is searched in it. What lies in the workspace is searched from there;
 * anything else from the outermost target that it lies in.
 */
async function placesOf(paths: readonly JailedPath[]): Promise<readonly Place[]> {
  const found = await Promise.all(paths.map(async (path) => ({ path, isFile: !(await isFolder(path)) })));
  const folders = found.filter(({ isFile }) => !isFile).map(({ path }) => path.absolute);
  const places = new Map<string, { show: Place["show"]; targets: Map<string, GrepTarget> }>();
  for (const { path, isFile } of found) {
    const outermost = folders
      .filter((folder) => contains(folder, path.absolute))
      .sort((one, other) => one.length - other.length)[0];
    const isInside = contains(path.base, path.absolute);
    const cwd = isInside ? path.base : (outermost ?? dirname(path.absolute));
    const place = places.get(cwd) ?? {
      show: (shown: string) => (isInside ? shown : `${slashed(cwd)}/${shown}`),
      targets: new Map<string, GrepTarget>(),
    };
    const below = slashed(relative(cwd, path.absolute)) || ".";
    place.targets.set(below, { below, isFile });
    places.set(cwd, place);
  }
  return [...places].map(([cwd, { show, targets }]) => ({ cwd, show, targets: [...targets.values()] }));
}

function defaultsOf(query: GrepQuery): Omit<GrepPlan, keyof Place | "mask"> {
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

function slashed(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}
