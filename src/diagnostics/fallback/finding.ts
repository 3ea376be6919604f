import type { Place, Severity } from "../../model/diagnostic.ts";
import type { Found } from "../tool.ts";

/** A diagnostic of an unknown tool, and whether its line states the severity explicitly. */
export interface PlacedFinding {
  readonly found: Found;
  readonly isCertain: boolean;
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

/** Returns the severity that a word names, ignoring case; undefined for any other word. */
export function severityOf(word: string | undefined): Severity | undefined {
  return SEVERITIES[word?.toLowerCase() ?? ""];
}

const WORD =
  /^[[(]?(fatal error|internal error|catastrophic error|error|err|fatal|critical|failure|warning|warn|style|note|info|information|hint|notice|remark|suggestion)\b[\])]?(?: ?[[(]([\w:./-]{1,60})[\])](?=[:\s]))?(?:,? ([A-Z]{1,6}-?\d{2,6}|#\d{1,6}(?:-D)?|\d{2,5}|(?<=, )[a-z]\w{2,30}))?(?: ?:| -|(?=[\])\s])|$) *(?:\[([\w:./-]{1,60})\] ?)?/i;
/** Matches a severity that a linter prints as a letter (`E: `) or as a rank (`HIGH: `). */
const RANK = /^(?:([EFWCRIN])|(LOW|MEDIUM|HIGH)): (?=\S)/;
const RANKS: Record<string, Severity> = {
  E: "error",
  F: "error",
  HIGH: "error",
  W: "warning",
  MEDIUM: "warning",
};
/** Matches messages that start with the name of the error, which is part of the message: `SyntaxError: …`, `syntax error: …`. */
const NAMED = /^(?:[A-Z]\w{0,60}Error|(?:syntax|parse|Syntax|Parse|lexical) error)\b/;
/** Matches the rule at the end of many linters' messages: `(no-var)`, `(W030)`, `[-Wunused]`, `[name-defined]`, `[build/include] [4]`. */
const CODE_LAST =
  / [[(](-W[\w=+-]{1,60}|[A-Z]{1,3}\d{3,4}|[a-z][\w-]*[-/+][\w/+-]{1,60}|report[A-Z]\w{1,60})[\])](?: +\[\d\])?$| {2}\[([a-z][\w-]{1,60})\]$/;
const CODE_FIRST = /^(?:([A-Z]{1,6}\d{2,5})\b:?|[[(]([A-Z]{1,3}\d{2,5})[\])]:?) +(?=\S)/;
/** Matches remarks of compilers that do not report a problem. */
const REMARKS =
  /^(?:optimized|missed|required from|required by|in expansion of|in instantiation of|instantiated from)\b/;
/** Matches words that are typical of compilers and linters; the log of an ordinary program mentions its files in other words. */
const PROBLEM_WORDS =
  /\b(?:syntax|parse|unexpected|expected|undefined|undeclared|unused|unknown|missing|invalid|illegal|duplicate|redefined|unterminated|unclosed|unmatched|unbalanced|unresolved|mismatch|end[- ]of[- ](?:line|file|input)|too (?:many|few|long)|deprecated|not (?:defined|declared|used|closed|allowed|a valid)|never (?:used|read|reached)|imported but|cannot be|out of (?:bounds|range)|memory leak|null pointer|dereference[ds]?|overflow|uninitiali[sz]ed|unreachable)\b/i;
/** Matches quoted names, which say nothing about a problem: automake reports `configure.ac:2: installing './missing'`. */
const QUOTED = /(?<![\p{L}\d])(["'`])[^"'`]{1,100}\1/gu;

interface Options {
  /** The severity that the line states before the location. */
  readonly severity?: Severity | undefined;
  readonly code?: string | undefined;
  /** True if the surrounding text shows that this text can only describe a problem. */
  readonly trusted?: boolean;
}

/** Splits a message into its leading code and the rest. */
export function codeFirst(message: string): { readonly code?: string; readonly message: string } {
  const match = CODE_FIRST.exec(message);
  const code = match?.[1] ?? match?.[2];
  return code === undefined ? { message } : { code, message: message.slice(match?.[0].length ?? 0) };
}

/** Reads severity, code and message from the text next to a location; returns undefined if the text may not be a problem at all. */
export function readFinding(text: string, place: Place, options: Options = {}): PlacedFinding | undefined {
  if (REMARKS.test(text) && options.severity === undefined) return undefined;
  const rank = RANK.exec(text);
  if (rank !== null) {
    const severity = RANKS[rank[1] ?? rank[2] ?? ""] ?? "info";
    return readFinding(text.slice(rank[0].length), place, { ...options, severity });
  }
  const word = WORD.exec(text);
  const named = word === null && NAMED.test(text);
  const severity = severityOf(word?.[1]) ?? options.severity ?? (named ? "error" : undefined);
  const first = word === null ? CODE_FIRST.exec(text) : null;
  let message = text.slice((word ?? first)?.[0].length ?? 0).trim();
  // If nothing follows a colon, the message may be on the next line; without a colon, the text itself is the message.
  if (message === "" && !text.trimEnd().endsWith(":")) message = text.trim();
  let code = options.code ?? word?.[2] ?? word?.[3] ?? word?.[4] ?? first?.[1] ?? first?.[2];
  const last = code === undefined ? CODE_LAST.exec(message) : null;
  if (last !== null) {
    code = last[1] ?? last[2];
    message = message.slice(0, last.index).trimEnd();
  }
  const isProblem =
    options.trusted === true ||
    place.column !== undefined ||
    code !== undefined ||
    PROBLEM_WORDS.test(message.replaceAll(QUOTED, " "));
  if (severity === undefined && (!isProblem || message.length < 4)) return undefined;
  return {
    found: {
      // A code such as W033 usually means a warning. JSHint, which prints the code last, is an exception: it fails for
      // warnings too, so they count as errors.
      severity: severity ?? (last === null && /^W\d/.test(code ?? "") ? "warning" : "error"),
      ...place,
      ...(code === undefined ? {} : { code }),
      message,
    },
    isCertain: severity !== undefined,
  };
}
