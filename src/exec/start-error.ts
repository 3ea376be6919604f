import { statSync } from "node:fs";
import { resolve } from "node:path";
import { errnoOf } from "../kernel/errors.ts";
import { readFileStart } from "../kernel/files/small-file.ts";
import type { RunEnd } from "../model/run.ts";

/** The number of bytes that the kernel reads of a script's first line, at most. */
const FIRST_LINE_BYTES = 256;

/** Explains why a command did not start and what to do about it. */
export function startError(program: string, cwd: string, error: Error): RunEnd {
  const errno = errnoOf(error);
  if (errno === "ENOENT") return describeMissing(program, cwd);
  if (errno === "EACCES" || errno === "ENOEXEC")
    return { cause: "not_executable", detail: `${program} is not executable` };
  if (errno === "ETXTBSY")
    return { cause: "spawn_failed", detail: `${program} is open for writing in another process` };
  if (errno === "E2BIG")
    return { cause: "spawn_failed", detail: "its arguments are longer than the system allows" };
  return { cause: "spawn_failed", detail: error.message };
}

/** ENOENT may mean a missing program, a missing interpreter of a script or a missing folder. */
function describeMissing(program: string, cwd: string): RunEnd {
  if (statSync(cwd, { throwIfNoEntry: false }) === undefined)
    return { cause: "spawn_failed", detail: `the folder ${cwd} was removed` };
  const first = /[\\/]/.test(program) ? readFirstLine(resolve(cwd, program)) : undefined;
  if (first === undefined)
    return { cause: "not_found", detail: `${program} is not installed or not on PATH` };
  const interpreter = /^#!\s*(\S+)/.exec(first)?.[1];
  return {
    cause: "not_executable",
    detail: `${program} needs ${interpreter ?? "a loader"}, which is not there`,
  };
}

/** Reads the first line of a file; undefined if it cannot be read. */
function readFirstLine(path: string): string | undefined {
  return readFileStart(path, FIRST_LINE_BYTES)?.toString("latin1").split("\n", 1)[0];
}
