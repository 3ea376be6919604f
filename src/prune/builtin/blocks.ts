/**
 * Cuts text into blocks by indentation: whole definitions where they are short, parts of one where they are long. It
 * needs no grammar, so it takes a millisecond for any language; parsing would take fifty.
 */
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
/** Text that is nested deeper than this is data. */
const MAX_DEPTH = 12;

const BLANK = -1;
const TAB_WIDTH = 4;
/** Lines that end or go on with what is above them rather than begin something. */
const CLOSER =
  /^\s*(?:[)\]}>;,]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|rescue\b|ensure\b|case\b|when\b|default:)/;
/** Comments, decorators and attributes belong to what follows. */
const PREFACE = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|endif|import)|@|--|\[\w|"""|''')/;

export function blocksOf(lines: readonly string[], size: Size): readonly Block[] {
  const indents = lines.map(indentOf);
  const blocks: Block[] = [];
  cut({ lines, indents, blocks, ...size }, { start: 0, end: lines.length, headers: [] }, 0);
  return blocks;
}

interface Text extends Size {
  readonly lines: readonly string[];
  readonly indents: readonly number[];
  readonly blocks: Block[];
}

function cut(text: Text, range: Block, depth: number): void {
  if (range.end - range.start <= text.most) {
    if (range.end > range.start) text.blocks.push(range);
    return;
  }
  const items = itemsOf(text, range);
  if (items.length < 2 && depth >= MAX_DEPTH) return cutEvenly(text, range);
  let pending = range.start;
  for (const item of items) {
    const long = item.end - item.start > text.most;
    if (long || item.end - pending > text.most) {
      if (item.start > pending) cutEvenly(text, { ...range, start: pending, end: item.start });
      pending = item.start;
    }
    if (long) {
      cutLong(text, { ...range, ...item }, depth);
      pending = item.end;
    } else if (item.end - pending >= text.fewest) {
      text.blocks.push({ ...range, start: pending, end: item.end });
      pending = item.end;
    }
  }
  if (pending < range.end) cutEvenly(text, { ...range, start: pending });
}

/** A long definition: its header goes along as context, its body is cut on. */
function cutLong(text: Text, range: Block, depth: number): void {
  const body = bodyStart(text, range);
  if (body === undefined || depth >= MAX_DEPTH) return cutEvenly(text, range);
  const header = headerLine(text, range, body);
  cutEvenly(text, { ...range, end: body });
  cut(text, { start: body, end: range.end, headers: [...range.headers, header] }, depth + 1);
}

/** The first line that is deeper than the item's own. */
function bodyStart({ indents }: Text, { start, end }: Block): number | undefined {
  const own = Math.min(...indents.slice(start, end).filter((indent) => indent !== BLANK));
  for (let i = start + 1; i < end; i++) if ((indents[i] ?? BLANK) > own) return i;
  return undefined;
}

/** The line that declares the item: the last one before its body that is neither comment nor closer. */
function headerLine({ lines }: Text, { start }: Block, body: number): number {
  for (let i = body - 1; i > start; i--) {
    const line = lines[i] ?? "";
    if (line.trim() !== "" && !PREFACE.test(line) && !CLOSER.test(line)) return i;
  }
  return start;
}

/** What stands side by side at the least indentation of the range, each with all that is nested in it. */
function itemsOf({ lines, indents }: Text, { start, end }: Block): readonly { start: number; end: number }[] {
  let least = Number.POSITIVE_INFINITY;
  for (let i = start; i < end; i++) if (indents[i] !== BLANK) least = Math.min(least, indents[i] ?? 0);
  const starts: number[] = [];
  let preface: number | undefined;
  for (let i = start; i < end; i++) {
    const line = lines[i] ?? "";
    if (indents[i] !== least || CLOSER.test(line)) {
      if (indents[i] !== BLANK && indents[i] !== least) preface = undefined;
      continue;
    }
    if (PREFACE.test(line)) preface ??= i;
    else {
      starts.push(preface ?? i);
      preface = undefined;
    }
  }
  if (starts.length === 0) return [{ start, end }];
  starts[0] = start;
  return starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end }));
}

/** Flat text: cut at a blank line near the wished length, else at the length itself. */
function cutEvenly({ lines, blocks, most, fewest }: Text, range: Block): void {
  let start = range.start;
  while (range.end - start > most) {
    let end = start + most;
    for (let i = end; i > start + fewest; i--)
      if ((lines[i - 1] ?? "").trim() === "") {
        end = i;
        break;
      }
    blocks.push({ ...range, start, end });
    start = end;
  }
  if (start < range.end) blocks.push({ ...range, start });
}

function indentOf(line: string): number {
  let width = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 32) width++;
    else if (code === 9) width += TAB_WIDTH;
    else return width;
  }
  return BLANK;
}
