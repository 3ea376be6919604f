import type { PreparedEnvironment } from "./run.ts";

/** Copying what is installed already is fast, unless the machine is busy; then it explains where the time went. */
const MIN_SHOWN_COPY_MS = 2_000;

/** Says what was installed for a job, or copied if that took long: `prepared npm 36 s`. Empty if nothing is worth saying. */
export function describePreparation(prepared: readonly PreparedEnvironment[] = []): string {
  const made = prepared.filter(({ outcome }) => outcome === "made");
  const copied = prepared.filter(({ outcome, ms }) => outcome === "hit" && ms >= MIN_SHOWN_COPY_MS);
  return [
    ...(made.length > 0 ? [`prepared ${made.map(withTime).join(", ")}`] : []),
    ...(copied.length > 0 ? [`copied ${copied.map(withTime).join(", ")}`] : []),
  ].join(", ");
}

function withTime({ name, ms }: PreparedEnvironment): string {
  return `${name} ${shownSeconds(ms)} s`;
}

/** Writes a duration in seconds, with tenths below ten. */
export function shownSeconds(ms: number): number {
  const seconds = ms / 1000;
  return seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
}
