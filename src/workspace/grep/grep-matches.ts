import { PithError } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/nearest.ts";
import type { FileMatches, GrepLine, GrepResult } from "../../model/grep-result.ts";

/**
 * Compares paths so that the content of a folder stays together: `a/b` comes before `a.txt`. Both search engines return
 * results in this order.
 */
export function compareByFolder(a: string, b: string): number {
  return compareText(a.replaceAll("/", "\0"), b.replaceAll("/", "\0"));
}

interface FoundLine {
  readonly path: string;
  readonly line: GrepLine;
}

interface MatchListOptions {
  readonly maxMatches: number;
  readonly afterLines: number;
  /** With `onlyMatching`, a line may occur several times, once for each match in it. */
  readonly matching: { readonly onlyMatching: boolean };
  readonly show: (path: string) => string;
}

/** Collects the found lines by file, in any order of files, and truncates the result at the end. */
export class MatchList {
  readonly #options: MatchListOptions;
  readonly #files = new Map<string, GrepLine[]>();
  #matchedLines = 0;

  constructor(options: MatchListOptions) {
    this.#options = options;
  }

  add({ path, line }: FoundLine): void {
    const lines = this.#files.get(path);
    // A line that was already seen is dropped: a file that belongs to two searched paths is reported twice, each time
    // from its first line.
    if (this.#isSeen(lines?.at(-1), line)) return;
    if (lines === undefined) this.#files.set(path, [line]);
    else lines.push(line);
    if (line.isMatch) this.#matchedLines++;
  }

  #isSeen(last: GrepLine | undefined, line: GrepLine): boolean {
    if (last === undefined) return false;
    const { onlyMatching } = this.#options.matching;
    return onlyMatching ? line.number < last.number : line.number <= last.number;
  }

  get matchedLines(): number {
    return this.#matchedLines;
  }

  /**
   * Returns the result of a search whose output is `lines`. Its counts are exact if the search was complete and no file
   * was cut short.
   */
  result(facts: Pick<GrepResult, "searchedFiles" | "skipped">): GrepResult {
    const { maxMatches, afterLines, show } = this.#options;
    const files: FileMatches[] = [];
    let shown = 0;
    let isCutShort = false;
    for (const path of [...this.#files.keys()].sort(compareByFolder)) {
      const lines = this.#files.get(path) ?? [];
      isCutShort ||= lines.filter(({ isMatch }) => isMatch).length > maxMatches;
      if (shown >= maxMatches) continue;
      const kept = firstMatches(lines, maxMatches - shown, afterLines);
      shown += kept.filter(({ isMatch }) => isMatch).length;
      files.push({ path: show(path), lines: kept });
    }
    return {
      output: "lines",
      files,
      shown,
      matchedFiles: this.#files.size,
      matchedLines: this.#matchedLines,
      totalsAreExact: facts.searchedFiles !== undefined && !isCutShort,
      ...facts,
    };
  }
}

/** Returns the lines up to the given number of matches, including the context lines of these matches. */
export function firstMatches(
  lines: readonly GrepLine[],
  wanted: number,
  afterLines: number,
): readonly GrepLine[] {
  const kept: GrepLine[] = [];
  let left = wanted;
  let end = 0;
  for (const line of lines) {
    const { isMatch, number } = line;
    if (isMatch && left-- <= 0) break;
    if (!isMatch && left <= 0 && number > end) break;
    if (isMatch) end = number + afterLines;
    kept.push(line);
  }
  return kept;
}

/** Merges the results of several searches and truncates them to the requested number of matches. */
export function mergeResults(results: readonly GrepResult[], maxMatches: number): GrepResult {
  const [first, ...others] = results;
  if (first === undefined) throw new PithError("invalid_input", "path is missing");
  if (others.length === 0) return first;
  const sum = (count: (result: GrepResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const files = truncateFiles(
    results.flatMap((result) => result.files).sort((a, b) => compareByFolder(a.path, b.path)),
    maxMatches,
  );
  const searched = results.map(({ searchedFiles }) => searchedFiles);
  return {
    output: first.output,
    files,
    shown: files.reduce((total, file) => total + matchesIn(file), 0),
    matchedFiles: sum((one) => one.matchedFiles),
    ...(first.matchedLines !== undefined && { matchedLines: sum((one) => one.matchedLines ?? 0) }),
    totalsAreExact: results.every((one) => one.totalsAreExact),
    ...(searched.every((count) => count !== undefined) && {
      searchedFiles: searched.reduce((total, count) => total + count, 0),
    }),
    skipped: {
      ...(first.skipped.binary !== undefined && { binary: sum(({ skipped }) => skipped.binary ?? 0) }),
      ...(first.skipped.tooLarge !== undefined && { tooLarge: sum(({ skipped }) => skipped.tooLarge ?? 0) }),
      matchingBinary: results.flatMap(({ skipped }) => skipped.matchingBinary),
      unreadable: sum(({ skipped }) => skipped.unreadable),
    },
  };
}

function matchesIn({ lines }: FileMatches): number {
  return lines.length === 0 ? 1 : lines.filter(({ isMatch }) => isMatch).length;
}

/** Keeps the first files that together contain this many matches; the last file may be truncated. */
function truncateFiles(files: readonly FileMatches[], maxMatches: number): readonly FileMatches[] {
  const kept: FileMatches[] = [];
  let left = maxMatches;
  for (const file of files) {
    if (left <= 0) break;
    const end = matchesIn(file) <= left ? file.lines.length : matchAt(file.lines, left);
    kept.push({ ...file, lines: file.lines.slice(0, end) });
    left -= matchesIn(file);
  }
  return kept;
}

/** Returns the index of the match that follows the first `count` matches. */
function matchAt(lines: readonly GrepLine[], count: number): number {
  let left = count;
  return lines.findIndex(({ isMatch }) => isMatch && left-- === 0);
}
