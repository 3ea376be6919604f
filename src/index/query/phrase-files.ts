import type { SymbolKind } from "../../model/symbol.ts";
import type { FileReader } from "./hits.ts";
import { filesWithTerms } from "./name-occurrences.ts";
import { firstLineWith } from "../rank/places-in-files.ts";
import type { ParsedQuery } from "./query.ts";
import type { RankedFile } from "../rank/rank-files.ts";
import type { Segment } from "../store/segment.ts";
import { foldName } from "../text/terms.ts";
import type { View, ViewFile } from "../live/view.ts";

/** Upper bound on the candidate files that are read to look for quoted texts. */
const MAX_FILES_READ = 1_000;

/** The files that contain the texts that a query quotes. */
interface PhraseFiles {
  readonly files: readonly RankedFile[];
  /** Number of lines in these files that contain one of the quoted texts. */
  readonly lines: number;
  /** Number of further files that may contain the quoted texts but were not read. */
  readonly unread: number;
}

/** Returns the files that contain every quoted text literally, or undefined if the query quotes nothing. */
export async function filesWithPhrases(
  ranked: readonly RankedFile[],
  query: ParsedQuery,
  options: {
    readonly reader: FileReader;
    readonly view: View;
    readonly kinds?: ReadonlySet<SymbolKind>;
  },
): Promise<PhraseFiles | undefined> {
  if (query.route !== "phrase") return undefined;
  const { reader, view, kinds } = options;
  const phrases = query.phrases.map((phrase) => phrase.toLowerCase());
  const [first = ""] = phrases;
  const candidates = filesWithAllWords(ranked, phrases, view);
  const files: RankedFile[] = [];
  let count = 0;
  for (const entry of candidates.slice(0, MAX_FILES_READ)) {
    const lines = await reader.lines(entry.file);
    const folded = lines.map((line) => line.toLowerCase());
    const text = folded.join("\n");
    if (!phrases.every((phrase) => text.includes(phrase))) continue;
    const { symbols } = view.documentOf(entry.file);
    if (kinds !== undefined && firstLineWith(first, lines, symbols, kinds) === undefined) continue;
    files.push(entry);
    count += folded.filter((line) => phrases.some((phrase) => line.includes(phrase))).length;
  }
  return { files, lines: count, unread: Math.max(0, candidates.length - MAX_FILES_READ) };
}

/** Keeps the files that contain all words of all quoted texts. */
function filesWithAllWords(
  ranked: readonly RankedFile[],
  phrases: readonly string[],
  view: View,
): readonly RankedFile[] {
  const isCandidate = mayContain(view, phrases);
  return ranked.filter(({ file }) => isCandidate(file));
}

/** Returns a function that tells whether a file contains all words of some texts, in lower case, and so may contain them. */
export function mayContain(view: View, phrases: readonly string[]): (file: ViewFile) => boolean {
  const holders = phrases.flatMap(wordsOfPhrase).map((word) => filesWithWord(view, word));
  return (file) => holders.every((files) => files.has(file));
}

/**
 * A word of a quoted text and how it may match a word in a file: the last word of the text may be the start of a longer
 * one, a single word may be inside one.
 */
interface PhraseWord {
  readonly folded: string;
  readonly fits: "whole" | "beginning" | "inside";
}

/**
 * Matches words that can be looked up in the index; numbers are not indexed, and other scripts are indexed by pairs of
 * characters.
 */
const WORD = /[A-Za-z_$][\w$]*/g;
const NO_WORD = /[\p{L}\p{M}\d]/u;

function wordsOfPhrase(phrase: string): PhraseWord[] {
  const words = [...phrase.matchAll(WORD)];
  return words.flatMap(({ 0: word, index }) => {
    const folded = foldName(word);
    const end = index + word.length;
    const isGlued = NO_WORD.test(phrase[index - 1] ?? "") || NO_WORD.test(phrase[end] ?? "");
    // The first of several words is not looked up, because it may be the end of a number, which is not indexed: `10px
    // solid`.
    if (folded.length < 2 || isGlued || (index === 0 && words.length > 1)) return [];
    return [{ folded, fits: index === 0 ? "inside" : end === phrase.length ? "beginning" : "whole" }];
  });
}

function filesWithWord(view: View, word: PhraseWord): ReadonlySet<ViewFile> {
  const numbers = filesWithTerms(view, (segment) => termsFor(segment, word));
  return new Set([...numbers].flatMap((number) => view.files[number] ?? []));
}

function termsFor({ vocabulary }: Segment, { folded, fits }: PhraseWord): number[] {
  const terms: number[] = [];
  switch (fits) {
    case "whole": {
      const term = vocabulary.indexOf(folded);
      return term < 0 ? [] : [term];
    }
    case "beginning":
      for (let term = vocabulary.lowerBound(folded); term < vocabulary.size; term++) {
        if (!vocabulary.at(term).startsWith(folded)) break;
        terms.push(term);
      }
      return terms;
    case "inside":
      for (let term = 0; term < vocabulary.size; term++)
        if (vocabulary.at(term).includes(folded)) terms.push(term);
      return terms;
    default:
      return fits satisfies never;
  }
}
