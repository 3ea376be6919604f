import type { Budget } from "../kernel/budget.ts";
import type { Masked } from "../model/masked.ts";
import type { Reader } from "./reader/reader.ts";

export type Format = "text" | "json" | "markdown";

/** The format, size and reader that a reply is written for. */
export interface View {
  readonly format: Format;
  readonly budget: Budget;
  /** Defaults to a caller over MCP who has every tool. */
  readonly reader?: Reader;
}

/** A reply as an agent reads it, with facts for programs. */
export interface Rendered {
  readonly text: string;
  /** The object of a JSON reply. It is kept so that a field can be added without parsing the text. */
  readonly json?: object;
  /** A note that a shell command prints on stderr, so that programs read the text alone. */
  readonly stderrNote?: string;
  /** Facts that go into the `_meta.pith` of the result. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The secrets that are masked in the text. The pipeline adds the note on them to every reply. */
  readonly masked?: Masked | undefined;
  /** Set where `masked` counts the secrets of the whole log and not only of the shown lines. */
  readonly maskedIn?: "log";
}

/** A reply in JSON. */
export function jsonReply(json: object, facts: Omit<Rendered, "text" | "json"> = {}): Rendered {
  return { ...facts, text: JSON.stringify(json), json };
}
