import type { Reading } from "../reading.ts";

/**
 * Ruby has no names in its imports: `require` runs a file, and constants are found by their nesting. So there is nothing
 * to read that the outline does not already contain.
 */
export function readRubyLinks(_reading: Reading): void {
  return;
}
