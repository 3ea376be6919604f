import { setInterval } from "node:timers";

/** Clients lose patience without a sign of life, and drown in too many. */
const AT_MOST_EVERY_MS = 500;
const AT_LEAST_EVERY_MS = 10_000;

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Sends progress seldom enough for the client and often enough for its patience, until stopped. */
export function startProgress(send: (update: ProgressUpdate) => void): {
  report(message: string, done?: number, total?: number): void;
  stop(): void;
} {
  const started = Date.now();
  let last = 0;
  let steps = 0;
  let latest = "working";
  let stopped = false;
  const emit = (done?: number, total?: number): void => {
    last = Date.now();
    // The protocol wants numbers that only grow.
    steps = Math.max(steps + 1, done ?? 0);
    send({
      progress: steps,
      message: latest,
      ...(total === undefined ? {} : { total: Math.max(total, steps) }),
    });
  };
  const heartbeat = setInterval(() => {
    if (Date.now() - last < AT_LEAST_EVERY_MS - AT_MOST_EVERY_MS) return;
    latest = latest.replace(/( \(\d+ s\))?$/, ` (${Math.round((Date.now() - started) / 1000)} s)`);
    emit();
  }, AT_LEAST_EVERY_MS / 2);
  heartbeat.unref();
  return {
    report(message, done, total) {
      latest = message;
      if (!stopped && Date.now() - last >= AT_MOST_EVERY_MS) emit(done, total);
    },
    stop() {
      stopped = true;
      clearInterval(heartbeat);
    },
  };
}
