/** Languages in which the indentation of a statement says what it belongs to. */
export const INDENTED: ReadonlySet<string> = new Set(["python", "haskell", "scala"]);

/** Matches texts in quotes, white space between two words, and other white space. */
const PARTS = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(?<=[\w$])(\s+)(?=[\w$])|\s+/g;

/**
 * Removes white space that has no meaning, and trailing commas, which formatters add when they break a list into lines.
 * Texts in quotes stay as they are.
 */
export function squeezed(text: string): string {
  return text
    .replaceAll(PARTS, (_, quoted?: string, between?: string) => quoted ?? (between === undefined ? "" : " "))
    .replaceAll(/,(?=[)\]}>])/g, "");
}

/** Returns the depth of each statement of a text, however wide its indentation is. Lines inside of brackets do not count. */
export function levelsIn(text: string): string {
  const widths: number[] = [];
  const levels: number[] = [];
  let brackets = 0;
  for (const line of text.split("\n")) {
    if (brackets <= 0) {
      const width = line.length - line.trimStart().length;
      while ((widths.at(-1) ?? -1) > width) widths.pop();
      if (widths.at(-1) !== width) widths.push(width);
      levels.push(widths.length);
    }
    const code = line.replaceAll(/"[^"]*"|'[^']*'|(?:#|--|\/\/).*/g, "");
    brackets += (code.match(/[([{]/g)?.length ?? 0) - (code.match(/[)\]}]/g)?.length ?? 0);
  }
  return levels.join();
}
