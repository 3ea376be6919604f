/**
 * Starts a timer for parsing and returns a function that tells whether it has expired. Only processor time of this
 * process counts: on a busy machine even a small text may wait for seconds, and giving up would lose the text's symbols
 * until it changes.
 */
export function startCpuDeadline(milliseconds: number): () => boolean {
  const begun = performance.now();
  const worked = recentWork(begun);
  return () => performance.now() > begun + milliseconds && workOf(process.cpuUsage()) - worked > milliseconds;
}

/** Reading the processor time takes 20 µs, 2 % of parsing a small file, so it is cached for this long. */
const RECENT_MS = 20;
let recent = { at: -RECENT_MS, work: 0 };

/** Returns the processor time of this process in milliseconds, possibly from the cache. */
function recentWork(now: number): number {
  if (now - recent.at >= RECENT_MS) recent = { at: now, work: workOf(process.cpuUsage()) };
  return recent.work;
}

function workOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
