import type { Budget } from "../kernel/budget.ts";
import type { Masked } from "../model/masked.ts";
import type { Reader } from "./reader/reader.ts";

export type Format = "text" | "json" | "markdown";

/** How a reply is to be written. */
export interface View {
  readonly format: Format;
  readonly budget: Budget;
  /** Absent: a caller over MCP who has every tool. */
  readonly reader?: Reader;
}

/** A reply as an agent reads it, and the facts beside it that a program may want. */
export interface Rendered {
  readonly text: string;
  /** In a shell: what is said beside the text, on stderr, so that programs read the text alone. */
  readonly aside?: string;
  /** Goes into the result's `_meta.pith`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The secrets that are masked in what is shown; the note on them is added to every reply in one place. */
  readonly masked?: Masked | undefined;
  /** Where they are masked, if not only in what is shown. */
  readonly maskedIn?: "log";
}
