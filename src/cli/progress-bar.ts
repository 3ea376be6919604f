import type { Context } from "./command.ts";

/** Shows the progress of work on many files in one line that is overwritten. */
export interface ProgressBar {
  show(done: number, total: number): void;
  /** Removes the line. */
  clear(): void;
}

const BAR_WIDTH = 30;

/** Draws on stderr if it is a terminal; programs see nothing of it. */
export function createBar({ io, flag }: Pick<Context, "io" | "flag">): ProgressBar {
  if (!io.errorTerminal || flag("json")) return { show: () => undefined, clear: () => undefined };
  let isShown = false;
  return {
    show(done, total) {
      if (total === 0) return;
      isShown = true;
      const filled = Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH));
      io.err(`\r[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${done}/${total} files`);
    },
    clear() {
      if (isShown) io.err("\r\u001B[K");
      isShown = false;
    },
  };
}
