import { lstat } from "node:fs/promises";
import { dirname, relative, sep } from "node:path";
import { errnoOf, PithError } from "../kernel/errors.ts";
import type { GrepOutput, GrepResult } from "../model/grep-result.ts";
import { missingFile } from "./missing-file.ts";
import { contains, type JailedPath } from "./jail.ts";
import { planGlob } from "./grep-glob.ts";
import { scanFiles } from "./grep-scan.ts";
import { searchWithRipgrep } from "./ripgrep-search.ts";

export interface GrepQuery {
  /** Rust regular expressions; a line matches when one of them does. */
  readonly patterns: readonly string[];
  /** Gitignore style, against names, or with a slash against paths; `!` in front leaves files out. */
  readonly glob?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly contextLines?: number | undefined;
  /** Matching lines, or files for output `files` and `count`. */
  readonly maxMatches?: number | undefined;
  readonly output?: GrepOutput | undefined;
}

export interface GrepOptions {
  /** ripgrep programs to try in turn, in place of the usual ones. */
  readonly programs?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A query with its defaults filled in, and where it runs. */
export interface GrepPlan {
  readonly patterns: readonly string[];
  readonly glob: string | undefined;
  readonly ignoreCase: boolean;
  readonly contextLines: number;
  readonly maxMatches: number;
  readonly output: GrepOutput;
  /** The folder that the search runs in, and where in it to search (`.` or a path, with forward slashes). */
  readonly cwd: string;
  readonly below: string;
  /** Whether `below` is one file, which then is searched whatever the ignore rules say. */
  readonly oneFile: boolean;
  /** How replies show a path that is relative to `cwd`. */
  readonly show: (path: string) => string;
}

const DEFAULT_MAX_MATCHES = 200;
const MAX_PATTERNS = 50;

/**
 * Searches the text files of a folder, or one file, for lines that match. Ignored files are left out unless the target
 * is one; hidden files are searched, version control's own folders are not, nor outside of git the folders of installed
 * packages and caches; links are not followed.
 */
export async function grep(
  target: JailedPath,
  query: GrepQuery,
  options: GrepOptions = {},
): Promise<GrepResult> {
  checkQuery(query);
  const plan = planOf(target, query, await isFolder(target));
  return (await searchWithRipgrep(plan, options)) ?? scanFiles(plan, options.signal);
}

/** Refuses a query that no file can be searched with. */
export function checkQuery({ patterns, glob, contextLines, maxMatches }: GrepQuery): void {
  const wrong: string[] = [];
  if (patterns.length === 0) wrong.push("pattern is missing");
  if (patterns.length > MAX_PATTERNS)
    wrong.push(`patterns has ${patterns.length} entries, at most ${MAX_PATTERNS}`);
  for (const [index, pattern] of patterns.entries()) {
    const name = patterns.length === 1 ? "pattern" : `patterns[${index}]`;
    if (/[\r\n]/.test(pattern)) wrong.push(`${name} contains a line end, but single lines are searched`);
    if (pattern.includes("\0")) wrong.push(`${name} contains a NUL, but text files are searched`);
  }
  if (contextLines !== undefined && !(Number.isSafeInteger(contextLines) && contextLines >= 0))
    wrong.push(`context_lines is ${contextLines}, it must be 0 or more`);
  if (maxMatches !== undefined && !(Number.isSafeInteger(maxMatches) && maxMatches >= 1))
    wrong.push(`max_matches is ${maxMatches}, it must be 1 or more`);
  if (wrong.length > 0) throw new PithError("invalid_input", wrong.join("; "));
  planGlob(glob);
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

function planOf(target: JailedPath, query: GrepQuery, folder: boolean): GrepPlan {
  const cwd = contains(target.base, target.absolute)
    ? target.base
    : folder
      ? target.absolute
      : dirname(target.absolute);
  const below = slashed(relative(cwd, target.absolute)) || ".";
  return {
    patterns: query.patterns,
    glob: query.glob,
    ignoreCase: query.ignoreCase ?? false,
    contextLines: query.contextLines ?? 0,
    maxMatches: query.maxMatches ?? DEFAULT_MAX_MATCHES,
    output: query.output ?? "lines",
    cwd,
    below,
    oneFile: !folder,
    show: (path) => (cwd === target.base ? path : `${slashed(cwd)}/${path}`),
  };
}

function slashed(path: string): string {
  return sep === "\\" ? path.replaceAll("\\", "/") : path;
}
