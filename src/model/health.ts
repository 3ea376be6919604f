import type { IndexHealth } from "./index-report.ts";

/** The data of a health_check reply: the server itself, what it depends on, and the projects it knows. */
export interface Health {
  readonly status: "ready" | "warming" | "indexing" | "error";
  readonly version: string;
  readonly uptime_seconds: number;
  readonly checks: readonly HealthCheck[];
  /** The state of the code index, if the call asked for it. */
  readonly index?: IndexHealth;
}

/** The result of one check; if it failed, the detail says what to do. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
