import type { IndexHealth } from "./index-report.ts";

/** What health_check reports: the server itself, what it stands on, and the projects it knows. */
export interface Health {
  readonly status: "ready" | "warming" | "indexing" | "error";
  readonly version: string;
  readonly uptime_seconds: number;
  readonly checks: readonly HealthCheck[];
  /** The code index, where it was asked about. */
  readonly index?: IndexHealth;
}

/** One thing that works or does not; the detail says what to do where it does not. */
export interface HealthCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}
