import { setTimeout as delay } from "node:timers/promises";
import { killDetached } from "../../exec/detached-process.ts";
import { markerName, sweepMarked } from "../../exec/sweep.ts";
import type { RunRecords } from "./run-records.ts";
import type { StoredRun } from "./store.ts";

/**
 * How long another process gets to end its run on request: it polls four times a second, and the command has two
 * seconds to exit.
 */
const STOP_GRACE_MS = 5_000;
/**
 * The longest wait for the end of a run that another process executes, including the time to kill its command from
 * here.
 */
const STOP_TIMEOUT_MS = 15_000;
/** When a supervisor that has not ended its run although its command is gone is killed; it is stuck then. */
const KILL_SUPERVISOR_MS = 8_000;
const LOOK_MS = 50;
/** Each sweep reads the environment of every process of the machine. */
const SWEEP_MS = 500;

/**
 * Waits until the process that executes the run has ended it on request, and kills the command if that takes too long.
 * `script` is the program of supervisors.
 */
export async function endForeignRun(
  { id, owner }: StoredRun,
  records: Pick<RunRecords, "find">,
  script: string | undefined,
): Promise<void> {
  const start = Date.now();
  while (Date.now() < start + STOP_TIMEOUT_MS && (await records.find(id)).end === undefined) {
    const isLate = Date.now() > start + STOP_GRACE_MS;
    if (isLate) await sweepMarked(markerName(id));
    if (Date.now() > start + KILL_SUPERVISOR_MS && script !== undefined) await killDetached(owner, script);
    await delay(isLate ? SWEEP_MS : LOOK_MS);
  }
}
