import { setFlagsFromString } from "node:v8";

/** How much code a function runs before V8 considers optimizing it, in bytes of its instructions: V8's default. */
const DEFAULT_BUDGET = 132 * 1024;
const LATER_BUDGET = 600_000;

/**
 * Makes V8 optimize functions later in all threads, until the returned function is called. It is meant for work that
 * runs much code for a few seconds: optimizing all of it, though on other threads, would take a sixth of the processor
 * time, and would be finished when the work is.
 */
export function optimizeLater(): () => void {
  setFlagsFromString(`--interrupt-budget=${LATER_BUDGET}`);
  return () => setFlagsFromString(`--interrupt-budget=${DEFAULT_BUDGET}`);
}
