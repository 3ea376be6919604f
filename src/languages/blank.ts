/** The text with some ranges, in order, turned into spaces; indexes and lines stay as they are. */
export function blanked(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
  if (ranges.length === 0) return text;
  const pieces: string[] = [];
  let last = 0;
  for (const [start, end] of ranges) {
    pieces.push(text.slice(last, start), text.slice(start, end).replace(/[^\r\n]/gu, blankOf));
    last = end;
  }
  pieces.push(text.slice(last));
  return pieces.join("");
}

/** A character outside the basic plane is two units long. */
function blankOf(character: string): string {
  return " ".repeat(character.length);
}
