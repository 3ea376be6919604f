import { waitAtMost } from "../../kernel/with-timeout.ts";
import type { ActiveRun } from "../record/active-run.ts";
import { progressOf } from "./progress.ts";
import type { RunLogs } from "../record/remote.ts";
import type { ExecOptions } from "../plan/request.ts";
import { TestProgress } from "./test-progress.ts";

interface WaitOptions extends Pick<ExecOptions, "progress" | "signal"> {
  readonly answerMs: number;
  readonly isTest: boolean;
  readonly logs: RunLogs;
  /** Aborts when the caller disconnects without cancelling; the run then goes on. */
  readonly gone: AbortSignal;
}

/** The interval of progress messages; the receiver may ignore some of them. */
const PROGRESS_MS = 500;

/**
 * Waits until the run has ended, the answer time is over, or the caller disconnects. If the caller cancels the call,
 * the run is ended.
 */
export async function waitForRun(active: ActiveRun, options: WaitOptions): Promise<void> {
  const { signal, gone } = options;
  const onAbort = (): void => {
    if (!gone.aborted) active.stop();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const tell = createReporter(active, options);
  const ticker = setInterval(() => void tell(), PROGRESS_MS);
  try {
    await waitAtMost(options.answerMs, active.done, { signal: gone });
    if (signal?.aborted && !gone.aborted) await active.done;
  } finally {
    clearInterval(ticker);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Returns a function that sends one progress message, and does nothing while the previous one is still being created. */
function createReporter(active: ActiveRun, { progress, isTest, logs }: WaitOptions): () => Promise<void> {
  const tests = new TestProgress(isTest);
  let busy = false;
  return async () => {
    if (busy || progress === undefined) return;
    busy = true;
    const now = await progressOf(active, logs, tests).catch(() => undefined);
    busy = false;
    // If no message could be made, as after the log was removed, none is sent.
    if (now !== undefined) progress(now.message, now.lacksWorker);
  };
}
