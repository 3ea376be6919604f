const UNITS = [
  [24 * 60 * 60, "days"],
  [60 * 60, "h"],
  [60, "min"],
] as const;

/** A time in its largest unit of which there are at least two. */
export function timeText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  for (const [size, unit] of UNITS) if (seconds >= size * 2) return `${Math.floor(seconds / size)} ${unit}`;
  return `${seconds} s`;
}
