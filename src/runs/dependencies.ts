import type { Executor } from "./record/active-run.ts";
import type { RemoteRuns } from "./record/remote.ts";
import type { RunScope } from "./record/run-records.ts";
import type { RunStore } from "./record/store.ts";
import type { Supervision } from "./record/supervised-run.ts";
import type { RunSettings } from "./plan/request.ts";

/** What runs need: settings, a store for their records, and what executes them. */
export interface RunDependencies {
  readonly settings: RunSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  openStore(): Promise<RunStore>;
  readonly execute: Executor;
  /** Starts supervisor processes, with which runs continue when this process exits; absent if that is not possible. */
  readonly supervision?: Supervision;
  /** Which runs this service may show and stop; absent for all. */
  readonly scope?: RunScope;
  /** Opens the pool (worker machines that run commands), if one is configured; every call returns the same object. */
  openRemote?(): Promise<RemoteRuns>;
}
