import type { LogFields, Logger, LogLevel } from "../kernel/logger.ts";

export type RequestState = keyof typeof TRANSITIONS;

/** Where a request can go from each state; the states without a way on are its ends. */
export const TRANSITIONS = {
  "req:received": ["req:validating"],
  "req:validating": ["req:executing_tool", "req:invalid_request"],
  "req:executing_tool": ["req:raw_output_ready", "req:tool_error"],
  "req:raw_output_ready": ["req:prune_check"],
  "req:prune_check": ["req:calling_pruner", "req:respond_raw"],
  "req:calling_pruner": ["req:respond_pruned", "req:respond_raw", "req:pruner_error_fallback"],
  "req:pruner_error_fallback": ["req:respond_raw"],
  "req:respond_raw": ["req:responded"],
  "req:respond_pruned": ["req:responded"],
  "req:invalid_request": [],
  "req:tool_error": [],
  "req:responded": [],
  "req:internal_error": [],
} as const satisfies Record<string, readonly string[]>;

/** Follows one request through its states; each step is an event on stderr with the request's id. */
export class RequestTrace {
  readonly #logger: Logger;
  readonly #fields: LogFields;
  readonly tool: string;
  #state: RequestState = "req:received";
  #enteredAt = performance.now();

  constructor(logger: Logger, fields: { readonly tool: string; readonly request_id: string }) {
    this.#logger = logger;
    this.#fields = fields;
    this.tool = fields.tool;
  }

  get state(): RequestState {
    return this.#state;
  }

  /** Goes on to a state, if the way is open; an unexpected error may come from anywhere. */
  move(to: RequestState, event: string, fields: LogFields = {}, level: LogLevel = "info"): void {
    const open: readonly string[] = TRANSITIONS[this.#state];
    if (!open.includes(to) && to !== "req:internal_error")
      throw new Error(`no way from ${this.#state} to ${to}`);
    // How long the tool took belongs to whatever came of it.
    const executed = this.#state === "req:executing_tool" ? this.elapsed() : {};
    this.#state = to;
    this.#enteredAt = performance.now();
    this.note(event, { ...executed, ...fields }, level);
  }

  /** How long the request is in its state. */
  elapsed(): { readonly duration_ms: number } {
    return { duration_ms: Math.round(performance.now() - this.#enteredAt) };
  }

  /** An event that does not change the state. */
  note(event: string, fields: LogFields = {}, level: LogLevel = "info"): void {
    this.#logger.event(event, { ...this.#fields, state: this.#state, ...fields }, level);
  }
}
