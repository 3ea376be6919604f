import { isPreface } from "./definitions.ts";
import type { Definition } from "./definitions.ts";

/** A stretch of lines that is judged, kept or left out as one. */
export interface Block {
  /** Indexes into the lines; the end is not part of it. */
  readonly start: number;
  readonly end: number;
  /** The declaration lines that enclose it, outermost first. */
  readonly headers: readonly number[];
}

interface Size {
  readonly most: number;
  readonly fewest: number;
}

/** What is judged as a whole: longer blocks lose recall at tight budgets, shorter ones their context. */
export const BLOCKS: Size = { most: 30, fewest: 16 };
/** What is kept or left out: with a part of a block instead of the whole, more blocks fit. */
export const PIECES: Size = { most: 8, fewest: 4 };

/** Cuts text into blocks: definitions where they are short, several of them where they are very short, parts of long ones. */
export function blocksOf(
  lines: readonly string[],
  definitions: readonly Definition[],
  size: Size,
): readonly Block[] {
  const text = { lines, size, blocks: [] };
  cut(text, { start: 0, end: lines.length, headers: [] }, definitions);
  return text.blocks;
}

interface Text {
  readonly lines: readonly string[];
  readonly size: Size;
  readonly blocks: Block[];
}

function cut(text: Text, range: Block, definitions: readonly Definition[]): void {
  const { most, fewest } = text.size;
  let pending = range.start;
  const flush = (end: number): void => {
    cutEvenly(text, { ...range, start: pending, end });
    pending = end;
  };
  for (const definition of definitions) {
    const { end } = definition;
    const start = withPreface(text.lines, definition.start, pending);
    if (start < pending) continue;
    const long = end - start > most;
    if (long || end - pending > most) flush(start);
    if (long) {
      cutLong(text, { ...range, start, end }, definition);
      pending = end;
    } else if (end - pending >= fewest) flush(end);
  }
  flush(range.end);
}

/** A long definition: its declaration goes along as context with all its parts but the first, which has it. */
function cutLong(text: Text, range: Block, { start: declaration, inner }: Definition): void {
  const headers = [...range.headers, declaration];
  if (inner.length > 0) return cut(text, { ...range, headers }, inner);
  const first = text.blocks.length;
  cutEvenly(text, range);
  for (let i = first + 1; i < text.blocks.length; i++) {
    const block = text.blocks[i];
    if (block !== undefined) text.blocks[i] = { ...block, headers };
  }
}

/** Where a definition begins with its comments and decorators, and blank lines that nothing else would have. */
function withPreface(lines: readonly string[], declaration: number, earliest: number): number {
  let start = declaration;
  while (start > earliest && isPreface(lines[start - 1] ?? "")) start--;
  let blank = start;
  while (blank > earliest && (lines[blank - 1] ?? "").trim() === "") blank--;
  return blank === earliest ? blank : start;
}

/** Flat text: cut at a blank line near the wished length, else at the length itself. */
function cutEvenly({ lines, size, blocks }: Text, range: Block): void {
  let { start } = range;
  while (range.end - start > size.most) {
    let end = start + size.most;
    for (let i = end; i > start + size.fewest; i--)
      if ((lines[i - 1] ?? "").trim() === "") {
        end = i;
        break;
      }
    blocks.push({ ...range, start, end });
    start = end;
  }
  if (start < range.end) blocks.push({ ...range, start });
}
