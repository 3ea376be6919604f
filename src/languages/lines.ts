/** Tells the line of ever larger text indexes, from 1; each line break is passed once. */
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

/** A text's lines without their line ends, `\r` included. */
export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}
