import { setFlagsFromString } from "node:v8";

/** How much code a function runs before V8 considers optimizing it, in bytes of its instructions: V8's default. */
const DEFAULT_BUDGET = 132 * 1024;
const LATER_BUDGET = 600_000;
/** How much code of other functions V8 copies into a function that it optimizes, in bytes: V8's default. */
const DEFAULT_INLINING = 920;
const LITTLE_INLINING = 300;

/**
 * Makes V8 optimize functions later and with less inlining in all threads, until the returned function is called. It is
 * meant for work that runs much code for a few seconds: optimizing all of it, though on other threads, would take a fifth
 * of the processor time, and would be finished when the work is.
 */
export function optimizeLater(): () => void {
  setLimits(LATER_BUDGET, LITTLE_INLINING);
  return () => setLimits(DEFAULT_BUDGET, DEFAULT_INLINING);
}

function setLimits(budget: number, inlining: number): void {
  setFlagsFromString(`--interrupt-budget=${budget}`);
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlining}`);
}
