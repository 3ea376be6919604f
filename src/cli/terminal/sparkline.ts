const LEVELS = "▁▂▃▄▅▆▇█";

/** Draws numbers as a strip of bars, the largest as high as a line. */
export function sparkline(values: readonly number[]): string[] {
  const most = Math.max(...values, 0);
  return values.map((value) => {
    const level = most <= 0 ? 0 : Math.round((Math.max(0, value) / most) * (LEVELS.length - 1));
    return LEVELS[level] ?? "▁";
  });
}
