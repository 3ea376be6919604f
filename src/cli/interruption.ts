import { constants } from "node:os";
import type { Command } from "./command.ts";

/** What may end a command from outside. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long a command may take to say its last word after Ctrl-C. What is stored is whole at any moment. */
const GRACE_MS = 300;

/** Ctrl-C, or its like, on its way to a command. */
export interface Interruption {
  /** Aborted at the first signal. */
  readonly signal: AbortSignal;
  /** What a shell would tell of the signal that came; undefined where none did, or the command answers for it itself. */
  exitCode(): number | undefined;
  release(): void;
}

/**
 * Takes the signals of the process. The first one aborts the command; if it is still there after a moment, or a second
 * one comes, the process ends at once, unless the command deals with this signal itself.
 */
export function watchSignals({ ownSignals = [], stopMs = GRACE_MS }: Command): Interruption {
  const abort = new AbortController();
  let code: number | undefined;
  const handlers = SIGNALS.map((signal) => {
    const handler = (): void => {
      const isOwn = ownSignals.includes(signal);
      if (code !== undefined && !isOwn) process.exit(code);
      if (!isOwn) {
        const own = (code = 128 + constants.signals[signal]);
        setTimeout(() => process.exit(own), stopMs).unref();
      }
      abort.abort();
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return {
    signal: abort.signal,
    exitCode: () => code,
    release: () => {
      for (const off of handlers) off();
    },
  };
}
