import type { PruningOutcome, ReplyRoom } from "../../model/pruning.ts";
import type { View } from "../rendered.ts";
import type { FileReply } from "./file-reply.ts";
import { reserveFrame } from "./file-slice.ts";
import { costIn, JSON_GAP, lineWriter } from "./file-lines.ts";
import { pageLines } from "./shown-part.ts";
import { declaredName, firstNames, gapMark } from "./focus.ts";

/** Adds a token to each gap: a mark and the line after it are rounded together in the reply and separately here. */
const TOKENS_FOR_ROUNDING = 1;

/** The room of a reply for the lines of a file, as the renderer will count it. */
export function roomFor(reply: Omit<FileReply, "pruning">, view: View): ReplyRoom {
  const { slice } = reply;
  const { budget, format } = view;
  const count = slice.lines.length;
  const pruning: PruningOutcome = {
    attempted: true,
    applied: true,
    lines_before: count,
    lines_after: count,
    tokens_before: slice.sizeBytes,
    tokens_after: slice.sizeBytes,
    kept: [],
  };
  const whole = { ...reply, pruning };
  reserveFrame(whole, view);
  const tokens = budget.remainingTokens;
  const costOf = costIn(budget);
  const write = lineWriter(whole, view);
  const lines = pageLines(slice);
  const gapNames = namesByRange(slice.lines);
  // The first line after a gap has a number, unlike most lines.
  const isText = format !== "json";
  return {
    tokens,
    wholeCost: lines.reduce((sum, line) => sum + costOf(write.line(line, true)), 0),
    lineCosts: Float64Array.from(lines, (line, index) => costOf(write.line(line, index === 0))),
    gapCost(start, end) {
      const gap = { start: start + slice.startLine, end: end + slice.startLine };
      const mark = write.gap(gapMark(gap, gapNames(start, end))) + (isText ? gap.end + 1 : "");
      return costOf(format === "json" ? `${mark}${JSON_GAP}` : mark) + TOKENS_FOR_ROUNDING;
    },
  };
}

/** Returns what the mark of a gap says about it, with the declarations of the text looked up only once. */
function namesByRange(lines: readonly string[]): (start: number, end: number) => string {
  const names: string[] = [];
  const before = new Uint32Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    const name = declaredName(line);
    if (name !== undefined) names.push(name);
    before[index + 1] = names.length;
  }
  return (start, end) => firstNames(names.slice(before[start], before[end + 1]));
}
