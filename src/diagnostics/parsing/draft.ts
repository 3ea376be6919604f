import type { RelatedPlace } from "../../model/diagnostic.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import type { Found, Sink } from "../tool.ts";

/** A diagnostic whose lines are still coming in. */
export interface Draft {
  found: Omit<Found, "message" | "related" | "help">;
  readonly message: string[];
  readonly related: RelatedPlace[];
  readonly help: string[];
}

/** The one diagnostic that a parser is reading. */
export interface Drafting {
  readonly current: Draft | undefined;
  /** Closes what is open and starts anew. */
  open(found: Draft["found"], ...message: string[]): Draft;
  /** Hands the open diagnostic over, if there is one. */
  close(): void;
}

/** Reads diagnostics that take more than one line: open at the header, add to `current`, close where the block ends. */
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

/** A failure's text that goes on for longer is the output of something else. */
export const MAX_MESSAGE_LINES = 400;

/** A failed test whose lines are still coming in. */
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

/** The failure that the draft has become. */
export function finishedFailure(draft: FailureDraft): TestFailure {
  return { ...draft, message: trimmedText(draft.message) };
}

/** The lines as one text, without blank lines at either end and without blanks at the lines' ends. */
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
