import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { createWorkerPool } from "../../kernel/worker-pool.ts";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import type { GrepLine, GrepResult } from "../../model/grep-result.ts";
import type { GrepPlan } from "./grep-plan.ts";
import { clipAround } from "./grep-clip.ts";
import { globFilter, planGlobs } from "./grep-glob.ts";
import { compareByFolder, MatchList } from "./grep-matches.ts";
import { decodeText, type SearchedText } from "./grep-text.ts";
import { compilePattern, patternAdvice } from "./grep-pattern.ts";
import type { ScanAnswer, ScanRequest } from "./scan-worker.ts";
import { walkFolder } from "../files/walk-folder.ts";

/** Maximum size of a file that is searched. Files are searched in memory; larger ones are skipped and counted. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Time limit for each file, because a JavaScript regular expression can take exponential time on a single line. */
const MAX_FILE_MS = 2_000;

/** Searches files in this process, as a slower fallback for machines without ripgrep. */
export async function scanFiles(plan: GrepPlan, signal?: AbortSignal): Promise<GrepResult> {
  refuseUnsupported(plan);
  const search = {
    plan,
    expressions: compileAll(plan),
    matches: new MatchList(plan),
    counts: new Map<string, number>(),
  };
  const skipped = { binary: 0, tooLarge: 0, unreadable: 0, matchingBinary: [] as string[] };
  let searchedFiles: number | undefined = 0;
  for (const path of await listFiles(plan)) {
    signal?.throwIfAborted();
    const file = loadFile(join(plan.cwd, path), plan.cwd);
    if (typeof file === "string") {
      skipped[file]++;
      continue;
    }
    const isNamed = plan.targets.some(({ below, isFile }) => isFile && below === path);
    const found = file.binary && !isNamed ? 0 : await searchFile(search, { path, ...file });
    if (file.binary) skipped.binary++;
    if (found > 0 && file.hasNul) skipped.matchingBinary.push(plan.show(path));
    searchedFiles++;
    if (plan.output === "lines" && search.matches.matchedLines > plan.maxMatches) {
      searchedFiles = undefined;
      break;
    }
  }
  const facts = { ...(searchedFiles !== undefined && { searchedFiles }), skipped };
  return plan.output === "lines" ? search.matches.result(facts) : summary(search, facts);
}

/** Throws for options that only ripgrep supports. */
function refuseUnsupported({ matching, types, typesNot }: GrepPlan): void {
  const asked = {
    type: types.length + typesNot.length > 0,
    multiline: matching.multiline,
    "only-matching": matching.onlyMatching,
    pcre2: matching.pcre2,
  };
  const wrong = Object.entries(asked).flatMap(([name, isAsked]) => (isAsked ? [name] : []));
  if (wrong.length > 0)
    throw new PithError("invalid_input", `${wrong.join(", ")} needs ripgrep, which is not installed`, {
      suggestion: "Install ripgrep (rg), or search without it.",
    });
}

async function listFiles(plan: GrepPlan): Promise<readonly string[]> {
  const wanted = globFilter(plan, planGlobs(plan.globs));
  const found = new Set<string>();
  for (const target of plan.targets)
    for (const path of target.isFile ? [target.below] : await filesBelow(target.below, plan))
      if (wanted(path)) found.add(path);
  return [...found].sort(compareByFolder);
}

async function filesBelow(below: string, { cwd, noIgnore }: GrepPlan): Promise<readonly string[]> {
  const prefix = below === "." ? "" : `${below}/`;
  if (noIgnore) return (await listAllFiles(join(cwd, below))).map((path) => prefix + path);
  const inside = (await walkFolder(cwd)).files.filter((path) => path.startsWith(prefix));
  // An ignored folder, which is not in the list, is searched if the caller named it.
  if (inside.length > 0) return inside;
  return (await walkFolder(join(cwd, below))).files.map((path) => prefix + path);
}

async function listAllFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !/(?:^|\/)\.(?:git|hg|svn|jj)\//.test(path));
}

/** Reads a file; one that was removed or replaced after it was listed counts as unreadable. */
function loadFile(path: string, cwd: string): SearchedText | "tooLarge" | "unreadable" {
  const read = readSmallFile(path, { maxBytes: MAX_FILE_BYTES, within: cwd });
  if ("bytes" in read) return decodeText(read.bytes);
  return read.refused === "too large" ? "tooLarge" : "unreadable";
}

function compileAll({ patterns, matching }: GrepPlan): RegExp[] {
  const wrong: string[] = [];
  // As in ripgrep, an upper-case letter in any pattern makes all patterns case-sensitive.
  const isLower =
    matching.smartCase && !patterns.some((pattern) => /\p{Lu}/u.test(literalsOf(pattern, matching)));
  const compiled = patterns.flatMap((pattern, index) => {
    try {
      return [compilePattern(pattern, { ...matching, ignoreCase: matching.ignoreCase || isLower })];
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      const name = patterns.length === 1 ? "pattern" : `patterns[${index}]`;
      wrong.push(`${name} is not a valid regular expression: ${error.message}`);
      return [];
    }
  });
  if (wrong.length === 0) return compiled;
  throw new PithError("invalid_input", wrong.join("; "), { suggestion: patternAdvice(wrong.join()) });
}

/** Removes escapes from a pattern, because upper-case letters in them, as in `\W`, say nothing about case. */
function literalsOf(pattern: string, { fixedStrings }: GrepPlan["matching"]): string {
  return fixedStrings ? pattern : pattern.replaceAll(/\\./g, "");
}

interface Search {
  readonly plan: GrepPlan;
  readonly expressions: readonly RegExp[];
  readonly matches: MatchList;
  /** Number of matching lines of each file, for outputs that do not show lines. */
  readonly counts: Map<string, number>;
}

/** Searches one file and returns the number of matching lines. */
async function searchFile(
  { plan, expressions, matches, counts }: Search,
  file: SearchedText & { readonly path: string },
): Promise<number> {
  const lines = file.text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  const maxOfOutput = plan.output === "files" ? 1 : plan.output === "count" ? Infinity : plan.maxMatches + 1;
  const maxLines = Math.min(maxOfOutput, plan.maxPerFile);
  const isInverted = plan.matching.invertMatch;
  const found = await scans.request({ text: lines.join("\n"), expressions, isInverted, maxLines });
  if (found === undefined) throw slowPattern(file.path);
  const columns = new Map(found);
  if (columns.size === 0 || file.binary) return columns.size;
  if (plan.output !== "lines") counts.set(file.path, columns.size);
  else
    for (const index of withContext(columns.keys(), plan, lines.length))
      matches.add({
        path: file.path,
        line: showLine(lines[index] ?? "", { index, column: columns.get(index), mask: plan.mask }),
      });
  return columns.size;
}

/** Returns the indexes of the matching lines and their context lines, in order and without duplicates. */
function withContext(
  matching: Iterable<number>,
  { beforeLines, afterLines }: GrepPlan,
  lineCount: number,
): Iterable<number> {
  const shown = new Set<number>();
  for (const at of matching)
    for (let i = Math.max(0, at - beforeLines); i <= Math.min(lineCount - 1, at + afterLines); i++)
      shown.add(i);
  return shown;
}

interface LinePlace {
  readonly index: number;
  readonly column: number | undefined;
  readonly mask: boolean;
}

function showLine(line: string, { index, column, mask }: LinePlace): GrepLine {
  const at = column ?? 0;
  const part = clipAround(line.slice(0, at), line.slice(at), { before: 0, after: 0 }, mask);
  return { number: index + 1, isMatch: column !== undefined, ...part };
}

/**
 * The thread that searches the files, because only a thread of its own can be ended while a regular expression runs, and
 * other callers do not wait for it.
 */
const scans = createWorkerPool<ScanRequest, ScanAnswer>({
  script: "scan-worker.js",
  size: 1,
  timeoutMs: MAX_FILE_MS,
  sizeOf: () => 0,
});

function slowPattern(path: string): PithError {
  return new PithError("timed_out", `pattern takes more than ${MAX_FILE_MS} ms on ${path}`, {
    suggestion: "Simplify it: avoid a repetition inside a repetition.",
    timeout_ms: MAX_FILE_MS,
  });
}

function summary({ plan, counts }: Search, facts: Pick<GrepResult, "searchedFiles" | "skipped">): GrepResult {
  const files = [...counts].slice(0, plan.maxMatches).map(([path, count]) => ({
    path: plan.show(path),
    lines: [],
    ...(plan.output === "count" && { count }),
  }));
  return {
    output: plan.output,
    files,
    shown: files.length,
    matchedFiles: counts.size,
    ...(plan.output === "count" && {
      matchedLines: [...counts.values()].reduce((sum, count) => sum + count, 0),
    }),
    totalsAreExact: true,
    ...facts,
  };
}
