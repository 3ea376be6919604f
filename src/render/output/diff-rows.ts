import { pluralize } from "../../kernel/pluralize.ts";
import type { LogLine } from "../../model/run.ts";
import type { DiffFile, DiffHunk, DiffPart } from "./diff-files.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

type WriteLine = (line: LogLine) => string;

/** How much of a file in a diff is shown. */
export interface ShownFile {
  readonly hunks: ReadonlySet<DiffHunk>;
  /** A hunk that is too long to be shown whole, and how many of its lines are shown. */
  readonly begun?: { readonly hunk: DiffHunk; readonly lines: number };
}

/** How much is written about the parts of a diff that are not shown. */
export interface FrameLevel {
  /** The number of lines that are shown of a text between diffs, such as a commit message. */
  readonly proseLines: number;
  /** The depth of the folders that stand for files together; at unlimited depth each file is named. */
  readonly depth: number;
  /** The same for files of the roles that are not wanted. */
  readonly otherDepth: number;
}

interface RowOptions extends FrameLevel {
  readonly isWanted: (file: DiffFile) => boolean;
  readonly write: WriteLine;
}

/** Writes all parts of a diff. Files of which nothing is shown are named each, or together by their folder. */
export function diffRows(
  parts: readonly DiffPart[],
  shown: ReadonlyMap<DiffFile, ShownFile>,
  options: RowOptions,
): OutputRow[] {
  const rows: OutputRow[] = [];
  let group: DiffFile[] = [];
  let groupKey = "";
  const flush = (): void => {
    const [first] = group;
    if (first !== undefined)
      rows.push(foldedRow(group, group.length === 1 ? first.path : groupName(group, groupKey)));
    group = [];
  };
  for (const [index, part] of parts.entries()) {
    if ("prose" in part) {
      flush();
      rows.push(...proseRows(part.prose, index === parts.length - 1, options));
      continue;
    }
    const own = shown.get(part);
    const key = groupKeyOf(part, options);
    if (own !== undefined || key !== groupKey) flush();
    groupKey = key;
    if (own === undefined) group.push(part);
    else rows.push(fileRow(part, own, options.write));
  }
  flush();
  return rows;
}

/** Writes the beginning of a text between diffs; of the text after the last diff its end, where errors are. */
function proseRows(
  prose: readonly LogLine[],
  isLast: boolean,
  { proseLines, write }: RowOptions,
): OutputRow[] {
  const rowsOf = (lines: readonly LogLine[]): OutputRow[] =>
    lines.map((line) => ({ ...rangeOf([line]), text: write(line), isLossy: false }));
  const hiddenCount = prose.length - proseLines;
  if (hiddenCount <= 1) return rowsOf(prose);
  const cut = isLast ? 0 : proseLines;
  const hidden = prose.slice(cut, cut + hiddenCount);
  const row = { ...rangeOf(hidden), text: mark("more text", [], hidden), isLossy: true };
  return [...rowsOf(prose.slice(0, cut)), row, ...rowsOf(prose.slice(cut + hiddenCount))];
}

/** Files with the same key are named together; each file has a key of its own at unlimited depth. */
function groupKeyOf(file: DiffFile, { isWanted, depth, otherDepth }: RowOptions): string {
  const own = isWanted(file) ? depth : otherDepth;
  if (!Number.isFinite(own)) return file.path;
  const folder = file.path.split("/").slice(0, -1).slice(0, own);
  return folder.map((name) => `${name}/`).join("");
}

function groupName(files: readonly DiffFile[], folder: string): string {
  return `${pluralize(files.length, "file")}${folder === "" ? "" : ` in ${folder}`}`;
}

/** Writes a file with the hunks that are shown, and marks for the others. */
function fileRow(file: DiffFile, { hunks, begun }: ShownFile, write: WriteLine): OutputRow {
  const texts = file.header.map(write);
  let hidden: DiffHunk[] = [];
  const flush = (): void => {
    if (hidden.length > 0)
      texts.push(mark(pluralize(hidden.length, "hunk"), hidden, linesOf({ header: [], hunks: hidden })));
    hidden = [];
  };
  for (const hunk of file.hunks) {
    if (hunk !== begun?.hunk && !hunks.has(hunk)) {
      hidden.push(hunk);
      continue;
    }
    flush();
    const shown = hunk === begun?.hunk ? begun.lines : hunk.lines.length;
    texts.push(...hunk.lines.slice(0, shown).map(write));
    if (shown < hunk.lines.length) texts.push(mark("the rest of this hunk", [], hunk.lines.slice(shown)));
  }
  flush();
  const isWhole = begun === undefined && hunks.size === file.hunks.length;
  return { ...rangeOf(linesOf(file)), text: texts.join("\n"), isLossy: !isWhole };
}

/** Writes one line for files of which nothing is shown. */
function foldedRow(files: readonly DiffFile[], name: string): OutputRow {
  const lines = files.flatMap(linesOf);
  const hunks = files.flatMap((file) => file.hunks);
  return { ...rangeOf(lines), text: mark(name, hunks, lines), isLossy: true };
}

function mark(what: string, hunks: readonly DiffHunk[], lines: readonly LogLine[]): string {
  const { number, end } = rangeOf(lines);
  const added = hunks.reduce((sum, hunk) => sum + hunk.added, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed, 0);
  const counts = hunks.length === 0 ? "" : `: +${added} -${removed}`;
  return `… ${what}${counts}, ${lineRange(number, end)}`;
}

function linesOf({ header, hunks }: Pick<DiffFile, "header" | "hunks">): LogLine[] {
  return [...header, ...hunks.flatMap((hunk) => hunk.lines)];
}

function rangeOf(lines: readonly LogLine[]): { readonly number: number; readonly end: number } {
  const number = lines[0]?.number ?? 0;
  return { number, end: lines.at(-1)?.number ?? number };
}
