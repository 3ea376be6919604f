import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { linesOf } from "../lines.ts";

/** Markdown: its headings, each with the lines up to the next heading of the same or a higher level. */
export const markdown: Language = {
  id: "markdown",
  name: "Markdown",
  extensions: [".md", ".markdown", ".mdx", ".mdown", ".mkd", ".qmd", ".rmd"],
  holds: "headings",
  outline: { by: "scanner", separator: " > ", scan },
};

/** Matches the fence that begins a code block, with any indentation, because code blocks in lists are indented. */
const FENCE = /^[ \t]*(`{3,}(?![^`]*`)|~{3,})/u;
const FENCE_END = /^[ \t]*(`{3,}|~{3,})\s*$/u;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/u;
const NOT_SETEXT = /^\s*(?:[-*+](?:\s|$)|[-=*_\s]+$|[>|]|\d{1,9}[.)](?:\s|$)|#{1,6}\s|`{3}|~{3}|<)/u;

function scan(text: string): Scanned {
  const lines = linesOf(text);
  const symbols: ScannedSymbol[] = [];
  let fence = "";
  for (let index = frontMatterEnd(lines); index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (fence !== "") {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence) === true) fence = "";
      continue;
    }
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (mark !== "") fence = mark;
    else add(line, lines[index + 1] ?? "", { number: index + 1, symbols });
  }
  return { symbols: addLastLines(symbols, lines.length - (text.endsWith("\n") ? 1 : 0)) };
}

/** Returns the line at which the settings between `---` lines at the top of the file end; they contain no headings. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/u.test(line));
  return end < 0 ? 0 : end + 1;
}

function add(
  line: string,
  next: string,
  { number, symbols }: { number: number; symbols: ScannedSymbol[] },
): void {
  // Long lines are skipped, because they are not headings and the patterns below would be slow on them.
  if (line.length > 1000) return;
  const atx = ATX.exec(line);
  const under = /^ {0,3}(=+|-+)[ \t]*$/u.exec(next)?.[1];
  const isSetext =
    under !== undefined && line.trim() !== "" && !NOT_SETEXT.test(line) && !/^ {4}/u.test(line);
  const depth = atx?.[1]?.length ?? (isSetext ? (under.startsWith("=") ? 1 : 2) : 0);
  if (depth === 0) return;
  const name = stripMarkup(atx === null ? line : (atx[2] ?? ""));
  if (name === "") return;
  symbols.push({
    kind: "heading",
    name,
    signature: `${"#".repeat(depth)} ${name}`,
    lineStart: number,
    lineEnd: number,
    depth,
  });
}

/**
 * Matches markup in a heading: inline code and emphasised text, whose content is kept, and HTML tags, which are
 * removed.
 */
const MARKED = /`+([^`]+)`+|<[^>]+>|(\*\*|__|\*)(.+?)\2/gu;

function stripMarkup(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replace(MARKED, (_, code?: string, _mark?: string, text?: string) => code ?? text ?? "")
    .replace(/\s*\{#[\w-]+\}\s*$/u, "")
    .trim();
}

function addLastLines(symbols: readonly ScannedSymbol[], lastLine: number): ScannedSymbol[] {
  // For each level, the line of the next heading of that or a higher level; computed from the end of the file.
  const nextOfRank = Array.from({ length: 7 }, () => lastLine + 1);
  return symbols
    .toReversed()
    .map((symbol) => {
      const lineEnd = Math.max(symbol.lineStart, (nextOfRank[symbol.depth] ?? lastLine + 1) - 1);
      nextOfRank.fill(symbol.lineStart, symbol.depth);
      return { ...symbol, lineEnd };
    })
    .toReversed();
}
