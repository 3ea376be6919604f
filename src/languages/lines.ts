/** Returns a function that converts increasing offsets to line numbers, from 1, in one pass over the text. */
export function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (index) => {
    while (next >= 0 && next < index) {
      line += 1;
      next = text.indexOf("\n", next + 1);
    }
    return line;
  };
}

/** Splits a text into lines without their line endings. */
export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}
