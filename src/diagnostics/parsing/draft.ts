import type { RelatedPlace } from "../../model/diagnostic.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import type { Found, Sink } from "../tool.ts";

/** A diagnostic whose lines are still being read. */
export interface Draft {
  found: Omit<Found, "message" | "related" | "help">;
  readonly message: string[];
  readonly related: RelatedPlace[];
  readonly help: string[];
}

/** The diagnostic that a parser is currently reading. */
export interface Drafting {
  readonly current: Draft | undefined;
  /** Reports the diagnostic that is being read, if any, and starts a new one. */
  open(found: Draft["found"], ...message: string[]): Draft;
  /** Reports the diagnostic that is being read, if any. */
  close(): void;
}

/**
 * Helps parsers read diagnostics of several lines: the parser opens one at its first line, appends to `current`, and
 * closes it where it ends.
 */
export function drafting(sink: Sink): Drafting {
  let current: Draft | undefined;
  function close(): void {
    if (current === undefined) return;
    const { found, message, related, help } = current;
    current = undefined;
    sink.diagnostic({
      ...found,
      message: trimmedText(message),
      ...(related.length > 0 ? { related } : {}),
      ...(help.length > 0 ? { help } : {}),
    });
  }
  return {
    get current() {
      return current;
    },
    open(found, ...message) {
      close();
      current = { found, message, related: [], help: [] };
      return current;
    },
    close,
  };
}

/** Upper bound on the lines of a failed test's message; anything beyond it is other output. */
export const MAX_MESSAGE_LINES = 400;

/** A failed test whose lines are still being read. */
export interface FailureDraft {
  name: string;
  kind: TestFailure["kind"];
  file?: string;
  line?: number;
  column?: number;
  expected?: string;
  received?: string;
  rerun?: string;
  readonly message: string[];
}

/** Turns a draft into a failed test. */
export function finishedFailure(draft: FailureDraft): TestFailure {
  return { ...draft, message: trimmedText(draft.message) };
}

/** Joins lines into one text, without blank lines at the start and end and without trailing blanks. */
export function trimmedText(lines: readonly string[]): string {
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from]?.trim() === "") from++;
  while (to > from && lines[to - 1]?.trim() === "") to--;
  return lines
    .slice(from, to)
    .map((line) => line.trimEnd())
    .join("\n");
}
