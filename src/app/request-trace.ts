import type { LogFields, Logger, LogLevel } from "../kernel/logger.ts";

export type RequestState = keyof typeof TRANSITIONS;

/** The allowed transitions between the states of a request. States without transitions are final. */
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

/** Tracks the state of one request. Each transition is logged as an event with the id of the request. */
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

  /** Changes the state. A transition that is not allowed throws, except to the state of an internal error. */
  move(to: RequestState, event: string, fields: LogFields = {}, level: LogLevel = "info"): void {
    const allowed: readonly string[] = TRANSITIONS[this.#state];
    if (!allowed.includes(to) && to !== "req:internal_error")
      throw new Error(`no transition from ${this.#state} to ${to}`);
    // The event that ends the execution of a tool carries its duration.
    const executed = this.#state === "req:executing_tool" ? this.elapsed() : {};
    this.#state = to;
    this.#enteredAt = performance.now();
    this.note(event, { ...executed, ...fields }, level);
  }

  /** The time since the last change of state, as a field for a log event. */
  elapsed(): { readonly duration_ms: number } {
    return { duration_ms: Math.round(performance.now() - this.#enteredAt) };
  }

  /** Logs an event without changing the state. */
  note(event: string, fields: LogFields = {}, level: LogLevel = "info"): void {
    this.#logger.event(event, { ...this.#fields, state: this.#state, ...fields }, level);
  }
}
