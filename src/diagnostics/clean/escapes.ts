/**
 * What a terminal would not show as text: CSI (colours, cursor), OSC (titles, hyperlinks), the string sequences (DCS, APC,
 * PM, SOS) and two-character escapes. Strings end at BEL or ST, and never run over a line end: a broken one must
 * not eat the log.
 */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])|\u009B[0-?]*[ -/]*[@-~]/g;

/** Control characters that carry no text, and byte order marks; tab, line feed, backspace and carriage return stay. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F\uFEFF]/g;

/** The text without terminal escapes. */
export function stripEscapes(text: string): string {
  const plain = text.includes("\u001B") || text.includes("\u009B") ? text.replace(ESCAPES, "") : text;
  return plain.replace(CONTROLS, "");
}

/**
 * One line as the terminal shows it at the end: what was written over by a carriage return or taken back by
 * backspaces is gone.
 */
export function settleLine(text: string): string {
  let line = text;
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
