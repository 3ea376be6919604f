/**
 * Matches terminal sequences that are not text: CSI (colors, cursor), OSC (titles, hyperlinks), string sequences (DCS, APC, PM, SOS) and
 * two-character escapes. A string ends at BEL or ST and never extends over a line end, so that a broken one cannot swallow the log.
 */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])|\u009B[0-?]*[ -/]*[@-~]/g;

/** Matches control characters without text and byte order marks; tab, line feed, backspace and carriage return are kept. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F\uFEFF]/g;

/** Removes terminal escapes and control characters from a text. */
export function stripEscapes(text: string): string {
  const plain = text.includes("\u001B") || text.includes("\u009B") ? text.replace(ESCAPES, "") : text;
  return plain.replace(CONTROLS, "");
}

/** Matches GitLab's marks of sections; a carriage return and the heading follow on the same line. */
const SECTION_MARK = /(section_(?:start|end):\d{1,20}:[^\s[]{1,200}(?:\[[^\]\r]{0,200}\])?)\r/g;

/** Returns a line as a terminal finally shows it, without text that a carriage return overwrote or backspaces deleted. */
export function settleLine(text: string): string {
  let line = text.includes("section_") ? text.replace(SECTION_MARK, "$1 ") : text;
  if (line.includes("\r")) {
    let end = line.length;
    while (end > 0 && line.charCodeAt(end - 1) === 13) end--;
    const from = line.lastIndexOf("\r", end - 1) + 1;
    line = line.slice(from, end);
  }
  return line.includes("\b") ? applyBackspaces(line) : line;
}

function applyBackspaces(text: string): string {
  const kept: string[] = [];
  for (const char of text)
    if (char === "\b") kept.pop();
    else kept.push(char);
  return kept.join("");
}
