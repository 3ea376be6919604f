/** Only this many leading characters of a line are compared. */
const MAX_COMPARED_CHARACTERS = 500;

/** Returns the line with its numbers masked. Lines of equal shape count as repetitions of each other. */
export function shapeOf(line: string): string {
  return line.slice(0, MAX_COMPARED_CHARACTERS).replaceAll(/\d+/g, "0");
}
