/** Lines are compared by this many leading characters only. */
const MAX_COMPARED_CHARACTERS = 500;

/**
 * Returns a log line with its numbers masked, so that lines which differ only in numbers count as repetitions of each
 * other.
 */
export function shapeOf(line: string): string {
  return line.slice(0, MAX_COMPARED_CHARACTERS).replaceAll(/\d+/g, "0");
}
