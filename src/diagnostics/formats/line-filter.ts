/** Literal texts that a line must contain to match a pattern. */
export interface LineFilter {
  /** The texts in the order in which the line must contain them. */
  readonly inOrder: readonly string[];
  /** The text with which the line must end; empty if the pattern allows any end. */
  readonly ends: string;
}

/**
 * Derives the literal texts that a pattern requires. Testing for them first keeps lines of other tools away from regular
 * expressions that would scan the whole line.
 */
export function lineFilter(pattern: RegExp): LineFilter {
  const runs = pattern.ignoreCase ? [] : literalRuns(pattern.source).runs;
  const isEndFixed = /[^\\](?:\\\\)*\$$/.test(pattern.source);
  return { inOrder: runs.filter((run) => run !== ""), ends: isEndFixed ? (runs.at(-1) ?? "") : "" };
}

/** Returns whether the line contains the texts that the pattern requires. */
export function passes({ inOrder, ends }: LineFilter, text: string): boolean {
  if (ends !== "" && !text.endsWith(ends)) return false;
  let from = 0;
  for (const run of inOrder) {
    const at = text.indexOf(run, from);
    if (at < 0) return false;
    from = at + run.length;
  }
  return true;
}

interface Runs {
  /**
   * The literal texts of this part of the pattern, in the order in which a match contains them. The last one is empty
   * unless the part ends with a literal text.
   */
  readonly runs: readonly string[];
  /** The index in the pattern's source after this part: after its closing bracket or at the end. */
  readonly end: number;
}

const QUANTIFIER = /(?:[?*+]|\{\d+(?:,\d*)?\})\??/y;
/**
 * Matches the characters that, after a backslash, stand for a class of characters or a position instead of themselves.
 */
const ESCAPED_CLASS = /[A-Za-z0-9]/;

/** Reads a pattern, or one of its groups, starting at index `from` of its source. */
function literalRuns(source: string, from = 0): Runs {
  const runs: string[] = [""];
  let hasAlternatives = false;
  let at = from;
  while (at < source.length && source[at] !== ")") {
    const atom = readAtom(source, at);
    const { count, end } = readQuantifier(source, atom.end);
    hasAlternatives ||= source[at] === "|";
    at = end;
    if (count === "optional") runs.push("");
    else {
      const [first = "", ...others] = atom.runs;
      runs[runs.length - 1] += first;
      runs.push(...others);
      if (count === "repeated") runs.push("");
    }
  }
  return { runs: hasAlternatives ? ["", ""] : runs, end: at + 1 };
}

/** Reads one character, escape, character class or group of the pattern. */
function readAtom(source: string, at: number): Runs {
  const start = source[at] ?? "";
  if (start === "(") return readGroup(source, at);
  if (start === "[") return { runs: ["", ""], end: classEnd(source, at) };
  if (start === "\\") {
    const escaped = source[at + 1] ?? "";
    return ESCAPED_CLASS.test(escaped)
      ? { runs: ["", ""], end: escapeEnd(source, at) }
      : { runs: [escaped], end: at + 2 };
  }
  if (start === "^" || start === "$") return { runs: [""], end: at + 1 };
  return { runs: start === "." || start === "|" ? ["", ""] : [start], end: at + 1 };
}

function readGroup(source: string, at: number): Runs {
  const opening = /\((?:\?(?:<\w+>|:|<?[=!]))?/y;
  opening.lastIndex = at;
  const mark = opening.exec(source)?.[0] ?? "(";
  const inner = literalRuns(source, at + mark.length);
  // The text inside a lookaround is not part of the match, so its literals are not used.
  return /[=!]$/.test(mark) ? { runs: ["", ""], end: inner.end } : inner;
}

function readQuantifier(
  source: string,
  at: number,
): { readonly count: "once" | "optional" | "repeated"; readonly end: number } {
  QUANTIFIER.lastIndex = at;
  const mark = QUANTIFIER.exec(source)?.[0];
  if (mark === undefined) return { count: "once", end: at };
  return { count: /^(?:[?*]|\{0)/.test(mark) ? "optional" : "repeated", end: at + mark.length };
}

function classEnd(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
  return end + 1;
}

/** Returns the index after an escape such as `\d`, `\u00A0`, `\u{1F600}`, `\x41`, `\k<name>` or `\p{L}`. */
function escapeEnd(source: string, at: number): number {
  const escape = /\\(?:u\{[^}]*\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|k<\w+>|\d+|.)/y;
  escape.lastIndex = at;
  return at + (escape.exec(source)?.[0].length ?? 2);
}
