/** Replaces the given ranges, which must be sorted, with spaces; offsets and line numbers stay valid. */
export function blankRanges(
  text: string,
  ranges: readonly (readonly [start: number, end: number])[],
): string {
  if (ranges.length === 0) return text;
  const pieces: string[] = [];
  let last = 0;
  for (const [start, end] of ranges) {
    pieces.push(text.slice(last, start), text.slice(start, end).replace(/[^\r\n]+/gu, blankOf));
    last = end;
  }
  pieces.push(text.slice(last));
  return pieces.join("");
}

/** Returns one space for each UTF-16 code unit, so that offsets stay valid. */
function blankOf(text: string): string {
  return " ".repeat(text.length);
}
