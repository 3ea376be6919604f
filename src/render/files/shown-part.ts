import type { FileSlice } from "../../model/file-slice.ts";
import type { View } from "../rendered.ts";
import type { FileReply } from "./file-reply.ts";
import { type Gap, gapMark, keptLines, namesIn, type Row, withGaps } from "./focus.ts";
import { type Fold, foldFile } from "./fold.ts";
import { costIn, JSON_GAP, lineWriter } from "./file-lines.ts";
import { type LinePage, type PageLine, pageOf } from "./line-page.ts";

/** The lines that fit into the reply, of those that were read from the file. */
export interface ShownPart {
  readonly lines: readonly PageLine[];
  /** The shown lines and the gaps between them, up to line `end`. */
  readonly rows: readonly Row<PageLine>[];
  /** The number of the last line that is shown or belongs to a gap. */
  readonly end: number;
  /** The number of the last line that the caller asked for. */
  readonly wanted: number;
  /** The arguments of the call that shows the lines after the shown ones. */
  readonly next?: { readonly start_line: number; readonly column?: number; readonly end_line: number };
  /** True if bodies of definitions are left out because the file does not fit. */
  readonly isFolded: boolean;
  /** What a gap contains, in words. */
  readonly aboutGap: (gap: Gap) => string;
}

export function shownPart(reply: FileReply, view: View): ShownPart {
  const { slice, pruning } = reply;
  const all = pageLines(slice);
  const write = lineWriter(reply, view);
  const fold = foldOf(reply, all, view);
  const kept = keptLines(all, fold ?? pruning);
  const aboutGap = fold?.about ?? ((gap: Gap): string => namesIn(linesOf(slice, gap)));
  const marks = marksBefore(
    withGaps(kept, { start: slice.startLine, end: slice.endLine }, fold?.breaks),
    (gap) => write.gap(gapMark(gap, aboutGap(gap))),
  );
  const page = pageOf(kept, view.budget, (line) => {
    const mark = marks.get(line.number);
    return `${mark ?? ""}${write.line(line, mark !== undefined || line.number === slice.startLine)}`;
  });
  const last = page.shown.at(-1)?.number ?? 0;
  const end = page.next === undefined ? slice.endLine : last;
  const wanted = Math.max(slice.requestedEndLine, slice.endLine);
  const rows =
    slice.lines.length === 0 ? [] : withGaps(page.shown, { start: slice.startLine, end }, fold?.breaks);
  const isFolded = fold !== undefined;
  return { lines: page.shown, rows, end, wanted, isFolded, aboutGap, ...nextOf(page, end, wanted) };
}

/** The marks of the gaps before each line. */
function marksBefore(
  rows: readonly Row<PageLine>[],
  write: (gap: Gap) => string,
): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  let before = "";
  for (const row of rows) {
    if ("gap" in row) before += write(row.gap);
    else if (before !== "") {
      marks.set(row.line.number, before);
      before = "";
    }
  }
  return marks;
}

/** Adds a token to each gap: a mark and the line after it are rounded together in the reply and separately here. */
const TOKENS_FOR_ROUNDING = 1;

/** Folds a file whose definitions are known if it does not fit into the reply; otherwise undefined. */
function foldOf({ outline, ...reply }: FileReply, all: readonly PageLine[], view: View): Fold | undefined {
  const { budget } = view;
  if (outline === undefined || reply.slice.startLine !== 1) return undefined;
  const write = lineWriter(reply, view);
  const tokens = budget.remainingTokens;
  const costOf = costIn(budget);
  const lineCosts = all.map((line) => costOf(write.line(line, true)));
  if (lineCosts.reduce((sum, cost) => sum + cost, 0) <= tokens) return undefined;
  const beside = view.format === "json" ? JSON_GAP : "";
  const markCost = (mark: string): number => costOf(`${write.gap(mark)}${beside}`) + TOKENS_FOR_ROUNDING;
  return foldFile(reply.slice.lines, outline, { tokens, lineCosts, markCost });
}

function nextOf(page: LinePage<PageLine>, end: number, wanted: number): Pick<ShownPart, "next"> {
  const column = page.next?.column;
  if (column !== undefined) return { next: { start_line: end, column, end_line: wanted } };
  return end < wanted ? { next: { start_line: end + 1, end_line: wanted } } : {};
}

export function pageLines(slice: FileSlice): PageLine[] {
  const hidden = new Map(slice.clipped.map(({ line, ...hidden }) => [line, hidden]));
  return slice.lines.map((text, index): PageLine => {
    const number = slice.startLine + index;
    const clipped = hidden.get(number);
    return {
      number,
      text,
      ...(index === 0 && slice.column !== undefined ? { column: slice.column } : {}),
      ...(clipped === undefined ? {} : { hidden: clipped }),
    };
  });
}

function linesOf(slice: FileSlice, { start, end }: Gap): readonly string[] {
  return slice.lines.slice(start - slice.startLine, end - slice.startLine + 1);
}
