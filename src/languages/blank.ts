/** The text with some ranges, in order, turned into spaces; indexes and lines stay as they are. */
export function blanked(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
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

/** As many blanks as the text has units; a character outside the basic plane has two. */
function blankOf(text: string): string {
  return " ".repeat(text.length);
}
