import { PithError } from "../../kernel/errors.ts";
import { compareText } from "../../kernel/nearest.ts";
import type { FileMatches, GrepLine, GrepResult } from "../../model/grep-result.ts";

/** Orders paths as a walk through the folders would: `a/b` before `a.txt`. Every engine gives its results so. */
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
  /** Whether one line may stand here several times, once for each match in it. */
  readonly matching: { readonly onlyMatching: boolean };
  readonly show: (path: string) => string;
}

/** Gathers lines by file as they come, in any order of files, and cuts them to size at the end. */
export class MatchList {
  readonly #options: MatchListOptions;
  readonly #files = new Map<string, GrepLine[]>();
  #matchedLines = 0;

  constructor(options: MatchListOptions) {
    this.#options = options;
  }

  add({ path, line }: FoundLine): void {
    const lines = this.#files.get(path);
    // A file that lies in two of the places searched comes twice, from its first line again.
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

  /** The result for output `lines`; the counts are exact where the search came to its end and no file was left early. */
  result(facts: Pick<GrepResult, "searchedFiles" | "skipped">): GrepResult {
    const { maxMatches, afterLines, show } = this.#options;
    const files: FileMatches[] = [];
    let shown = 0;
    let leftEarly = false;
    for (const path of [...this.#files.keys()].sort(compareByFolder)) {
      const lines = this.#files.get(path) ?? [];
      leftEarly ||= lines.filter(({ isMatch }) => isMatch).length > maxMatches;
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
      totalsAreExact: facts.searchedFiles !== undefined && !leftEarly,
      ...facts,
    };
  }
}

/** The lines up to the last wanted match, and the context that belongs to it. */
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

/** Results of searches in several places as one, cut to the asked number of matches. */
export function mergeResults(results: readonly GrepResult[], maxMatches: number): GrepResult {
  const [first, ...others] = results;
  if (first === undefined) throw new PithError("invalid_input", "path is missing");
  if (others.length === 0) return first;
  const sum = (count: (result: GrepResult) => number): number =>
    results.reduce((total, result) => total + count(result), 0);
  const files = cutFiles(
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

/** The first files that hold so many matches; of the last one, its first lines. */
function cutFiles(files: readonly FileMatches[], maxMatches: number): readonly FileMatches[] {
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

/** The index of the match after so many. */
function matchAt(lines: readonly GrepLine[], count: number): number {
  let left = count;
  return lines.findIndex(({ isMatch }) => isMatch && left-- === 0);
}
