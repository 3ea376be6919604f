export type RunState =
  | "run:init"
  | "run:pith_disabled"
  | "run:pith_starting"
  | "run:pith_running"
  | "run:pith_degraded"
  | "run:shutdown";

/** Where a run can go from each state. There is no way back: a new run begins anew. */
export const RUN_TRANSITIONS = {
  "run:init": ["run:pith_disabled", "run:pith_starting"],
  "run:pith_starting": ["run:pith_running", "run:pith_disabled"],
  "run:pith_running": ["run:pith_degraded", "run:shutdown"],
  "run:pith_disabled": ["run:shutdown"],
  "run:pith_degraded": ["run:shutdown"],
  "run:shutdown": [],
} as const satisfies Record<RunState, readonly RunState[]>;

export interface RunEvent {
  /** `pith.ready`, `pith.degraded`, … */
  readonly event: string;
  readonly state: RunState;
  readonly time: string;
  readonly [fact: string]: unknown;
}

/** The state of a run, changed only along the table; every change is an event. */
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
    if (!open.includes(to)) throw new Error(`no way from ${this.#state} to ${to}`);
    this.#state = to;
    this.note(event, facts);
  }

  note(event: string, facts: Readonly<Record<string, unknown>> = {}): void {
    try {
      this.#onEvent({ event, state: this.#state, time: new Date().toISOString(), ...facts });
    } catch {
      // A listener's own fault must not end the agent's run.
    }
  }
}
