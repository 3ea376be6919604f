import { forEachYielding } from "../../kernel/for-each-yielding.ts";
import type { CommitNote } from "../../workspace/git/git-history.ts";
import { stemOf } from "../text/stems.ts";
import { partsOfIdentifier, scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/**
 * The words of commit messages, per changed file. In commit messages, people describe in their own words what a file
 * does, and questions use these words more often than those of the code.
 */
export interface FileHistory extends HistoryFacts {
  /**
   * Creates a function that scores a file by how often words with these stems occur in its commit messages: 0 if none
   * does, above 1 if all of them do repeatedly.
   */
  scoreFiles(stems: readonly string[]): (path: string) => number;
  /** The whole history as a text that can be stored. */
  readonly text: string;
}

export interface HistoryFacts {
  /** The commit that HEAD pointed to when the history was read. */
  readonly commit: string;
  /** Time when the history was read, in milliseconds since 1970. */
  readonly readAt: number;
  /** False if older commits have not been read yet. */
  readonly isComplete: boolean;
}

/** Number of files up to which a commit counts; the message of a larger commit does not describe each of its files. */
const MAX_FILES_PER_COMMIT = 10;
/**
 * Usual constants of the ranking function BM25. Normalisation by length matters here, because files that change often
 * have long histories.
 */
const K1 = 1.2;
const B = 0.75;
/**
 * Version of the stored history. It changes with the format and with the stemmer; a history of another version is read
 * from git again.
 */
const FORMAT_MARK = "history 1";

/** Collects the words of commit messages for each changed file. */
export async function createFileHistory(
  commits: readonly CommitNote[],
  { commit, readAt, isComplete }: HistoryFacts,
): Promise<FileHistory> {
  const lengths = new Map<string, number>();
  const counts = new Map<string, Map<string, number>>();
  await forEachYielding(commits, ({ subject, files }) => {
    if (files.length > MAX_FILES_PER_COMMIT) return;
    const stems = stemsOf(subject);
    for (const file of files) {
      lengths.set(file, (lengths.get(file) ?? 0) + stems.size);
      for (const stem of stems) {
        const holders = counts.get(stem) ?? new Map<string, number>();
        counts.set(stem, holders.set(file, (holders.get(file) ?? 0) + 1));
      }
    }
  });
  const numbers = new Map(Array.from(lengths.keys(), (file, number) => [file, number]));
  const words = Array.from(counts, ([stem, holders]) => {
    const places = Array.from(holders, ([file, count]) => `${numbers.get(file) ?? 0},${count}`);
    return `${stem}\t${places.join(" ")}`;
  });
  const files = Array.from(lengths, ([file, length]) => `${file}\t${length}`);
  const head = [FORMAT_MARK, commit, readAt, Number(isComplete)].join("\t");
  const text = [head, ...files, "", ...words, ""].join("\n");
  return { commit, readAt, isComplete, scoreFiles: createScorer(files, `\n${words.join("\n")}\n`), text };
}

/** Parses a stored history; returns undefined if it was stored by another version. */
export function openFileHistory(text: string): FileHistory | undefined {
  const [mark, commit, readAt, isWhole] = text.slice(0, Math.max(0, text.indexOf("\n"))).split("\t");
  const end = text.indexOf("\n\n");
  if (mark !== FORMAT_MARK || commit === undefined || end < 0) return undefined;
  const [, ...files] = text.slice(0, end).split("\n");
  const scoreFiles = createScorer(files, text.slice(end + 1));
  return { commit, readAt: Number(readAt), isComplete: isWhole === "1", scoreFiles, text };
}

function stemsOf(subject: string): ReadonlySet<string> {
  const stems = new Set<string>();
  scanWords(subject, 0, subject.length, (word) => {
    if (STOP_WORDS.has(word.toLowerCase())) return;
    for (const part of partsOfIdentifier(word)) stems.add(stemOf(part));
  });
  return stems;
}

/**
 * Creates the function that scores files. `words` has a line per word stem, which is parsed on demand because a query
 * has few stems.
 */
function createScorer(files: readonly string[], words: string): FileHistory["scoreFiles"] {
  const numbers = new Map<string, number>();
  const lengths = files.map((line, number) => {
    const at = line.lastIndexOf("\t");
    numbers.set(line.slice(0, at), number);
    return Number(line.slice(at + 1));
  });
  const mean = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, files.length));
  return (stems) => {
    const scores = new Float64Array(files.length);
    let total = 0;
    for (const stem of stems) {
      const holders = countsOfStem(words, stem);
      const rarity = Math.log(1 + (files.length - holders.length + 0.5) / (holders.length + 0.5));
      total += rarity;
      for (const [number = 0, count = 0] of holders) {
        const length = 1 - B + (B * (lengths[number] ?? 0)) / mean;
        scores[number] = (scores[number] ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * length);
      }
    }
    return (path) => {
      const number = numbers.get(path);
      return number === undefined || total === 0 ? 0 : (scores[number] ?? 0) / total;
    };
  };
}

function countsOfStem(words: string, stem: string): readonly number[][] {
  const start = words.indexOf(`\n${stem}\t`);
  if (start < 0) return [];
  const from = start + stem.length + 2;
  const places = words.slice(from, words.indexOf("\n", from)).split(" ");
  return places.map((place) => place.split(",").map(Number));
}
