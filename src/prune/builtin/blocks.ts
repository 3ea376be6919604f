import { isPreface } from "./definitions.ts";
import type { Definition } from "./definitions.ts";

/** A range of lines that gets one score for its relevance to the question. */
export interface Block {
  /** Index of the first line; `end` is the index after the last one. */
  readonly start: number;
  readonly end: number;
  /** Indexes of the lines that declare the enclosing definitions, outermost first. */
  readonly headers: readonly number[];
}

interface BlockSize {
  readonly max: number;
  readonly min: number;
}

/**
 * Lines per block. With longer blocks, less of the relevant code fits into a small budget; shorter ones lose context.
 */
export const BLOCK_SIZE: BlockSize = { max: 30, min: 16 };
/**
 * Lines per piece, a smaller block. Pieces are scored too, so that the best parts of more blocks fit into the budget.
 */
export const PIECE_SIZE: BlockSize = { max: 8, min: 4 };

/** Splits text into blocks of lines: a short definition, several very short ones, or a part of a long one. */
export function blocksOf(
  lines: readonly string[],
  definitions: readonly Definition[],
  size: BlockSize,
): readonly Block[] {
  const text = { lines, size, blocks: [] };
  splitRange(text, { start: 0, end: lines.length, headers: [] }, definitions);
  return text.blocks;
}

interface Text {
  readonly lines: readonly string[];
  readonly size: BlockSize;
  readonly blocks: Block[];
}

function splitRange(text: Text, range: Block, definitions: readonly Definition[]): void {
  const { max, min } = text.size;
  let pending = range.start;
  const flush = (end: number): void => {
    splitEvenly(text, { ...range, start: pending, end });
    pending = end;
  };
  for (const definition of definitions) {
    const { end } = definition;
    const start = startWithPreface(text.lines, definition.start, pending);
    if (start < pending) continue;
    const long = end - start > max;
    if (long || end - pending > max) flush(start);
    if (long) {
      splitLongDefinition(text, { ...range, start, end }, definition);
      pending = end;
    } else if (end - pending >= min) flush(end);
  }
  flush(range.end);
}

/** Splits a long definition into blocks. The first contains the declaration; all others refer to it as a header. */
function splitLongDefinition(text: Text, range: Block, { start: declaration, inner }: Definition): void {
  const headers = [...range.headers, declaration];
  if (inner.length > 0) return splitRange(text, { ...range, headers }, inner);
  const first = text.blocks.length;
  splitEvenly(text, range);
  for (let i = first + 1; i < text.blocks.length; i++) {
    const block = text.blocks[i];
    if (block !== undefined) text.blocks[i] = { ...block, headers };
  }
}

/**
 * Returns where a definition starts, including the comments and decorators above it, and blank lines above that would
 * belong to no other block.
 */
function startWithPreface(lines: readonly string[], declaration: number, earliest: number): number {
  let start = declaration;
  while (start > earliest && isPreface(lines[start - 1] ?? "")) start--;
  let blank = start;
  while (blank > earliest && (lines[blank - 1] ?? "").trim() === "") blank--;
  return blank === earliest ? blank : start;
}

/**
 * Splits text without definitions into blocks that end at a blank line, or at the maximum length if there is none near
 * it.
 */
function splitEvenly({ lines, size, blocks }: Text, range: Block): void {
  let { start } = range;
  while (range.end - start > size.max) {
    let end = start + size.max;
    for (let i = end; i > start + size.min; i--)
      if ((lines[i - 1] ?? "").trim() === "") {
        end = i;
        break;
      }
    blocks.push({ ...range, start, end });
    start = end;
  }
  if (start < range.end) blocks.push({ ...range, start });
}
