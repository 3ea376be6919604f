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
  /** The caller has left without giving up: the run goes on. */
  readonly gone: AbortSignal;
}

/** How often a waiting caller hears of progress; the sender decides what goes out. */
const PROGRESS_MS = 500;

/** Waits until the run has ended, the answer time is over, or the caller is gone; a caller that gives up ends the run. */
export async function waitForRun(active: ActiveRun, options: WaitOptions): Promise<void> {
  const { signal, gone } = options;
  const onAbort = (): void => {
    if (!gone.aborted) active.stop();
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const tell = teller(active, options);
  const ticker = setInterval(() => void tell(), PROGRESS_MS);
  try {
    await waitAtMost(options.answerMs, active.done, { signal: gone });
    if (signal?.aborted && !gone.aborted) await active.done;
  } finally {
    clearInterval(ticker);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Tells of a run's progress when called, one word at a time: the next waits for no slow disk. */
function teller(active: ActiveRun, { progress, isTest, logs }: WaitOptions): () => Promise<void> {
  const tests = new TestProgress(isTest);
  let busy = false;
  return async () => {
    if (busy || progress === undefined) return;
    busy = true;
    const message = await progressOf(active, logs, tests).catch(() => undefined);
    busy = false;
    // A log that was just removed has nothing to tell.
    if (message !== undefined) progress(message);
  };
}
