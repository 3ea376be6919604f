export type RunState =
  | "run:init"
  | "run:pith_disabled"
  | "run:pith_starting"
  | "run:pith_running"
  | "run:pith_degraded"
  | "run:shutdown";

/**
 * The states to which an agent's run may move from each state. There is no way back to an earlier state; a new run
 * starts from `run:init`.
 */
export const RUN_TRANSITIONS = {
  "run:init": ["run:pith_disabled", "run:pith_starting"],
  "run:pith_starting": ["run:pith_running", "run:pith_disabled"],
  "run:pith_running": ["run:pith_degraded", "run:shutdown"],
  "run:pith_disabled": ["run:shutdown"],
  "run:pith_degraded": ["run:shutdown"],
  "run:shutdown": [],
} as const satisfies Record<RunState, readonly RunState[]>;

export interface RunEvent {
  /** The event's name, such as `pith.ready` or `pith.degraded`. */
  readonly event: string;
  readonly state: RunState;
  readonly time: string;
  readonly [fact: string]: unknown;
}

/** Holds the state of an agent's run, allows only the transitions in the table, and emits an event for each change. */
export class RunStates {
  readonly #onEvent: (event: RunEvent) => void;
  #state: RunState = "run:init";

  constructor(onEvent: (event: RunEvent) => void) {
    this.#onEvent = onEvent;
  }

  get state(): RunState {
    return this.#state;
  }

  move(to: RunState, event: string, facts: Readonly<Record<string, unknown>> = {}): void {
    const open: readonly RunState[] = RUN_TRANSITIONS[this.#state];
    if (!open.includes(to)) throw new Error(`invalid transition from ${this.#state} to ${to}`);
    this.#state = to;
    this.note(event, facts);
  }

  note(event: string, facts: Readonly<Record<string, unknown>> = {}): void {
    try {
      this.#onEvent({ event, state: this.#state, time: new Date().toISOString(), ...facts });
    } catch {
      // A failing listener must not end the agent's run.
    }
  }
}
