import type { PreparedEnvironment } from "./run.ts";

/** Copying what is installed already is fast, unless the machine is busy; then it explains where the time went. */
const MIN_SHOWN_MS = 2_000;

/**
 * Says what was installed for a job, and what took long to copy or was awaited because another job installed it:
 * `prepared npm 36 s`. Empty if nothing is worth saying.
 */
export function describePreparation(prepared: readonly PreparedEnvironment[] = []): string {
  const made = prepared.filter(({ outcome }) => outcome === "made");
  const hits = prepared.filter(({ outcome }) => outcome === "hit");
  const awaited = hits.map(({ name, waitedMs = 0 }) => ({ name, ms: waitedMs })).filter(isLong);
  const copied = hits.map(({ name, ms, waitedMs = 0 }) => ({ name, ms: ms - waitedMs })).filter(isLong);
  return [
    ...(made.length > 0 ? [`prepared ${made.map(withTime).join(", ")}`] : []),
    ...awaited.map(({ name, ms }) => `waited ${shownSeconds(ms)} s for another job to prepare ${name}`),
    ...(copied.length > 0 ? [`copied ${copied.map(withTime).join(", ")}`] : []),
  ].join(", ");
}

type Timed = Pick<PreparedEnvironment, "name" | "ms">;

function isLong({ ms }: Timed): boolean {
  return ms >= MIN_SHOWN_MS;
}

function withTime({ name, ms }: Timed): string {
  return `${name} ${shownSeconds(ms)} s`;
}

/** Writes a duration in seconds, with tenths below ten. */
export function shownSeconds(ms: number): number {
  const seconds = ms / 1000;
  return seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
}
