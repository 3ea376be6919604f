/**
 * A definition found by indentation alone: a line with indented lines below it counts as a declaration unless it is a
 * control flow statement. This needs no grammar, so it works for any language in a fraction of a millisecond.
 */
export interface Definition {
  /** Index of the declaring line; `end` is the index after the last line. */
  readonly start: number;
  readonly end: number;
  readonly inner: readonly Definition[];
}

/**
 * Deepest nesting of definitions that are found by indentation alone: a function in a class in a namespace in a module.
 * Deeper lines belong to the function, unless they have the form of a function themselves.
 */
const MAX_DEPTH = 4;
const MAX_DEPTH_OF_FUNCTIONS = 8;
const MIN_LINES = 2;
const BLANK = -1;
const TAB_WIDTH = 4;
const MAX_HEAD_LENGTH = 300;

const CLOSER = /^\s*(?:[)\]}]|end\b)/;
const OPENS_AGAIN = /[{([]\s*$|^\s*\).*:\s*$/;
/** A line that only opens the body or the constraints of the declaration above it. */
const BODY_OPENER = /^\s*(?:\{|where)\s*$/;
/** A line that ends a statement, so that a brace below it opens a block of its own. */
const ENDS_STATEMENT = /[;{}]\s*,?\s*$/;
/** Matches lines that continue the previous one, and statements that have a body but declare nothing. */
const NOT_A_DECLARATION =
  /^\s*(?:[)\]}>;,.|&?:]|(?:if|else|elif|elsif|for|foreach|while|until|unless|switch|case|when|default|do|try|catch|finally|except|rescue|ensure|with|return|throw|await|yield|begin|end|guard|defer|repeat|synchronized|using|lock|@try|@catch)\b|(?:private|protected|public)\s*:?\s*$|[{([]+\s*$)/;
const CONDITION =
  /^\s*(?:\}\s*)?(?:if|elif|elsif|else|unless|for|foreach|while|until|case|when|catch|except|rescue|guard)\b/;
/** Matches comments, decorators and attributes, which belong to the definition below them. `#name(` is a private method of JavaScript. */
const PREFACE = /^\s*(?:\/\/|\/\*|\*|#(?!\w+\()|@|--|\[\w|"""|''')/;
/** Matches a declaration on the line of its annotation, such as `@Override public int size() {`. */
const ANNOTATED_DECLARATION =
  /^\s*@\w.*(?:[\w)>\]?]\s*\{\s*$|\s(?:class|interface|struct|enum|object|def|fun|func|function)\s)/;
/**
 * Matches lines that end no body wherever they stand: comments, conditions of the preprocessor, and labels of C and C++.
 */
const OUTSIDE_INDENTATION =
  /^\s*(?:\/\/|#\s*(?:if|ifdef|ifndef|elif|else|endif|pragma|region|endregion)\b|#\s|(?:public|private|protected)(?:\s+\w+)?\s*:\s*$)/;
/** A label is told from a statement of Python by the end of the statement above it. */
const LABEL = /^[A-Za-z_]\w*:\s*(?:\/[/*].*)?$/;
/** Matches the first line of a function at any depth. */
const FUNCTION_HEAD =
  /^\s*(?:[\w.]+\s+)*(?:def|defp|fn|func|fun|function\*?)\b|^\s*(?:[\w<>[\],.?@&*:]+\s+)+[\w~]+\s*\([^;=]*\)?[^;=()]*\{?\s*$/;

export function definitionsOf(
  lines: readonly string[],
  ends: Int32Array = bodyEnds(lines),
): readonly Definition[] {
  const top: Definition[] = [];
  const open: { readonly end: number; readonly inner: Definition[] }[] = [];
  for (const [start, line] of lines.entries()) {
    while ((open.at(-1)?.end ?? lines.length + 1) <= start) open.pop();
    const end = ends[start] ?? 0;
    if (end - start < MIN_LINES || open.length >= MAX_DEPTH_OF_FUNCTIONS) continue;
    if (NOT_A_DECLARATION.test(line) || isPreface(line)) continue;
    if (open.length >= MAX_DEPTH && !FUNCTION_HEAD.test(line.slice(0, MAX_HEAD_LENGTH))) continue;
    const definition = { start, end, inner: [] };
    (open.at(-1)?.inner ?? top).push(definition);
    open.push(definition);
  }
  return top;
}

/** Returns true if a line is a condition or a loop with a body below it. */
export function isCondition(line: string): boolean {
  return CONDITION.test(line);
}

/** Returns true if a line only opens the body of what is above it. */
export function isBodyOpener(line: string): boolean {
  return BODY_OPENER.test(line);
}

/** Returns true if a line is a comment, a decorator or an attribute. */
export function isPreface(line: string): boolean {
  return PREFACE.test(line) && !ANNOTATED_DECLARATION.test(line.slice(0, MAX_HEAD_LENGTH));
}

/** Returns, for each line, where the lines indented below it end, including the line with the closing bracket. */
export function bodyEnds(lines: readonly string[]): Int32Array {
  const ends = new Int32Array(lines.length);
  const open: { readonly at: number; readonly indent: number }[] = [];
  let last = -1;
  for (const [index, line] of lines.entries()) {
    const indent = indentOf(line);
    if (indent === BLANK || (indent <= (open.at(-1)?.indent ?? -1) && endsNoBody(line, lines[last])))
      continue;
    const closes = CLOSER.test(line);
    const declaration = BODY_OPENER.test(line) ? declarationAbove(open, { lines, index, indent }) : undefined;
    if (declaration !== undefined) {
      while ((open.at(-1)?.at ?? -1) > declaration) open.pop();
      last = index;
      continue;
    }
    for (let top = open.at(-1); top !== undefined && top.indent >= indent; top = open.at(-1)) {
      const closed = closes && top.indent === indent && last > top.at;
      ends[top.at] = closed ? index + 1 : Math.max(ends[top.at] ?? 0, last + 1);
      // A line such as `} else {` closes one block and opens another of the same statement.
      if (closed && (OPENS_AGAIN.test(line) || BODY_OPENER.test(lines[index + 1] ?? ""))) break;
      open.pop();
    }
    if (!closes) open.push({ at: index, indent });
    last = index;
  }
  for (const { at } of open) ends[at] = Math.max(ends[at] ?? 0, last + 1);
  return ends;
}

/** Returns true if a line does not end the bodies around it, although it is indented less than they are. */
function endsNoBody(line: string, above = ""): boolean {
  return OUTSIDE_INDENTATION.test(line) || (LABEL.test(line) && ENDS_STATEMENT.test(above));
}

/** Returns the declaration whose body a brace on a line of its own opens. */
function declarationAbove(
  open: readonly { readonly at: number; readonly indent: number }[],
  {
    lines,
    index,
    indent,
  }: { readonly lines: readonly string[]; readonly index: number; readonly indent: number },
): number | undefined {
  const above = lines[index - 1] ?? "";
  if (above.trim() === "" || ENDS_STATEMENT.test(above) || isPreface(above)) return undefined;
  const declaration = open.findLast((one) => one.indent <= indent);
  return declaration?.indent === indent ? declaration.at : undefined;
}

function indentOf(line: string): number {
  let width = 0;
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i);
    if (code === 32) width++;
    else if (code === 9) width += TAB_WIDTH;
    else return width;
  }
  return BLANK;
}
