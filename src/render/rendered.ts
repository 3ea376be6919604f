import type { Budget } from "../kernel/budget.ts";
import type { Door } from "./run-calls.ts";

export type Format = "text" | "json" | "markdown";

/** How a reply is to be written. */
export interface View {
  readonly format: Format;
  readonly budget: Budget;
  /** Absent: tools. */
  readonly door?: Door;
}

/** A reply as an agent reads it, and the facts beside it that a program may want. */
export interface Rendered {
  readonly text: string;
  /** Goes into the result's `_meta.pith`. */
  readonly meta?: Readonly<Record<string, unknown>>;
}
