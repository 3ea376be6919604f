import type { Budget } from "../kernel/budget.ts";
import type { Masked } from "../model/masked.ts";
import type { Reader } from "./reader/reader.ts";

export type Format = "text" | "json" | "markdown";

/** What a reply is written for: a format, a budget of tokens and a reader. */
export interface View {
  readonly format: Format;
  readonly budget: Budget;
  /** Who reads the reply (default: an MCP client that has every tool). */
  readonly reader?: Reader;
}

/** A reply as an agent reads it, with metadata for programs. */
export interface Rendered {
  readonly text: string;
  /** The object of a JSON reply. It is kept so that a field can be added without parsing the text. */
  readonly json?: object;
  /** A note that a shell command prints on stderr, so that programs read the text alone. */
  readonly stderrNote?: string;
  /** Metadata for programs, which goes into the field `_meta.pith` of an MCP result. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The secrets that are masked in the text. A note on them is added to every reply when it is sent. */
  readonly masked?: Masked | undefined;
  /** Set if `masked` counts the secrets of the whole log and not only those on the shown lines. */
  readonly maskedIn?: "log";
}

/** Makes a reply whose text is the given object as JSON. */
export function jsonReply(json: object, facts: Omit<Rendered, "text" | "json"> = {}): Rendered {
  return { ...facts, text: JSON.stringify(json), json };
}
