/** The most lines of a list of arguments that are looked at. */
const MAX_LINES = 100;
const OPENING = "([{";
const CLOSING = ")]}";

/**
 * Returns the lines that are as before but leave brackets open whose content is not: a call over several lines may have
 * other arguments although its first line is the same. Blocks in brackets, such as the body of a callback, do not count.
 */
export function callsWithOtherArguments(lines: readonly string[], oldLines: Int32Array): ReadonlySet<number> {
  const found = new Set<number>();
  for (let line = 1; line < oldLines.length; line++)
    if (
      oldLines[line] !== 0 &&
      /[([]/.test(lines[line - 1] ?? "") &&
      hasOtherArguments(line, lines, oldLines)
    )
      found.add(line);
  return found;
}

function hasOtherArguments(first: number, lines: readonly string[], oldLines: Int32Array): boolean {
  const open: string[] = [];
  readBrackets(lines[first - 1] ?? "", open);
  if (!open.includes("(") && !open.includes("[")) return false;
  let before = oldLines[first] ?? 0;
  for (let line = first + 1; line <= Math.min(first + MAX_LINES, oldLines.length - 1); line++) {
    if (open.at(-1) !== "block") {
      // Lines that are missing between two others count as well.
      if (oldLines[line] !== before + 1) return true;
      before++;
    } else before = oldLines[line] || before;
    readBrackets(lines[line - 1] ?? "", open);
    if (open.length === 0) return false;
  }
  return false;
}

/** Follows the brackets of a line. A brace behind a closing bracket, an arrow or a word opens a block. */
function readBrackets(line: string, open: string[]): void {
  const code = line.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g, "''");
  for (let at = 0; at < code.length; at++) {
    const sign = code[at] ?? "";
    if (OPENING.includes(sign))
      open.push(sign === "{" && /(?:=>|[)\w])\s*$/.test(code.slice(0, at)) ? "block" : sign);
    else if (CLOSING.includes(sign)) open.pop();
  }
}
