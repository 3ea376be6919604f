/**
 * Whether a time is over that began with the call. It counts only while this process works: on a busy machine a small text
 * can wait for seconds, and giving it up would lose its symbols for as long as it stays the same.
 */
export function startDeadline(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds;
  const begun = process.cpuUsage();
  return () => performance.now() > end && workedSince(begun) > milliseconds;
}

function workedSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
