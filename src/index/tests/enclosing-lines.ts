/** Lines above a change that are read; a definition that begins further up is rarely what a test names. */
const MAX_LINES_ABOVE = 1_500;
/** Statements that enclose lines without a name of their own. */
const CONTROL =
  /^\s*[})\]]*\s*(?:if|elif|elsif|else|for|foreach|while|until|unless|switch|case|match|when|try|catch|except|rescue|finally|ensure|do|begin|loop|with|using|return|await|yield|default)\b/;
const ONLY_OPENING = /^\s*[{([]+\s*$/;
const CLOSING = /^\s*[})\]]/;

/**
 * Returns the lines that enclose a line by their indentation, the innermost first: the method, then its class. Git names
 * only the outermost one, unless its attributes tell the language.
 */
export function enclosingLines(lines: readonly string[], line: number): string[] {
  const found: string[] = [];
  let limit = indentationAt(lines, line - 1);
  const first = Math.max(0, line - 1 - MAX_LINES_ABOVE);
  for (let at = Math.min(line - 2, lines.length - 1); at >= first && limit > 0; at--) {
    const text = lines[at] ?? "";
    const own = indentationOf(text);
    if (own === undefined || own >= limit) continue;
    // A brace on a line of its own, or the end of a list of parameters, belongs to the line above with its indentation.
    limit = ONLY_OPENING.test(text) || CLOSING.test(text) ? own + 1 : own;
    if (limit === own && !CONTROL.test(text)) found.push(text);
  }
  return found;
}

/** The indentation of a line, or of the next one that has text. */
function indentationAt(lines: readonly string[], from: number): number {
  for (let at = Math.max(0, from); at < lines.length; at++) {
    const own = indentationOf(lines[at] ?? "");
    if (own !== undefined) return own;
  }
  return 0;
}

const TAB_WIDTH = 4;

function indentationOf(line: string): number | undefined {
  let width = 0;
  for (const character of line) {
    if (character === " ") width++;
    else if (character === "\t") width += TAB_WIDTH;
    else return character === "\r" ? undefined : width;
  }
  return undefined;
}
