import type { CodeSymbol, SymbolKind } from "../../model/symbol.ts";

interface FileVersion {
  readonly symbols: readonly CodeSymbol[];
  readonly lines: readonly string[];
}

/** Kinds that nothing stands above: what precedes a heading or a key is a text of its own. */
const BARE_KINDS: ReadonlySet<SymbolKind> = new Set(["heading", "key", "rule", "section", "stage", "table"]);
/** Matches the first line of a comment, annotation, decorator, attribute or list of type parameters. */
const FIRST_LINE =
  /^\s*(?:@|\/\/|\/\*|--(?:\s|\[)|template\s*<|\[[A-Za-z].*\]\s*$|#(?!\s*(?:include|define|if|ifdef|ifndef|elif|else|endif|undef|pragma|error|warning|import|line)\b))/;

/**
 * Finds the comments and annotations that stand directly above definitions and gives them to those in `owner`, which has
 * for each line the definition that it belongs to. Returns their numbers.
 */
export function findLinesAbove({ symbols, lines }: FileVersion, owner: Int32Array): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { kind, lineStart }] of symbols.entries()) {
    if (BARE_KINDS.has(kind) || owner[lineStart] !== index) continue;
    const around = owner[lineStart - 1];
    let top = lineStart;
    while (top > 1 && owner[top - 1] === around && (lines[top - 2] ?? "").trim() !== "") top--;
    if (top === lineStart || !isAround(around, symbols, lineStart)) continue;
    for (let at = firstOf(lines.slice(top - 1, lineStart - 1)) + top; at < lineStart; at++) {
      owner[at] = index;
      found.add(at);
    }
  }
  return found;
}

/** True if a line belongs to no definition or to one that contains the other line, and not to a neighbour. */
function isAround(owner: number | undefined, symbols: readonly CodeSymbol[], line: number): boolean {
  if (owner === undefined || owner < -1) return false;
  const around = symbols[owner];
  return around === undefined || (around.lineStart < line && around.lineEnd >= line);
}

/** Returns where the comments and annotations begin with which a block of lines ends; its length if it ends with none. */
function firstOf(lines: readonly string[]): number {
  let first: number | undefined;
  let depth = 0;
  let isInComment = false;
  for (const [at, line] of lines.entries()) {
    if (!isInComment && depth <= 0) {
      if (!FIRST_LINE.test(line)) {
        first = undefined;
        continue;
      }
      first ??= at;
    }
    const isComment = /^\s*(?:\/\/|#(?!\[)|--)/.test(line);
    if (isInComment || /^\s*\/\*/.test(line)) isInComment = !line.includes("*/");
    else if (!isComment) depth += countOf(line, /[([{]/g) - countOf(line, /[)\]}]/g);
  }
  return depth > 0 || isInComment ? lines.length : (first ?? lines.length);
}

function countOf(line: string, signs: RegExp): number {
  return line.match(signs)?.length ?? 0;
}
