import { isStoreUnavailable } from "../../kernel/errors.ts";
import type { PreparedRun, RemoteRuns } from "./remote.ts";
import type { RunRequest, RunSettings } from "../plan/request.ts";

/** Where a run goes. */
export interface Prepared {
  readonly remote?: PreparedRun;
  /** Why it runs here although it was to go to the pool. */
  readonly note?: string;
}

interface RemoteDependencies {
  readonly settings: RunSettings;
  readonly signal: AbortSignal | undefined;
}

/** Where the request goes: to the pool, or here with a word why not. */
export async function prepareRemote(
  request: RunRequest,
  openPool: () => Promise<RemoteRuns | undefined>,
  { settings, signal }: RemoteDependencies,
): Promise<Prepared> {
  if (request.pool === undefined) return {};
  const { workspace, cwd, plan, env = {}, timeoutMs = settings.timeoutMs } = request;
  try {
    const pool = await openPool();
    const remote = await pool?.prepare({
      workspace,
      cwd,
      plan,
      env: { ...settings.addEnvironment, ...env },
      timeoutMs,
      maxOutputBytes: settings.maxOutputBytes,
      reports: settings.reports,
      labels: request.pool.labels,
      ...(signal === undefined ? {} : { signal }),
    });
    return remote === undefined ? {} : { remote };
  } catch (error) {
    return { note: poolUnavailable(error) };
  }
}

/** What is said of a run that could not go to the pool because the database is away; any other fault is thrown. */
export function poolUnavailable(error: unknown): string {
  if (!isStoreUnavailable(error)) throw error;
  return `The pool is away (${error.message}): it ran here, in the working tree.`;
}
