/** What stands after `FAIL`: the test file, and the test's name with its suites unless the file itself failed. */
export interface Header {
  readonly file: string;
  readonly name: string | undefined;
  /** Jest prints a failed file in the same way, without a test and without brackets. */
  readonly certain: boolean;
}

const PROJECT = /^\|[^|]{1,200}\| /;
/** With colours a project's name is a badge with blanks around it, and so is the mark of a type test. */
const BADGE = /^\S{1,80} {2}(?=\S)/;
const FILE_ONLY = / \[ .+ \]$/;

/** Reads `|project| file > suite > test` and `file [ file ]`. */
export function readHeader(text: string): Header | undefined {
  const rest = text.replace(PROJECT, "").replace(BADGE, "");
  if (rest === "") return undefined;
  if (rest.length < 2_000 && FILE_ONLY.test(rest))
    return { file: rest.replace(FILE_ONLY, ""), name: undefined, certain: true };
  const arrow = rest.indexOf(" > ");
  if (arrow < 0) return { file: rest, name: undefined, certain: false };
  return { file: rest.slice(0, arrow), name: rest.slice(arrow + 3), certain: true };
}
