import type { Excerpt, LogLine } from "../../model/run.ts";
import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import { type CutLimits, type CutLines, cutExcerpt, type Ends, fits } from "../run/excerpt.ts";
import { parseDiff } from "./diff-files.ts";
import { DIFF_HEAD_SHARE, fitDiff } from "./fit-diff.ts";
import type { OutputRow } from "./output-row.ts";
import { fitPathList, parsePathList } from "./path-list.ts";
import { fitSections, parseSections } from "./section-list.ts";
import { fitTree, parseTree } from "./tree-list.ts";
import { fitVariables, parseVariables } from "./variable-list.ts";
import {
  FOLD_CUT_OUTPUT,
  FOLD_FITTING_OUTPUT,
  FOLD_SAMPLE,
  type FoldLimits,
  foldRepeatedLines,
} from "./repeated-lines.ts";

export interface OutputRoom {
  readonly tokens: number;
  readonly lines: number;
  /**
   * True if the caller asked for the whole output; otherwise the lines are a sample of it, and only equal ones are
   * folded.
   */
  readonly isWhole: boolean;
  readonly write: (line: LogLine) => string;
  /** The line that says how to see lines which a mark names. */
  readonly seeLines: string;
}

/**
 * The rows of an output that fit, and a line at the end if some of them leave out lines that differ from those shown.
 */
export interface FittedOutput {
  readonly cut: CutLines<OutputRow>;
  readonly note: string;
  /** True for a diff, in which a line that looks like an error is usually code. */
  readonly isDiff?: boolean;
}

/** Returns whether rows stand for more lines than they show. */
export function isFolded({ cut: { head, tail } }: FittedOutput): boolean {
  return [...head, ...tail].some(({ number, end }) => end > number);
}

export function writeRow({ text }: OutputRow): string {
  return text;
}

/** Fits an output into a number of tokens and lines. One that fits stays as it is, unless most of it repeats. */
export function fitOutput(excerpt: Excerpt, room: OutputRoom): FittedOutput {
  const lines = [...excerpt.first, ...excerpt.last];
  const isComplete = lines.length === excerpt.total;
  if (isComplete && fits(lines, room))
    return { cut: { head: foldRepeatedLines(lines, room.write, FOLD_FITTING_OUTPUT), tail: [] }, note: "" };
  const structured = isComplete && room.isWhole ? fitByStructure(lines, room) : undefined;
  return structured ?? cutRows(foldRows(excerpt, room), room);
}

/**
 * Folds repetitions of an output that does not fit. Lines that differ in numbers fold only beside other lines, for which they
 * make room; of an output that consists of them alone, such as a table of values, as many as fit are shown.
 */
function foldRows(excerpt: Excerpt, room: OutputRoom): Ends<OutputRow> {
  const equalOnly = (): Ends<OutputRow> => foldExcerpt(excerpt, room, FOLD_SAMPLE);
  if (!room.isWhole) return equalOnly();
  const rows = foldExcerpt(excerpt, room, FOLD_CUT_OUTPUT);
  const isAlmostAll = ({ isLossy, number, end }: OutputRow): boolean =>
    isLossy && end - number + 1 > excerpt.total * ONE_KIND_SHARE;
  return [...rows.first, ...rows.last].some(isAlmostAll) ? equalOnly() : rows;
}

/** The share of lines of one kind from which an output is taken for a listing of that kind. */
const ONE_KIND_SHARE = 0.9;

/** Fits a diff, a tree, a list or a table by its structure; undefined for other outputs. */
function fitByStructure(lines: readonly LogLine[], room: OutputRoom): FittedOutput | undefined {
  const { write, seeLines } = room;
  const tokens = room.tokens - estimateTokens(`${seeLines}\n`) * TOKEN_SAFETY_FACTOR;
  const diff = parseDiff(lines);
  if (diff !== undefined) {
    const rows = { total: lines.length, first: fitDiff(diff, { tokens, write }), last: [] };
    return { ...cutRows(rows, room, { headShare: DIFF_HEAD_SHARE }), isDiff: true };
  }
  const first = fitList(lines, { tokens, write });
  return first === undefined ? undefined : cutRows({ total: lines.length, first, last: [] }, room);
}

/** Fits an output that lists things. The first shape that it has and in which it can be shown decides. */
function fitList(
  lines: readonly LogLine[],
  room: Pick<OutputRoom, "tokens" | "write">,
): OutputRow[] | undefined {
  const tree = parseTree(lines);
  if (tree !== undefined) return fitTree(tree, room);
  const variables = parseVariables(lines);
  if (variables !== undefined) return fitVariables(variables, room);
  const paths = parsePathList(lines);
  const byFolder = paths === undefined ? undefined : fitPathList(paths, room);
  if (byFolder !== undefined) return byFolder;
  const sections = parseSections(lines);
  return sections === undefined ? undefined : fitSections(sections, room);
}

/** Cuts rows and adds the line that tells how to see what they leave out. */
function cutRows(
  rows: Ends<OutputRow>,
  { tokens, lines, seeLines }: OutputRoom,
  share: Pick<CutLimits<OutputRow>, "headShare"> = {},
): FittedOutput {
  const limits = { lines, write: writeRow, ...share };
  const cut = cutExcerpt(rows, { tokens, ...limits });
  if (!hasLoss(cut)) return { cut, note: "" };
  const noteTokens = estimateTokens(`${seeLines}\n`) * TOKEN_SAFETY_FACTOR;
  const shorter = cutExcerpt(rows, { tokens: tokens - noteTokens, ...limits });
  return { cut: shorter, note: hasLoss(shorter) ? seeLines : "" };
}

function hasLoss({ head, tail }: CutLines<OutputRow>): boolean {
  return head.some(({ isLossy }) => isLossy) || tail.some(({ isLossy }) => isLossy);
}

function foldExcerpt(excerpt: Excerpt, { write }: OutputRoom, limits: FoldLimits): Ends<OutputRow> {
  const { total, first, last } = excerpt;
  // Without a gap the two parts are folded as one, since a repetition may reach from one into the other.
  if (first.length + last.length === total)
    return { total, first: foldRepeatedLines([...first, ...last], write, limits), last: [] };
  return {
    total,
    first: foldRepeatedLines(first, write, limits),
    last: foldRepeatedLines(last, write, limits),
  };
}
