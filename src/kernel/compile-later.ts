import { setFlagsFromString } from "node:v8";

/**
 * V8's own measure is 66 KB of bytecode run. With this one, code that runs for a few seconds only is not compiled to its
 * fastest form, which costs more than it saves (measured: 8 % of the first index of 6,000 files).
 */
const PATIENT = 500_000;
const USUAL = 66 * 1_024;

/** Later releases have a compiler in between that costs little, and other flags. */
const isCostly = process.versions.node.startsWith("20.");

let holders = 0;

/** Makes V8, in all threads, wait longer before it optimizes code, until the function that is returned is called. */
export function compileLater(): () => void {
  if (!isCostly) return () => undefined;
  if (holders++ === 0) setFlagsFromString(`--interrupt-budget=${PATIENT}`);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--holders === 0) setFlagsFromString(`--interrupt-budget=${USUAL}`);
  };
}
