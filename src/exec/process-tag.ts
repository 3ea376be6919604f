import { createHash } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { readFileStart } from "../kernel/files/small-file.ts";
import { PRLIMIT } from "./prlimit.ts";
import { readProcStat } from "./proc-stat.ts";
import { programFiles } from "./program-files.ts";
import { runProcess } from "./run-process.ts";

/**
 * A tag is a number that all processes of a run inherit and that none of them drops by accident: the limit on file
 * locks, which Linux has not enforced since version 2.4 but still stores and passes on. It stays when a process clears
 * its environment, leaves its group, session and parents, and closes all its files, as `env -i setsid -f` and daemons do.
 */
const TAG_LINE = /^Max file locks +(\d+) /m;

/** Returns the tag of a marker: above every limit that somebody sets, and exact as a number. */
function tagOf(marker: string): number {
  const digits = createHash("sha256").update(marker).digest("hex").slice(0, 12);
  return 2 ** 48 + Number.parseInt(digits, 16);
}

/** Returns the command that runs an argument list with the tag of a marker. */
export function withTag(
  argv: readonly [string, ...string[]],
  marker: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): readonly [string, ...string[]] {
  // A program that cannot be started is started without a tag, so that the error is about it.
  if (PRLIMIT === undefined || !isStartable(argv[0], cwd, env["PATH"])) return argv;
  return [PRLIMIT, `--locks=${tagOf(marker)}:`, "--", ...argv];
}

/** Returns whether processes can have tags here. It is tried, because some containers refuse to change this limit. */
export function canTag(): Promise<boolean> {
  isSettable ??= trySetting();
  return isSettable;
}

let isSettable: Promise<boolean> | undefined;

async function trySetting(): Promise<boolean> {
  if (PRLIMIT === undefined) return false;
  const { exitCode } = await runProcess([PRLIMIT, `--locks=${tagOf("")}:`]);
  return exitCode === 0;
}

/** Returns whether a process has the tag of a marker and still runs. */
export async function hasTag(pid: string, marker: string): Promise<boolean> {
  const limits = await readFile(`/proc/${pid}/limits`, "latin1").catch(() => {
    // The process has exited.
    return "";
  });
  if (TAG_LINE.exec(limits)?.[1] !== String(tagOf(marker))) return false;
  // A process that has exited keeps its limits, but not its environment, until its parent asks for its exit code. The
  // parent of an orphan is the first process of the machine, which may take its time.
  const [state = "X"] = (await readProcStat(pid)) ?? [];
  return state !== "Z" && state !== "X";
}

function isStartable(program: string, cwd: string, path = ""): boolean {
  const file = programFiles(path).find(program, cwd);
  if (file === undefined) return false;
  try {
    accessSync(file, constants.X_OK);
    const interpreter = /^#!\s*(\S+)/.exec(readFileStart(file, 256)?.toString("latin1") ?? "")?.[1];
    return interpreter === undefined || existsSync(interpreter);
  } catch {
    // It may not be executed, which the attempt to start it reports.
    return false;
  }
}
