import { type ErrorCode, isStoreUnavailable, PithError } from "../../kernel/errors.ts";
import type { PreparedRun, RemoteRuns } from "./remote.ts";
import type { RunRequest, RunSettings } from "../plan/request.ts";

/** The decision where to execute a run: in the pool of worker machines if `remote` is set, otherwise locally. */
export interface Prepared {
  readonly remote?: PreparedRun;
  /** Says why a run that was meant for the pool is executed locally. */
  readonly note?: string;
}

interface RemoteDependencies {
  readonly settings: RunSettings;
  readonly signal: AbortSignal | undefined;
}

/** Prepares a request for the pool of worker machines, or returns a note that says why it has to run locally. */
export async function prepareRemote(
  request: RunRequest,
  openPool: () => Promise<RemoteRuns | undefined>,
  { settings, signal }: RemoteDependencies,
): Promise<Prepared> {
  if (request.pool === undefined) return {};
  const { workspace, cwd, plan, env = {}, timeoutMs = settings.timeoutMs } = request;
  const pool = await openPool().catch(describeUnusablePool);
  if (typeof pool === "string") return { note: pool };
  try {
    const remote = await pool?.prepare({
      workspace,
      cwd,
      plan,
      env: { ...settings.addEnvironment, ...env },
      timeoutMs,
      maxOutputBytes: settings.maxOutputBytes,
      reports: settings.reports,
      labels: request.pool.labels,
      ...(request.isForced === true && { isForced: true }),
      // Whoever names a limit does not expect to wait longer for nothing.
      ...(request.timeoutMs === undefined ? {} : { maxWaitMs: request.timeoutMs }),
      ...(request.note && { note: request.note }),
      ...(request.pool.priority && { priority: request.pool.priority }),
      ...(settings.treeTimeoutMs === undefined ? {} : { treeTimeoutMs: settings.treeTimeoutMs }),
      ...(signal === undefined ? {} : { signal }),
    });
    return remote === undefined ? {} : { remote };
  } catch (error) {
    return { note: poolUnavailable(error) };
  }
}

/**
 * The errors with which a database refuses this machine until somebody upgrades it or Pith. Commands run meanwhile, or
 * one upgrade would stop the whole team.
 */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(["index_incompatible", "permission_denied"]);

/** Returns the note for a run on a machine that cannot use the pool at all, and throws any other error. */
function describeUnusablePool(error: unknown): string {
  if (!(error instanceof PithError && REFUSALS.has(error.code))) return poolUnavailable(error);
  return `Pool unavailable; ran locally, in the working tree. ${error.message}. ${error.suggestion}`;
}

/**
 * Returns the note for a run that could not go to the pool because its database is unavailable, and throws any other
 * error.
 */
export function poolUnavailable(error: unknown): string {
  if (!isStoreUnavailable(error)) throw error;
  return `Pool unavailable (${error.message}); ran locally, in the working tree.`;
}
