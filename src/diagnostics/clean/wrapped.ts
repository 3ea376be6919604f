const TILDES = /^\+ +~{8,}$/;
const CATEGORY = /^\s*\+ CategoryInfo\s+:/;
const FIELD = /^\s*\+ /;
const ONLY_TILDES = /^~+$/;
/** Characters after which a console breaks a line. */
const BREAK = /[ -]/;

/**
 * Joins lines that Windows PowerShell broke at its console's width when it wrote a program's stderr to a file. The width is taken from the first
 * error record, which is broken as well. PowerShell counts escapes as characters, so this runs before they are removed.
 */
export class WrappedLines {
  #width: number | undefined;

  unwrap(text: string): string {
    if (this.#width === undefined && !text.includes("CategoryInfo")) return text;
    const lines = text.split(/\r?\n/);
    this.#width ??= widthOf(lines);
    const width = this.#width;
    if (width === undefined) return text;
    const joined: string[] = [];
    let broken = false;
    for (const [index, line] of lines.entries()) {
      if (broken) joined.push(`${joined.pop() ?? ""}${line}`);
      else joined.push(line);
      broken = isBroken(line, lines[index + 1], width);
    }
    return joined.join("\n");
  }
}

function widthOf(lines: readonly string[]): number | undefined {
  const at = lines.findIndex((line, index) => {
    const next = lines[index + 1] ?? "";
    return TILDES.test(line) ? ONLY_TILDES.test(next) : CATEGORY.test(line) && !FIELD.test(next);
  });
  return at < 0 ? undefined : lines[at]?.length;
}

/** Returns whether the console broke the line: it then keeps the blank at the break or is as long as the console is wide. */
function isBroken(line: string, next: string | undefined, width: number): boolean {
  if (next === undefined || next === "" || next.startsWith(" ") || line.trim() === "" || line.length > width)
    return false;
  if (line.length === width) return true;
  const word = next.search(BREAK);
  return BREAK.test(line.at(-1) ?? "") && line.length + (word < 0 ? next.length : word + 1) > width;
}
