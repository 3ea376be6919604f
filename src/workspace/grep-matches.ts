import { compareText } from "../kernel/nearest.ts";
import type { FileMatches, GrepLine, GrepResult } from "../model/grep-result.ts";

/** Orders paths as a walk through the folders would: `a/b` before `a.txt`. Every engine gives its results so. */
export function compareByFolder(a: string, b: string): number {
  return compareText(a.replaceAll("/", "\0"), b.replaceAll("/", "\0"));
}

interface FoundLine {
  readonly path: string;
  readonly line: GrepLine;
  readonly clipped: boolean;
}

interface MatchListOptions {
  readonly maxMatches: number;
  readonly contextLines: number;
  readonly show: (path: string) => string;
}

/** Gathers lines by file as they come, in any order of files, and cuts them to size at the end. */
export class MatchList {
  readonly #options: MatchListOptions;
  readonly #files = new Map<string, FoundLine[]>();
  #matchedLines = 0;

  constructor(options: MatchListOptions) {
    this.#options = options;
  }

  add(found: FoundLine): void {
    const lines = this.#files.get(found.path);
    if (lines === undefined) this.#files.set(found.path, [found]);
    else lines.push(found);
    if (found.line.isMatch) this.#matchedLines++;
  }

  get matchedLines(): number {
    return this.#matchedLines;
  }

  /** The result for output `lines`; the counts are exact where the search came to its end and no file was left early. */
  result(facts: Pick<GrepResult, "searchedFiles" | "skipped">): GrepResult {
    const { maxMatches, contextLines, show } = this.#options;
    const files: FileMatches[] = [];
    let shown = 0;
    let clippedLines = 0;
    let leftEarly = false;
    for (const path of [...this.#files.keys()].sort(compareByFolder)) {
      const lines = this.#files.get(path) ?? [];
      leftEarly ||= lines.filter(({ line }) => line.isMatch).length > maxMatches;
      if (shown >= maxMatches) continue;
      const kept = firstMatches(lines, maxMatches - shown, contextLines);
      shown += kept.filter(({ line }) => line.isMatch).length;
      clippedLines += kept.filter(({ clipped }) => clipped).length;
      files.push({ path: show(path), lines: kept.map(({ line }) => line) });
    }
    return {
      output: "lines",
      files,
      shown,
      matchedFiles: this.#files.size,
      matchedLines: this.#matchedLines,
      totalsAreExact: facts.searchedFiles !== undefined && !leftEarly,
      clippedLines,
      ...facts,
    };
  }
}

/** The lines up to the last wanted match, and the context that belongs to it. */
function firstMatches(
  lines: readonly FoundLine[],
  wanted: number,
  contextLines: number,
): readonly FoundLine[] {
  const matches = lines.filter(({ line }) => line.isMatch);
  if (matches.length <= wanted) return lines;
  const end = Math.min(
    (matches[wanted - 1]?.line.number ?? 0) + contextLines,
    (matches[wanted]?.line.number ?? 0) - 1,
  );
  return lines.filter(({ line }) => line.number <= end);
}
