import type { Waiting } from "../../model/waiting.ts";
import type { StoredRun } from "../../runs/record/store.ts";
import { stateOfRun } from "../../render/run/run-head.ts";
import { durationOf } from "../../render/run/run-outcome.ts";
import { type Io, paint, quote } from "../io.ts";
import { clip } from "./clip.ts";
import { sparkline } from "./sparkline.ts";

/** Runs of the same command in the strip of a row. */
const STRIP_RUNS = 8;
/** From this width on, dates and long outcomes fit. */
const WIDE = 100;
/** Below this width, neither the time nor the strip fits beside the command. */
const NARROW = 72;

/** The list of runs for a terminal: one line each, with a strip of the command's last durations, green or red. */
export function terminalRows(
  runs: readonly StoredRun[],
  waiting: ReadonlyMap<string, Waiting>,
  io: Io,
): string[] {
  const isWide = io.width >= WIDE;
  return runs.map((run) => {
    const time = new Date(run.startedAt)
      .toISOString()
      .slice(isWide ? 0 : 11, 19)
      .replace("T", " ");
    const duration = `${(durationOf(run) / 1000).toFixed(1)} s`.padStart(8);
    const state = clip(stateOfRun(run, waiting.get(run.id)), isWide ? 24 : 14).padEnd(isWide ? 24 : 14);
    const isNarrow = io.width < NARROW;
    const fixed = 8 + state.length + duration.length + 6 + (isNarrow ? 0 : time.length + STRIP_RUNS + 4);
    const where = run.host === undefined ? "" : `${run.host}: `;
    return [
      run.id.padEnd(8),
      ...(isNarrow ? [] : [paint(io, "dim", time)]),
      paint(io, toneOf(run), state),
      duration,
      ...(isNarrow ? [] : [strip(run, runs, io)]),
      clip(quote(io, `${where}${run.command}`), io.width - fixed - 1),
    ].join("  ");
  });
}

function strip(run: StoredRun, runs: readonly StoredRun[], io: Io): string {
  const same = runs.filter(({ key, startedAt }) => key === run.key && startedAt <= run.startedAt);
  const shown = same.slice(0, STRIP_RUNS).toReversed();
  const bars = sparkline(shown.map(durationOf));
  const painted = shown.map((one, i) => paint(io, toneOf(one), bars[i] ?? ""));
  return " ".repeat(STRIP_RUNS - shown.length) + painted.join("");
}

function toneOf({ end }: StoredRun): "green" | "red" | "yellow" | "cyan" {
  if (end === undefined) return "cyan";
  if (end.cause === "cancelled") return "yellow";
  return end.exitCode === 0 ? "green" : "red";
}
