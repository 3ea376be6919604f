import { setTimeout as delay } from "node:timers/promises";
import type { Services } from "../../app/services.ts";
import type { RawLine } from "../../logs/log-source.ts";
import { endOf } from "../../render/run/run-head.ts";
import { type Io, paint, quote } from "../io.ts";

const POLL_MS = 250;
const LINES_PER_READ = 500;
/** The longest part of a line that is printed. */
const MAX_LINE_BYTES = 16_384;
/** Lines of the log before now that are shown first. */
const FIRST_LINES = 20;

/** Prints the lines of a run's log as they are written, until the run ends. Returns false if it was interrupted. */
export async function followLog(
  id: string,
  stream: "both" | "stdout" | "stderr",
  { io, services, signal }: { readonly io: Io; readonly services: Services; readonly signal: AbortSignal },
): Promise<boolean> {
  const runs = await services.runs();
  let next: number | undefined;
  for (;;) {
    // The state is read before the log, so that no line is missed that was written before the end.
    const { run } = await runs.log({ runId: id, stream, startLine: 1, lineCount: 1 });
    const log = await runs.openLog(id);
    try {
      const totals = await log.totals();
      const total = stream === "both" ? totals.lines : totals[`${stream}Lines`];
      next ??= Math.max(1, total - FIRST_LINES + 1);
      // The last line may be incomplete while the run goes on.
      const last = run.end === undefined ? total - 1 : total;
      while (next <= last) {
        const count = Math.min(LINES_PER_READ, last - next + 1);
        const lines = await log.lines({ stream, from: next, count, maxLineBytes: MAX_LINE_BYTES });
        if (lines.length === 0) break;
        io.out(lines.map((line) => shown(line, io)).join(""));
        next += lines.length;
      }
    } finally {
      await log.close();
    }
    if (run.end !== undefined) {
      io.err(`${paint(io, run.end.exitCode === 0 ? "green" : "red", `run ${run.id}: ${endOf(run)}`)}\n`);
      return true;
    }
    if (signal.aborted) {
      // The terminal has printed ^C; the prompt comes on a line of its own.
      if (io.errorTerminal) io.err("\n");
      return false;
    }
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

// oxlint-disable-next-line no-control-regex -- colours are what is kept
const COLOUR = /(\u001B\[[0-9;]*m)/;

/** A line as a terminal may show it: with its colours, and without any sequence that moves the cursor or sets the title. */
function shown({ bytes, stream, hidden }: RawLine, io: Io): string {
  const text = bytes.toString("utf8").replace(/\r$/, "");
  const rest = hidden === 0 ? "" : ` … ${hidden} more bytes`;
  if (!io.terminal) return `${text}${rest}\n`;
  const parts = text.split(COLOUR).map((part, i) => (i % 2 === 1 ? (io.color ? part : "") : quote(io, part)));
  const reset = io.color && parts.length > 1 ? "\u001B[0m" : "";
  return `${stream === "stderr" ? paint(io, "dim", "│ ") : ""}${parts.join("")}${reset}${rest}\n`;
}
