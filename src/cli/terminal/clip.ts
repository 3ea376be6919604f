const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const WITHOUT_WIDTH = /[\p{Mark}\p{Format}]/u;

/** Shortens a text to the columns of a terminal that it may take, with an ellipsis for what is left out. */
export function clip(text: string, columns: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  if (columnsOf(line) <= columns) return line;
  let start = "";
  let used = 0;
  for (const character of line) {
    used += columnsOf(character);
    if (used >= columns) break;
    start += character;
  }
  return columns < 1 ? "" : `${start}…`;
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) if (!WITHOUT_WIDTH.test(character)) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}
