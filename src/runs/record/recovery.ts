import { stat } from "node:fs/promises";
import { logPaths } from "../../logs/log-format.ts";
import { LogReader } from "../../logs/log-reader.ts";
import { processIdentity } from "../../exec/process-identity.ts";
import { markerName, sweepMarked } from "../../exec/sweep.ts";
import type { RunEnd } from "../../model/run.ts";
import { readEndingFile } from "./ending-file.ts";
import { isRemote } from "./remote.ts";
import type { RunEnding, RunOwner, RunStore, StoredRun } from "./store.ts";

const MAX_READ_BYTES = 20_000_000;

let own: Promise<RunOwner> | undefined;

/** The id of this process, by which run records name the process that executes a run. */
export function ownIdentity(): Promise<RunOwner> {
  own ??= processIdentity(process.pid).then((identity) => ({
    pid: process.pid,
    identity: identity ?? String(process.pid),
  }));
  return own;
}

/** Finishes the runs whose Pith process died: marks them as interrupted, parses their logs and ends their commands. */
export async function recoverRuns(store: RunStore): Promise<void> {
  for (const run of await store.running()) await recoverRun(run, store);
}

/** Finishes one run if its Pith process ended without storing its result, and returns its current record. */
export async function recoverRun(
  run: StoredRun,
  store: RunStore,
  known: { readonly ownerIsGone?: boolean } = {},
): Promise<StoredRun> {
  if (run.end !== undefined || isRemote(run)) return run;
  // The process ids in a record are valid only on the machine of the run, so runs of other machines are left alone.
  if (run.host !== undefined) return run;
  const isOwned = (await processIdentity(run.owner.pid)) === run.owner.identity;
  if (isOwned && known.ownerIsGone !== true) return run;
  await sweepMarked(markerName(run.id));
  await store.finish(run.id, readEndingFile(store.logBase(run)) ?? (await endingFromLog(run, store)));
  return (await store.get(run.id)) ?? run;
}

async function endingFromLog(run: StoredRun, store: RunStore): Promise<RunEnding> {
  const base = store.logBase(run);
  const endedAt = await lastWrite(base, run.startedAt);
  const killed = `The Pith process that ran it (${run.owner.pid}) was killed; the log ends there.`;
  // If a stop was requested before the Pith process died, the run counts as cancelled and not as interrupted.
  const end: RunEnd = (await store.stopAsked(run.id))
    ? { cause: "cancelled" }
    : { cause: "interrupted", detail: killed };
  return { endedAt, end, log: run.log, ...(await readLog(run, base)) };
}

/**
 * Parses the log of a run. The result is empty if the log cannot be read, so that one bad log does not prevent the
 * recovery of others.
 */
async function readLog(run: StoredRun, base: string): Promise<Partial<Pick<RunEnding, "log" | "findings">>> {
  let reader: LogReader | undefined;
  try {
    reader = await LogReader.open(base);
    if (reader === undefined) return {};
    const log = await reader.totals();
    // Callers wait while the store opens, so a log that would take seconds to parse is skipped.
    if (log.bytes > MAX_READ_BYTES) return { log };
    const { FindingsReader } = await import("./findings.ts");
    const findings = new FindingsReader({ cwd: run.cwd, expected: [], testsExpected: false });
    for await (const { stream, bytes } of reader.bytes("both", 1)) findings.write(stream, bytes);
    return { log, findings: await findings.end() };
  } catch {
    // The error is not lost: a later request for the log reports it.
    return {};
  } finally {
    await reader?.close();
  }
}

async function lastWrite(base: string, startedAt: number): Promise<number> {
  const { stdout, stderr } = logPaths(base);
  const times = await Promise.all(
    [stdout, stderr].map((path) =>
      stat(path).then(
        (found) => found.mtimeMs,
        // There is no log file if the Pith process died before it created one.
        () => startedAt,
      ),
    ),
  );
  return Math.round(Math.max(startedAt, ...times));
}
