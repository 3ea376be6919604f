import { constants } from "node:os";
import type { Command } from "./command.ts";

/** Signals that interrupt a command. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * How long a command may take to finish after Ctrl-C, by default. It can be short, because stored data is consistent at
 * any moment.
 */
const GRACE_MS = 300;

/** Tells a command that it was interrupted by Ctrl-C or a similar signal. */
export interface Interruption {
  /** A signal that is aborted when the process is interrupted for the first time. */
  readonly signal: AbortSignal;
  /** The exit code that a shell would report for the signal; undefined if none came or the command handles it itself. */
  exitCode(): number | undefined;
  release(): void;
}

/**
 * Handles the signals of the process. The first one aborts the command; if it is still running after a grace period, or a second signal
 * comes, the process exits, unless the command handles this signal itself.
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
