/**
 * Whether a time is over that began with the call. It counts only while this process works: on a busy machine a small text
 * can wait for seconds, and giving it up would lose its symbols for as long as it stays the same.
 */
export function startDeadline(milliseconds: number): () => boolean {
  const begun = performance.now();
  const worked = recentWork(begun);
  return () => performance.now() > begun + milliseconds && workOf(process.cpuUsage()) - worked > milliseconds;
}

/** To ask for it takes 20 µs, 2 % of reading a small file; a deadline may be off by this. */
const RECENT_MS = 20;
let recent = { at: -RECENT_MS, work: 0 };

/** Milliseconds that this process has worked, as of a short while ago. */
function recentWork(now: number): number {
  if (now - recent.at >= RECENT_MS) recent = { at: now, work: workOf(process.cpuUsage()) };
  return recent.work;
}

function workOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
