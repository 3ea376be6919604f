/** A duration as people say it: 840 ms, 12.3 s, 4 min 05 s. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(ms / 1_000) % 60).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** A time as its distance from now, or as a date if it is long ago. */
export function ago(time: number, now = Date.now()): string {
  const seconds = Math.round((now - time) / 1_000);
  if (seconds < 5) return "now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ago`;
  return minute(new Date(time).toISOString());
}

/** An ISO time up to its minute. */
export function minute(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let size = count;
  let unit = 0;
  while (size >= 1_000 && unit < units.length - 1) {
    size /= 1_000;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function number(value: number): string {
  // Zero may be negative here.
  return (value === 0 ? 0 : value).toLocaleString("en-US");
}

export function plural(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The last part of a path, which is what people call a workspace. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}
