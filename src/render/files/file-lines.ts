import type { CallArguments } from "../../kernel/calls.ts";
import { type Budget, TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import { EVERY_TOOL, type Reader, spellAgain, spellFor } from "../reader/reader.ts";
import type { View } from "../rendered.ts";
import type { FileReply } from "./file-reply.ts";
import { hasNumber, numberedLine } from "./focus.ts";
import { endColumn, type PageLine, withCutMark } from "./line-page.ts";

/** What the form of a line depends on in a reply. */
type LinesReply = Pick<FileReply, "slice" | "pruning" | "isOneOfSeveral">;

/** The text that a line, as the first of a run or not, or the mark of a gap before it adds to a reply. */
export function lineWriter(reply: LinesReply, { format, reader = EVERY_TOOL }: View) {
  const more = moreWords(reply, reader);
  const isJson = format === "json";
  const { pruning } = reply;
  return {
    line: (line: PageLine, isFirst: boolean): string =>
      isJson ? jsonCost(line) : `${lineText({ line, isFirst }, { pruning, more })}\n`,
    gap: (mark: string): string => gapCost(mark, isJson),
  };
}

/** Writes the call that shows other lines of the file. */
export type MoreWords = (args: CallArguments) => string;

/**
 * Returns a function that writes the call for more lines: only the changed arguments if the reply is about one file,
 * and the whole call if it is about several.
 */
export function moreWords({ slice, isOneOfSeveral = false }: LinesReply, reader: Reader): MoreWords {
  const spell = spellFor(reader);
  return (args) =>
    (isOneOfSeveral ? spell({ tool: "read", args: { file_path: slice.path, ...args } }) : undefined) ??
    spellAgain(reader, args);
}

export function gapCall(more: MoreWords): string {
  return more({ start_line: "A", end_line: "B" });
}

/** The cost of a line in a JSON reply, including the backslashes that JSON adds. */
function jsonCost(line: PageLine): string {
  return JSON.stringify(line.text) + (line.hidden === undefined ? "" : JSON.stringify(clippedOf(line)));
}

/** What a gap in the lines costs: its mark and, in JSON, the fields of the range of lines that begins after it. */
function gapCost(mark: string, isJson: boolean): string {
  return isJson ? JSON.stringify({ ...PART_FRAME, names: mark }) : `${mark}\n`;
}

const PART_FRAME = { start_line: 12_345, end_line: 12_345, content: "" };

/** Writes a line with its number. A pruned reply is dense and has numbers only where they are needed. */
export function lineText(
  { line, isFirst }: { readonly line: PageLine; readonly isFirst: boolean },
  {
    pruning,
    more,
    isBrokenOff = false,
  }: { readonly pruning: PruningOutcome; readonly more: MoreWords; readonly isBrokenOff?: boolean },
): string {
  const rest = (): string => more({ start_line: line.number, column: endColumn(line) });
  const isNumbered = !pruning.applied || hasNumber(line.number, isFirst);
  return numberedLine(
    isNumbered ? line.number : undefined,
    withCutMark(line, isBrokenOff ? undefined : rest),
  );
}

/** The fields of a line that is shown only in part. */
export function clippedOf(line: PageLine): object {
  return { line: line.number, column: endColumn(line), characters_left_out: line.hidden?.characters };
}

/** What a gap costs in JSON besides its mark: its entry in the list of gaps, and its place in the outcome of pruning. */
export const JSON_GAP = JSON.stringify([{ start_line: 12_345, end_line: 12_345 }, [12_345, 12_345]]);

/**
 * Returns a function that says how many tokens of a budget a text costs. The budget is limited in characters too, which
 * are counted as a share of the tokens.
 */
export function costIn({ remainingTokens, remainingCharacters }: Budget): (text: string) => number {
  const perCharacter = remainingTokens / Math.max(1, remainingCharacters);
  return (text) => Math.max(estimateTokens(text) * TOKEN_SAFETY_FACTOR, text.length * perCharacter);
}
