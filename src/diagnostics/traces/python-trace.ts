import type { Place } from "../../model/diagnostic.ts";

const NATIVE = /^ *File "(.+)", line (\d{1,7})(?:,? in (.+))?$/;
const FOREIGN =
  /^<|[/\\](?:site-packages|dist-packages)[/\\]|[/\\]lib[/\\]python\d(?:\.\d+)?[/\\]|[/\\]Lib[/\\](?!site)[^/\\]+\.py$|[/\\]\.tox[/\\]|[/\\]importlib[/\\]/;

/** Returns whether the file belongs to Python itself or to an installed package. */
export function isForeign(file: string): boolean {
  return FOREIGN.test(file);
}

/** Reads `  File "x.py", line 3, in f`. */
export function nativeFrame(text: string): Place | undefined {
  const match = NATIVE.exec(text);
  return match === null ? undefined : { file: match[1] ?? "", line: Number(match[2]) };
}

/**
 * Returns the innermost frame inside the project, otherwise the innermost frame; a Python trace lists the outermost
 * frame first.
 */
export function projectFrame(frames: readonly Place[]): Place | undefined {
  return frames.findLast((frame) => !isForeign(frame.file)) ?? frames.at(-1);
}
