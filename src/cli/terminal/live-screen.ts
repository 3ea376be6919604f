import { setTimeout as delay } from "node:timers/promises";
import type { Io } from "../io.ts";

const ENTER = "\u001B[?1049h\u001B[?25l";
const LEAVE = "\u001B[?25h\u001B[?1049l";
const HOME = "\u001B[H";
const REST_OF_LINE = "\u001B[K";
const REST_OF_SCREEN = "\u001B[J";

/** How often the text is made anew. */
const REFRESH_MS = 500;

/**
 * Shows rows that change until the signal comes. They have a screen of their own, because rows that a terminal has wrapped
 * or scrolled away, as it does when it is resized, cannot be drawn over. The last rows stay on the usual screen.
 */
export async function showLive(
  rows: () => Promise<readonly string[]>,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): Promise<void> {
  const leave = (): void => io.out(LEAVE);
  // The process may be ended before this function is.
  process.once("exit", leave);
  io.out(ENTER);
  let last: readonly string[] = [];
  try {
    while (!signal.aborted) {
      last = await rows();
      const lines = last.slice(0, Math.max(1, io.height - 1)).map((row) => row + REST_OF_LINE);
      io.out(`${HOME}${lines.join("\r\n")}${REST_OF_SCREEN}`);
      await delay(REFRESH_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    process.off("exit", leave);
    leave();
    io.out(`${last.join("\n")}\n`);
  }
}
