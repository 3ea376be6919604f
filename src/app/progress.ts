import { setInterval } from "node:timers";

/** The shortest interval between two progress updates; more frequent ones would flood a client. */
const MIN_INTERVAL_MS = 500;
/** The longest time without a progress update; a client that receives nothing for longer may time out. */
const MAX_INTERVAL_MS = 10_000;

export interface ProgressUpdate {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/**
 * Sends progress updates to a client at a limited rate, and a sign of life while nothing is reported, until it is
 * stopped.
 */
export function startProgress(send: (update: ProgressUpdate) => void): {
  report(message: string, done?: number, total?: number): void;
  stop(): void;
} {
  const started = Date.now();
  let last = 0;
  let steps = 0;
  let latest = "working";
  let stopped = false;
  const emit = (message: string, done?: number, total?: number): void => {
    last = Date.now();
    // The MCP protocol requires progress numbers that only grow.
    steps = Math.max(steps + 1, done ?? 0);
    send({
      progress: steps,
      message,
      ...(total === undefined ? {} : { total: Math.max(total, steps) }),
    });
  };
  const heartbeat = setInterval(() => {
    if (Date.now() - last < MAX_INTERVAL_MS - MIN_INTERVAL_MS) return;
    emit(`${latest} (${Math.round((Date.now() - started) / 1000)} s)`);
  }, MAX_INTERVAL_MS / 2);
  heartbeat.unref();
  return {
    report(message, done, total) {
      latest = message;
      if (!stopped && Date.now() - last >= MIN_INTERVAL_MS) emit(latest, done, total);
    },
    stop() {
      stopped = true;
      clearInterval(heartbeat);
    },
  };
}
