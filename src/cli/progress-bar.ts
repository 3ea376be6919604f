import type { Context } from "./command.ts";

/** Shows the progress of work on many files in one line that is overwritten. */
export interface ProgressBar {
  show(done: number, total: number): void;
  /** Removes the progress line from the terminal. */
  clear(): void;
}

const BAR_WIDTH = 30;

/** Creates a progress bar on stderr if that is a terminal; otherwise nothing is drawn. */
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
