import { isBodyOpener, isCondition } from "./definitions.ts";

/** Not yet known; a real entry is the index of a line. */
const UNKNOWN = -1;

/**
 * Adds to a selection the condition directly above the first line of each run, without which the run would seem to be
 * unconditional. What is above a line is looked up only once, because a selection is completed in every step of the
 * search for the best one.
 */
export function createConditions(lines: readonly string[]): (chosen: Uint8Array) => void {
  const firstRequired = new Int32Array(lines.length).fill(UNKNOWN);
  return (chosen) => {
    for (let line = chosen.length - 1; line > 0; line--) {
      if (chosen[line] !== 1 || chosen[line - 1] === 1) continue;
      let first = firstRequired[line] ?? line;
      if (first === UNKNOWN) {
        first = conditionAbove(lines, line);
        firstRequired[line] = first;
      }
      if (first < line) chosen.fill(1, first, line);
    }
  };
}

/** Returns the index of the condition directly above a line of its body, or of the line itself if there is none. */
function conditionAbove(lines: readonly string[], line: number): number {
  const first = lines[line] ?? "";
  const above = line > 1 && isBodyOpener(lines[line - 1] ?? "") ? line - 2 : line - 1;
  if (!isBodyOpener(first) && !isDeeper(first, lines[above] ?? "")) return line;
  return isCondition(lines[above] ?? "") ? above : line;
}

function isDeeper(line: string, other: string): boolean {
  return line.search(/\S/) > other.search(/\S/);
}
