import { existsSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { GrepResult } from "../../model/grep-result.ts";
import type { GrepOptions, GrepPlan } from "./grep-plan.ts";
import { globFilter, type GlobPlan, planGlobs } from "./grep-glob.ts";
import { compareByFolder, MatchList } from "./grep-matches.ts";
import { dropForeignLines, findSuspects, withoutFiles } from "./grep-verify.ts";
import { ALWAYS_SKIPPED, PITH_IGNORE } from "../files/ignore-rules.ts";
import { patternAdvice } from "./grep-pattern.ts";
import { hasColumns, parseEntries, RipgrepLines, type RipgrepTail } from "./ripgrep-output.ts";
import { runRipgrep } from "./ripgrep.ts";

/**
 * Limits of the first search, which runs on all cores in no order. If it exceeds them, it is stopped and repeated on
 * one core in the order of paths until the requested number of matches is found, which is soon because there are so
 * many.
 */
const MAX_UNSORTED_MATCHES = 10_000;
const MAX_UNSORTED_BYTES = 16 * 1024 * 1024;

/** Searches with ripgrep; undefined if it is not installed. */
export async function searchWithRipgrep(
  plan: GrepPlan,
  options: GrepOptions,
): Promise<GrepResult | undefined> {
  const startedAt = Date.now();
  if (plan.output === "lines") {
    const found = await searchLines(plan, options);
    return found && dropForeignLines(found, plan.cwd, startedAt);
  }
  const found = await listFiles(plan, planGlobs(plan.globs, plan.types.length > 0), options);
  return found && verifyListed(found, plan, { ...options, startedAt });
}

/** Upper bound on the listed files that are searched again because they may have been replaced. */
const MAX_SEARCHED_AGAIN = 500;

/**
 * Removes listed files that may have been outside the workspace when they were searched. A list has no lines that could
 * be compared, so one matching line of each such file is searched.
 */
async function verifyListed(
  found: GrepResult,
  plan: GrepPlan,
  options: GrepOptions & { readonly startedAt: number },
): Promise<GrepResult> {
  const suspects = findSuspects(found.files, plan.cwd, options.startedAt);
  if (suspects.size === 0) return found;
  const targets = [...suspects]
    .slice(0, MAX_SEARCHED_AGAIN)
    .map(({ path }) => ({ below: relative(plan.cwd, resolve(plan.cwd, path)), isFile: true }));
  const limits = {
    maxPerFile: 1,
    maxMatches: MAX_SEARCHED_AGAIN,
    beforeLines: 0,
    afterLines: 0,
    mask: false,
  };
  const again = await searchLines({ ...plan, ...limits, output: "lines", targets }, options);
  const verified = new Set(
    again && dropForeignLines(again, plan.cwd, options.startedAt).files.map(({ path }) => path),
  );
  return withoutFiles(found, new Set([...suspects].filter(({ path }) => !verified.has(path))));
}

async function searchLines(plan: GrepPlan, options: GrepOptions): Promise<GrepResult | undefined> {
  const glob = planGlobs(plan.globs, plan.types.length > 0);
  const limit = { matches: Math.max(MAX_UNSORTED_MATCHES, plan.maxMatches), bytes: MAX_UNSORTED_BYTES };
  const all = await collect(plan, glob, { ...options, limit });
  if (all === undefined || !all.stopped) return all?.result;
  const sorted = { matches: plan.maxMatches, bytes: Number.MAX_SAFE_INTEGER };
  return (await collect(plan, glob, { ...options, limit: sorted, inOrder: true }))?.result;
}

interface CollectOptions extends GrepOptions {
  readonly limit: { readonly matches: number; readonly bytes: number };
  readonly inOrder?: boolean;
}

async function collect(
  plan: GrepPlan,
  glob: GlobPlan,
  options: CollectOptions,
): Promise<{ readonly stopped: boolean; readonly result: GrepResult } | undefined> {
  const matches = new MatchList(plan);
  const accepts = globFilter(plan, glob);
  let bytes = 0;
  const output = new RipgrepLines((record) => {
    if (accepts(record.path)) matches.add(record);
  }, plan);
  const args = [
    "--stats",
    "--null",
    "--line-number",
    ...(hasColumns(plan.matching) ? ["--column"] : []),
    "--no-heading",
    "--with-filename",
    "--no-context-separator",
    `--before-context=${plan.beforeLines}`,
    `--after-context=${plan.afterLines}`,
    // One match more than can be shown is requested, to find out whether there are more.
    `--max-count=${Math.min(plan.maxMatches + 1, plan.maxPerFile)}`,
    ...(options.inOrder ? ["--sort=path"] : []),
  ];
  const ran = await runRipgrep([...args, ...searchArgs(plan), ...whereArgs(plan, glob)], {
    cwd: plan.cwd,
    programs: options.programs,
    signal: options.signal,
    onChunk: (chunk) => {
      bytes += chunk.length;
      output.feed(chunk);
      return matches.matchedLines <= options.limit.matches && bytes <= options.limit.bytes;
    },
  });
  if (ran === undefined) return undefined;
  const tail = output.end();
  const stopped = ran.ending !== "exit";
  // A complete search ends with statistics. If they are missing although the search was not stopped, ripgrep has
  // rejected its arguments.
  if (!stopped && tail.searchedFiles === undefined)
    await throwRejection(plan, { ...options, stderr: ran.stderr });
  return { stopped, result: matches.result(factsOf(plan, tail, ran.stderr)) };
}

/** Searches for the outputs `files` and `count`. It does not use --stats, which can make ripgrep ten times slower. */
async function listFiles(
  plan: GrepPlan,
  glob: GlobPlan,
  options: GrepOptions,
): Promise<GrepResult | undefined> {
  const mode = plan.output === "files" ? "--files-with-matches" : "--count";
  const limit = plan.output === "files" ? [] : maxPerFileArgs(plan);
  const args = ["--null", "--with-filename", mode, ...limit, ...searchArgs(plan), ...whereArgs(plan, glob)];
  const ran = await capture(args, plan, options);
  if (ran === undefined) return undefined;
  if (ran.exitCode === 2 && !ran.stderr.includes("(os error "))
    await throwRejection(plan, { ...options, stderr: ran.stderr });
  const accepts = globFilter(plan, glob);
  // The map removes duplicates, because a file that belongs to two searched paths is reported twice.
  const found = new Map(parseEntries(ran.stdout, plan.output === "count").map((file) => [file.path, file]));
  const files = [...found.values()]
    .filter(({ path }) => accepts(path))
    .sort((a, b) => compareByFolder(a.path, b.path));
  const shown = files
    .slice(0, plan.maxMatches)
    .map((file) => ({ ...file, path: plan.show(file.path), lines: [] }));
  const searchedFiles = files.length === 0 ? await countFiles(plan, glob, options) : undefined;
  return {
    output: plan.output,
    files: shown,
    shown: shown.length,
    matchedFiles: files.length,
    ...(plan.output === "count" && { matchedLines: files.reduce((sum, { count = 0 }) => sum + count, 0) }),
    totalsAreExact: true,
    ...factsOf(plan, { binary: [], ...(searchedFiles !== undefined && { searchedFiles }) }, ran.stderr),
  };
}

/** Counts the files that were searched, which a reply without matches reports. */
async function countFiles(plan: GrepPlan, glob: GlobPlan, options: GrepOptions): Promise<number | undefined> {
  const ran = await capture(["--files", "--null", ...whereArgs(plan, glob)], plan, options);
  const accepts = globFilter(plan, glob);
  return ran && parseEntries(ran.stdout, false).filter(({ path }) => accepts(path)).length;
}

async function capture(args: readonly string[], plan: GrepPlan, options: GrepOptions) {
  const chunks: Buffer[] = [];
  const ran = await runRipgrep(args, {
    cwd: plan.cwd,
    programs: options.programs,
    signal: options.signal,
    onChunk: (chunk) => {
      chunks.push(chunk);
      return true;
    },
  });
  return ran && { ...ran, stdout: Buffer.concat(chunks) };
}

function maxPerFileArgs({ maxPerFile }: GrepPlan): string[] {
  return maxPerFile === Number.MAX_SAFE_INTEGER ? [] : [`--max-count=${maxPerFile}`];
}

/** Returns the ripgrep arguments that say what to search for. */
function searchArgs({ matching, patterns }: GrepPlan): string[] {
  const letterCase = matching.ignoreCase
    ? "ignore-case"
    : matching.smartCase
      ? "smart-case"
      : "case-sensitive";
  return [
    "--crlf",
    `--${letterCase}`,
    ...FLAGS.filter(([name]) => matching[name]).map(([, flag]) => flag),
    ...patterns.flatMap((pattern) => ["-e", pattern]),
  ];
}

const FLAGS = [
  ["fixedStrings", "--fixed-strings"],
  ["wordRegexp", "--word-regexp"],
  ["lineRegexp", "--line-regexp"],
  ["invertMatch", "--invert-match"],
  ["multiline", "--multiline"],
  ["multilineDotall", "--multiline-dotall"],
  ["onlyMatching", "--only-matching"],
  ["pcre2", "--pcre2"],
] as const;

/** Returns the ripgrep arguments that say where to search; they must come last. */
function whereArgs(plan: GrepPlan, glob: GlobPlan): string[] {
  const targets = plan.targets.map(({ below }) => (below === "." ? "./" : `./${below}`));
  const types = [
    ...plan.types.flatMap((type) => ["--type", type]),
    ...plan.typesNot.flatMap((type) => ["--type-not", type]),
  ];
  return ["--path-separator=/", "--hidden", ...types, ...glob.args, ...ignoreArgs(plan), "--", ...targets];
}

/** Returns the ripgrep arguments for ignore files that ripgrep does not find by itself. */
function ignoreArgs({ cwd, targets, noIgnore }: GrepPlan): string[] {
  if (noIgnore) return ["--no-ignore", ...VERSION_CONTROL.flatMap((folder) => ["--glob", `!${folder}`])];
  const inGit = insideGit(cwd);
  const folders = inGit ? VERSION_CONTROL : [...ALWAYS_SKIPPED];
  const above = inGit ? [] : targets.flatMap(({ below }) => filesAbove(below));
  const files = [PITH_IGNORE, ...new Set(above)];
  return [
    // Outside of git, ripgrep would also obey ignore files above the workspace, such as one in the home folder.
    ...(inGit ? [] : ["--no-require-git", "--no-ignore-parent"]),
    ...folders.flatMap((folder) => ["--glob", `!${folder}`]),
    ...files
      .filter((file) => readSmallText(join(cwd, file), { within: cwd }) !== undefined)
      .flatMap((file) => ["--ignore-file", file]),
  ];
}

const VERSION_CONTROL: readonly string[] = [".git", ".hg", ".svn", ".jj"];

/** Returns the paths of possible ignore files in the folders between the workspace and the searched folder. */
function filesAbove(below: string): readonly string[] {
  if (below === ".") return [];
  const folders = below.split("/").map((_, index, parts) => parts.slice(0, index).join("/"));
  return folders.flatMap((folder) =>
    [".gitignore", ".ignore"].map((name) => (folder ? `${folder}/${name}` : name)),
  );
}

function insideGit(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return true;
    if (dirname(current) === current) return false;
  }
}

function factsOf(
  plan: GrepPlan,
  tail: RipgrepTail,
  stderr: string,
): Pick<GrepResult, "searchedFiles" | "skipped"> {
  return {
    ...(tail.searchedFiles !== undefined && { searchedFiles: tail.searchedFiles }),
    skipped: {
      matchingBinary: tail.binary.map(plan.show),
      unreadable: stderr.split("\n").filter((line) => line.includes("(os error ")).length,
    },
  };
}

interface Failure extends GrepOptions {
  readonly stderr: string;
}

/** Throws an error that explains what ripgrep rejected. */
async function throwRejection(plan: GrepPlan, failure: Failure): Promise<never> {
  const { stderr } = failure;
  if (/error parsing glob/.test(stderr))
    throw new PithError(
      "invalid_input",
      `glob is not valid: ${/: error parsing glob (.*)/.exec(stderr)?.[1] ?? ""}`,
    );
  const type = /unrecognized file type: (.*)/.exec(stderr)?.[1];
  if (type !== undefined) throw await unknownType(type, plan, failure);
  const reason = reasonOf(stderr);
  if (reason === undefined) throw new PithError("internal_error", `ripgrep failed: ${stderr.slice(0, 500)}`);
  throw new PithError("invalid_input", await explainBadPatterns(plan, failure, reason), {
    suggestion: patternAdvice(reason),
  });
}

async function unknownType(type: string, plan: GrepPlan, options: GrepOptions): Promise<PithError> {
  const listed = await capture(["--type-list"], plan, options);
  const names = (listed?.stdout.toString("utf8") ?? "")
    .split("\n")
    .map((line) => line.split(":", 1)[0] ?? "");
  const nearest = nearestNames(type, names);
  return new PithError("invalid_input", `type is ${JSON.stringify(type)}, which ripgrep does not know`, {
    suggestion:
      nearest.length > 0 ? `Did you mean ${nearest.join(" or ")}?` : "Use a glob of the file names instead.",
  });
}

/** Extracts the reason from ripgrep's report on an invalid pattern, whose other lines only point into the pattern. */
function reasonOf(stderr: string): string | undefined {
  if (!/regex/i.test(stderr)) return undefined;
  return /^error: (.*)$/m.exec(stderr)?.[1] ?? stderr.replace(/^rg: /, "").split("\n")[0];
}

/**
 * Finds the invalid patterns by trying each one alone, because ripgrep reports an error without saying which of several
 * patterns caused it.
 */
async function explainBadPatterns(plan: GrepPlan, failure: Failure, reason: string): Promise<string> {
  if (plan.patterns.length === 1) return `pattern is not a valid regular expression: ${reason}`;
  const found: string[] = [];
  for (const [index, pattern] of plan.patterns.entries()) {
    const ran = await runRipgrep(
      ["--quiet", ...searchArgs({ ...plan, patterns: [pattern] }), "--", devNull],
      {
        cwd: plan.cwd,
        programs: failure.programs,
        signal: failure.signal,
        onChunk: () => true,
      },
    );
    const own = reasonOf(ran?.stderr ?? "");
    if (own !== undefined) found.push(`patterns[${index}] is not a valid regular expression: ${own}`);
  }
  return found.join("; ") || `patterns are not valid together: ${reason}`;
}
