import { setFlagsFromString } from "node:v8";

let isBounded = false;

/**
 * Compiles an expression that somebody else wrote: a repository's, or one made from a caller's glob. V8 is told to go over
 * to its linear engine where one steps back too often, so that no expression without look-around and back references
 * takes more than linear time. It stays told, because V8 compiles an expression only when it is first used.
 */
export function compileOutside(source: string, flags: "" | "s" = ""): RegExp {
  if (!isBounded) setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  isBounded = true;
  return new RegExp(source, flags);
}
