export interface FileHeader {
  readonly file: string;
  readonly failed: boolean;
}

/** With colours the word is a badge with blanks around it. Vitest writes `FAIL  file > test`. */
const HEADER = /^ ?(PASS|FAIL) +(\S.*)$/;
const DETAIL = / \(\d[^()]*\)$/;
const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
/** A project's name stands before the file; it has no path in it. */
const PROJECT = /^[^\s\\/.]{1,100} +(?=\S)/;

/** Reads `FAIL project src/a.test.ts (5.2 s)`. */
export function readFileHeader(text: string): FileHeader | undefined {
  if (text.length > 2_000) return undefined;
  const [, word, rest] = HEADER.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const path = rest.trimEnd().replace(DETAIL, "");
  if (!SOURCE.test(path) || path.includes(" > ")) return undefined;
  return { file: path.replace(PROJECT, ""), failed: word === "FAIL" };
}

const GROUP = /^(?:::group::|##\[group\])?Errors thrown in (\S.*)$/;

/** Reads the group that the GitHub reporter opens for a file; what failed in it follows. */
export function readGroup(text: string): FileHeader | undefined {
  const file = GROUP.exec(text)?.[1];
  return file === undefined ? undefined : { file, failed: false };
}
