import { TimeoutError, withTimeout } from "../../kernel/with-timeout.ts";
import { grep } from "../../workspace/grep/grep.ts";
import { grepCommit } from "../../workspace/grep/git-grep.ts";
import type { ProjectIndex } from "../live/project-index.ts";
import { stemOf } from "../text/stems.ts";
import { scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/** A word of a question as a regular expression that works in both ripgrep and git grep. */
export interface ScanPattern {
  /** The word as written in the question. */
  readonly word: string;
  readonly pattern: string;
}

/**
 * Upper bound on the patterns of a question: each is a separate search through all files, and more of them change
 * little.
 */
const MAX_PATTERNS = 6;
/** Upper bound on the files found per word; a word that occurs in more files does not help to find the right one. */
const MAX_FILES_PER_WORD = 20_000;

/**
 * Returns the search patterns of a question, most specific first: quoted texts, then names of several parts, then long
 * words.
 */
export function scanPatterns(question: string): readonly ScanPattern[] {
  const quoted = [...question.matchAll(/"([^"\n]{3,200})"/g)].map(([, text = ""]) => text);
  const words: string[] = [];
  scanWords(question, 0, question.length, (word) => words.push(word));
  const telling = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word.toLowerCase()));
  const chosen = [...new Set(telling.length > 0 ? telling : words)].sort(
    (a, b) => partsOf(b).length - partsOf(a).length || b.length - a.length,
  );
  const patterns = [...quoted.map(literal), ...chosen.map(ofWord)];
  const trimmed = question.trim();
  return (patterns.length > 0 || trimmed === "" ? patterns : [literal(trimmed)]).slice(0, MAX_PATTERNS);
}

function literal(text: string): ScanPattern {
  return { word: text, pattern: escaped(text) };
}

/**
 * Creates a search pattern for a word: `validateToken` also matches validate_token, and a plain word matches all words
 * with its stem.
 */
function ofWord(word: string): ScanPattern {
  const parts = partsOf(word);
  const pattern = parts.length > 1 ? parts.map(escaped).join("[_$-]?") : escaped(stemOf(word.toLowerCase()));
  return { word, pattern };
}

function partsOf(word: string): readonly string[] {
  return word.split(/[_$-]+|(?<=[\p{Ll}\d])(?=\p{Lu})/u).filter((part) => part !== "");
}

/** Escapes only the characters that are special in the regular expressions of both ripgrep and git grep. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}

export interface ScanOptions {
  /** The commit whose files are searched. Default: the working tree. */
  readonly commit?: string;
  /** Time when the search must end, in milliseconds since 1970; files found by then are returned. */
  readonly until: number;
  readonly signal?: AbortSignal;
}

export interface ScanResult {
  /** Files that match a pattern; those with the rarest words come first. */
  readonly paths: readonly string[];
  /** The words for which the search through all files ended in time. */
  readonly words: readonly string[];
}

/** Finds the files that contain words of a question, without using the index. */
export async function filesWithWords(
  { root, repository }: Pick<ProjectIndex, "root" | "repository">,
  patterns: readonly ScanPattern[],
  { commit, until, signal }: ScanOptions,
): Promise<ScanResult> {
  const scores = new Map<string, number>();
  const words: string[] = [];
  for (const { word, pattern } of patterns) {
    const grep = (end: AbortSignal): Promise<readonly string[]> =>
      commit === undefined || repository === undefined
        ? grepFolder(root, pattern, end)
        : grepCommit(repository, commit, pattern, end);
    const found = await withTimeout(Math.max(0, until - Date.now()), grep, signal).catch((error: unknown) => {
      if (error instanceof TimeoutError) return undefined;
      throw error;
    });
    if (found === undefined) break;
    words.push(word);
    // The fewer files contain a word, the more it counts for each of them.
    for (const path of found) scores.set(path, (scores.get(path) ?? 0) + 1 / Math.log(2 + found.length));
  }
  return { paths: [...scores].sort(([, a], [, b]) => b - a).map(([path]) => path), words };
}

async function grepFolder(root: string, pattern: string, signal: AbortSignal): Promise<readonly string[]> {
  const { files } = await grep(
    { absolute: root, shown: ".", base: root, exists: true },
    { patterns: [pattern], ignoreCase: true, output: "files", maxMatches: MAX_FILES_PER_WORD },
    { signal },
  );
  return files.map(({ path }) => path);
}
