import type { LogLine } from "../../model/run.ts";

/** A hunk of a unified diff, from its `@@` line on. */
export interface DiffHunk {
  readonly lines: readonly LogLine[];
  readonly added: number;
  readonly removed: number;
}

/** The part of a diff about one file. */
export interface DiffFile {
  readonly path: string;
  /** The lines before the first hunk, such as `diff --git`, `rename from` and `+++`. */
  readonly header: readonly LogLine[];
  readonly hunks: readonly DiffHunk[];
}

/** Lines of an output that are not part of a diff, such as the head of a commit. */
export interface DiffProse {
  readonly prose: readonly LogLine[];
}

export type DiffPart = DiffFile | DiffProse;

/** An output counts as a diff if at least this share of its lines belongs to files of a diff. */
const MIN_DIFF_SHARE = 0.4;

/**
 * Parses an output that consists mostly of unified diffs (`git diff`, `git show`, `git log -p`, `diff -ru`). The result
 * is undefined for other outputs.
 */
export function parseDiff(lines: readonly LogLine[]): readonly DiffPart[] | undefined {
  const parts: DiffPart[] = [];
  let prose: LogLine[] = [];
  let linesInFiles = 0;
  for (let at = 0; at < lines.length;) {
    const file = readFile(lines, at);
    const line = lines[at];
    if (file === undefined) {
      if (line !== undefined) prose.push(line);
      at++;
      continue;
    }
    if (prose.length > 0) parts.push({ prose });
    prose = [];
    parts.push(file);
    const length = file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, file.header.length);
    linesInFiles += length;
    at += length;
  }
  if (prose.length > 0) parts.push({ prose });
  return linesInFiles > 0 && linesInFiles >= lines.length * MIN_DIFF_SHARE ? parts : undefined;
}

const FILE_START = /^diff (?:--git|--cc|--combined|-\S+) /;
const HEADER =
  /^(?:index |old mode |new mode |mode |deleted file |new file |similarity |dissimilarity |rename |copy |--- |\+\+\+ |Binary files )/;
/** The lines of a binary file that git writes as text. */
const BINARY_LINE = /^(?:(?:literal|delta) \d+|[A-Za-z][\w!#$%&()*+;<=>?@^`{|}~-]*)?$/;
const HUNK_START = /^(@@+) -\d+(?:,(\d+))?(?: -\d+(?:,\d+)?)* \+\d+(?:,(\d+))? @@+/;

/** Reads the file whose part of a diff begins at an index; undefined if none begins there. */
function readFile(lines: readonly LogLine[], start: number): DiffFile | undefined {
  const textAt = (index: number): string => lines[index]?.text ?? "";
  let at = start;
  if (FILE_START.test(textAt(start))) {
    at++;
    while (at < lines.length && HEADER.test(textAt(at))) at++;
    if (textAt(at) === "GIT binary patch")
      for (at++; at < lines.length && BINARY_LINE.test(textAt(at));) at++;
  } else if (isPlainStart(textAt, start)) at += 2;
  else return undefined;
  const header = lines.slice(start, at);
  const hunks: DiffHunk[] = [];
  for (let hunk = readHunk(lines, at); hunk !== undefined; hunk = readHunk(lines, at)) {
    hunks.push(hunk);
    at += hunk.lines.length;
  }
  return { path: pathOf(header.map(({ text }) => text)), header, hunks };
}

/** Returns whether a diff without a `diff` line begins at an index. */
function isPlainStart(textAt: (index: number) => string, at: number): boolean {
  return (
    textAt(at).startsWith("--- ") && textAt(at + 1).startsWith("+++ ") && HUNK_START.test(textAt(at + 2))
  );
}

/** Reads the hunk that begins at an index, as long as its line counts say. A merge has one column for each parent. */
function readHunk(lines: readonly LogLine[], start: number): DiffHunk | undefined {
  const [, signs, oldLines = "1", newLines = "1"] = HUNK_START.exec(lines[start]?.text ?? "") ?? [];
  if (signs === undefined) return undefined;
  const columns = signs.length - 1;
  let oldLeft = columns > 1 ? Number.POSITIVE_INFINITY : Number(oldLines);
  let newLeft = Number(newLines);
  let [added, removed, at] = [0, 0, start + 1];
  for (; at < lines.length; at++) {
    const text = lines[at]?.text ?? "";
    const marks = text.slice(0, columns);
    if (marks.startsWith("\\")) continue;
    if ((oldLeft <= 0 && newLeft <= 0) || !/^[ +-]*$/.test(marks)) break;
    if (columns > 1 && newLeft <= 0 && !marks.includes("-")) break;
    if (marks.includes("+")) added++;
    if (marks.includes("-")) removed++;
    if (!marks.includes("-")) newLeft--;
    if (!marks.includes("+")) oldLeft--;
  }
  return { lines: lines.slice(start, at), added, removed };
}

const NOWHERE = "/dev/null";

function pathOf(header: readonly string[]): string {
  const after = (prefix: string): string | undefined => {
    const line = header.find((text) => text.startsWith(prefix));
    return line === undefined ? undefined : cleanPath(line.slice(prefix.length));
  };
  const named = [after("+++ "), after("--- "), after("rename to "), after("copy to ")];
  const isGit = header[0]?.startsWith("diff --") ?? false;
  const path = named.find((one) => one !== undefined && one !== NOWHERE);
  if (path !== undefined) return isGit ? path.replace(/^[abciow]\//, "") : path;
  const [first = ""] = header;
  return cleanPath(/ "?b\/(.*)$/.exec(first)?.[1] ?? first.replace(/^diff \S+ /, ""));
}

/** Removes the time after a tab, and the quotes of names with special characters. */
function cleanPath(name: string): string {
  return (name.split("\t")[0] ?? name).replace(/^"(.*)"$/, "$1").replace(/"$/, "");
}
