import { setFlagsFromString } from "node:v8";

let isBounded = false;

/**
 * Compiles a regular expression from an untrusted source, such as a repository's config or a caller's glob. A V8 flag
 * makes expressions that backtrack too often fall back to the linear engine, which supports everything except
 * look-around and back references. The flag is never reset, because V8 compiles an expression only when it is first
 * used.
 */
export function compileUntrusted(source: string, flags: "" | "s" = ""): RegExp {
  if (!isBounded) setFlagsFromString("--enable-experimental-regexp-engine-on-excessive-backtracks");
  isBounded = true;
  return new RegExp(source, flags);
}
