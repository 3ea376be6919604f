import type { Severity } from "../../model/diagnostic.ts";

/** Severity words that mean the same in most tools, in lower case. */
const COMMON_WORDS: Readonly<Record<string, Severity>> = {
  error: "error",
  err: "error",
  fatal: "error",
  "fatal error": "error",
  warning: "warning",
  warn: "warning",
  info: "info",
  information: "info",
  note: "info",
  hint: "info",
  style: "info",
  suggestion: "info",
};

/** Translates a tool's severity word: by the tool's own table, or as most tools mean it. */
export function severityOf(
  word: string,
  own: Readonly<Record<string, Severity>> | undefined,
): Severity | undefined {
  return own?.[word] ?? COMMON_WORDS[word.toLowerCase()];
}
