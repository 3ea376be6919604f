import type { Place, Severity } from "../../model/diagnostic.ts";
import type { Found } from "../tool.ts";

/** A diagnostic of an unknown tool, and whether its line says itself how severe it is. */
export interface PlacedFinding {
  readonly found: Found;
  readonly sure: boolean;
}

const SEVERITIES: Record<string, Severity> = {
  error: "error",
  err: "error",
  fatal: "error",
  "fatal error": "error",
  "internal error": "error",
  "catastrophic error": "error",
  "syntax error": "error",
  critical: "error",
  failure: "error",
  high: "error",
  warning: "warning",
  warn: "warning",
  medium: "warning",
  low: "warning",
  style: "warning",
  note: "info",
  info: "info",
  information: "info",
  hint: "info",
  notice: "info",
  remark: "info",
  suggestion: "info",
};

/** The severity that a word names, in any case; undefined for any other word. */
export function severityOf(word: string | undefined): Severity | undefined {
  return SEVERITIES[word?.toLowerCase() ?? ""];
}

const WORD =
  /^[[(]?(fatal error|internal error|catastrophic error|error|err|fatal|critical|failure|warning|warn|style|note|info|information|hint|notice|remark|suggestion)\b[\])]?(?: ?[[(]([\w:./-]{1,60})[\])](?=[:\s]))?(?:,? ([A-Z]{1,6}-?\d{2,6}|#\d{1,6}(?:-D)?|\d{2,5}|(?<=, )[a-z]\w{2,30}))?(?: ?:| -|(?=[\])\s])|$) *(?:\[([\w:./-]{1,60})\] ?)?/i;
/** Some linters have one letter for it, some a rank. */
const RANK = /^(?:([EFWCRIN])|(LOW|MEDIUM|HIGH)): (?=\S)/;
const RANKS: Record<string, Severity> = {
  E: "error",
  F: "error",
  HIGH: "error",
  W: "warning",
  MEDIUM: "warning",
};
/** What names an error by its own name is its message too: `SyntaxError: …`, `syntax error: …`. */
const NAMED = /^(?:[A-Z]\w{0,60}Error|(?:syntax|parse|Syntax|Parse|lexical) error)\b/;
/** What many linters put last: `(no-var)`, `(W030)`, `[-Wunused]`, `[name-defined]`, `[build/include] [4]`. */
const CODE_LAST =
  / +[[(](-W[\w=+-]{1,60}|[A-Z]{1,3}\d{3,4}|[a-z][\w-]*[-/+][\w/+-]{1,60}|report[A-Z]\w{1,60})[\])](?: +\[\d\])?$| {2}\[([a-z][\w-]{1,60})\]$/;
const CODE_FIRST = /^(?:([A-Z]{1,6}\d{2,5})\b:?|[[(]([A-Z]{1,3}\d{2,5})[\])]:?) +(?=\S)/;
/** What compilers say on the way, not of a fault. */
const REMARKS =
  /^(?:optimized|missed|required from|required by|in expansion of|in instantiation of|instantiated from)\b/;
/** Words of a compiler or a linter; a program's own log says other things of its files. */
const COMPLAINT =
  /\b(?:syntax|parse|unexpected|expected|undefined|undeclared|unused|unknown|missing|invalid|illegal|duplicate|redefined|unterminated|unclosed|unmatched|unbalanced|unresolved|mismatch|end[- ]of[- ](?:line|file|input)|too (?:many|few|long)|deprecated|not (?:defined|declared|used|closed|allowed|a valid)|imported but|cannot be)\b/i;

interface Options {
  /** What stood before the place. */
  readonly severity?: Severity | undefined;
  readonly code?: string | undefined;
  /** Nothing but a complaint can stand here. */
  readonly trusted?: boolean;
}

/** The code that a message begins with, and the rest of it. */
export function codeFirst(message: string): { readonly code?: string; readonly message: string } {
  const match = CODE_FIRST.exec(message);
  const code = match?.[1] ?? match?.[2];
  return code === undefined ? { message } : { code, message: message.slice(match?.[0].length ?? 0) };
}

/** What the text beside a place says: severity, code and message; undefined where it need not be a complaint at all. */
export function finding(text: string, place: Place, options: Options = {}): PlacedFinding | undefined {
  if (REMARKS.test(text) && options.severity === undefined) return undefined;
  const rank = RANK.exec(text);
  if (rank !== null) {
    const severity = RANKS[rank[1] ?? rank[2] ?? ""] ?? "info";
    return finding(text.slice(rank[0].length), place, { ...options, severity });
  }
  const word = WORD.exec(text);
  const named = word === null && NAMED.test(text);
  const severity = severityOf(word?.[1]) ?? options.severity ?? (named ? "error" : undefined);
  const first = word === null ? CODE_FIRST.exec(text) : null;
  let message = text.slice((word ?? first)?.[0].length ?? 0).trim();
  // Below a colon the message may follow; a word alone is all that is said.
  if (message === "" && !text.trimEnd().endsWith(":")) message = text.trim();
  let code = options.code ?? word?.[2] ?? word?.[3] ?? word?.[4] ?? first?.[1] ?? first?.[2];
  const last = code === undefined ? CODE_LAST.exec(message) : null;
  if (last !== null) {
    code = last[1] ?? last[2];
    message = message.slice(0, last.index);
  }
  const isComplaint =
    options.trusted === true || place.column !== undefined || code !== undefined || COMPLAINT.test(message);
  if (severity === undefined && (!isComplaint || message.length < 4)) return undefined;
  return {
    found: {
      // JSHint, which has it last, fails for each of them.
      severity: severity ?? (last === null && /^W\d/.test(code ?? "") ? "warning" : "error"),
      ...place,
      ...(code === undefined ? {} : { code }),
      message,
    },
    sure: severity !== undefined,
  };
}
