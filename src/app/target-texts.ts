/**
 * Match places in files as compilers, search tools and Pith's own replies write them. The reading with the longer file
 * name comes first.
 */
export const PLACES: readonly RegExp[] = [
  // src/a.ts#L12-L40
  /^(.+)#L(\d+(?:-L?\d+)?)$/s,
  // src/a.ts:12 and src/a.ts:12-40
  /^(.+):(\d+(?:-\d*)?):?$/s,
  // src/a.ts:12:5
  /^(.+?):(\d+):\d+:?$/s,
];

/** Matches a file and the name of a definition in it, which has no blanks: `src/my file.ts#name`. */
const SYMBOL_IN_FILE = /^(.+?)#[^\s#]+$/s;

/** The most words of one path. More are not tried, because every combination of words is looked up on the disk. */
const MAX_WORDS_PER_PATH = 8;
/** A longer text is not tried for paths with blanks. */
const MAX_WORDS = 200;

interface TargetWords {
  /** Returns whether a file of this name exists. */
  readonly exists: (path: string) => Promise<boolean>;
  /** True if the text is one target unless a word of it is a file, as for one of several entries of a list. */
  readonly isSplitOnlyAtFiles: boolean;
}

/**
 * Splits a text into the targets that it names, at blanks and commas: `a.ts:10-40 b.ts#parse`. Words that are together
 * the name of a file, or lines or a symbol of it, stay together.
 */
export async function splitTargets(
  text: string,
  { exists, isSplitOnlyAtFiles }: TargetWords,
): Promise<string[]> {
  const words = [...text.matchAll(/[^\s,]+/g)].map(
    ({ 0: word, index }) => [index, index + word.length] as const,
  );
  if (words.length < 2 || (await namesFile(text, exists))) return [text];
  const targets: string[] = [];
  let hasFile = false;
  for (let at = 0; at < words.length;) {
    const count = words.length > MAX_WORDS ? 1 : await wordsOfTarget(words.slice(at), text, exists);
    const target = text.slice(words[at]?.[0], words[at + count - 1]?.[1]);
    targets.push(target);
    hasFile ||= count > 1 || (isSplitOnlyAtFiles && (await namesFile(target, exists)));
    at += count;
  }
  return isSplitOnlyAtFiles && !hasFile ? [text] : targets;
}

/** Counts the words at the beginning that name one target; of several readings, the longest file name counts. */
async function wordsOfTarget(
  words: readonly (readonly [start: number, end: number])[],
  text: string,
  exists: TargetWords["exists"],
): Promise<number> {
  for (let count = Math.min(words.length, MAX_WORDS_PER_PATH); count > 1; count--)
    if (await namesFile(text.slice(words[0]?.[0], words[count - 1]?.[1]), exists)) return count;
  return 1;
}

/** Checks whether a text is the name of a file, lines of one, or a symbol in one. */
async function namesFile(text: string, exists: TargetWords["exists"]): Promise<boolean> {
  const paths = [...PLACES, SYMBOL_IN_FILE].flatMap((form) => form.exec(text)?.[1] ?? []);
  for (const path of [text, ...paths]) if (await exists(path)) return true;
  return false;
}
