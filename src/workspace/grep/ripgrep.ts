import { availableParallelism } from "node:os";
import { runProcess } from "../../exec/run-process.ts";
import { PithError } from "../../kernel/errors.ts";
import {
  findHarmfulRuleFile,
  HarmfulRuleFileError,
  RULE_FILES,
  withRuleFileWatch,
} from "../files/rule-files.ts";

/** Runs the first ripgrep program that starts; undefined if none is installed. */
export async function runRipgrep(
  args: readonly string[],
  options: RipgrepOptions,
): Promise<RipgrepEnding | undefined> {
  for (const program of options.programs ?? (await ripgrepPrograms())) {
    try {
      const ran = await runWatched([program, "--no-config", "--color=never", ...args], options);
      // The shell that sets the limits of ripgrep exits with these codes if there is no such program.
      if (ran.exitCode !== 126 && ran.exitCode !== 127) return ran;
    } catch (error) {
      if (error instanceof PithError && error.code === "timed_out") throw tooSlow(error);
      if (!(error instanceof PithError && error.code === "spawn_failed")) throw error;
      const { errno } = error.data;
      if (errno !== "ENOENT" && errno !== "EACCES") throw error;
    }
  }
  return undefined;
}

export interface RipgrepOptions {
  readonly cwd: string;
  /** Ripgrep programs that are tried in order; by default the one installed with Pith, then the one on PATH. */
  readonly programs?: readonly string[] | undefined;
  /** Text that is searched instead of files. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** Receives the output of ripgrep in chunks; returning false ends the search. */
  readonly onChunk: (chunk: Buffer) => boolean;
  readonly signal?: AbortSignal | undefined;
}

interface RipgrepEnding {
  readonly exitCode: number | undefined;
  readonly ending: "exit" | "stopped" | "output_limit";
  readonly stderr: string;
}

/** Time limit of a search, which is shorter than the time for which clients wait for an answer. */
const TIMEOUT_MS = 40_000;
const LIMITS = {
  memoryBytes: 2 * 1024 ** 3,
  cpuSeconds: (TIMEOUT_MS / 1000) * availableParallelism(),
};

async function runWatched(argv: readonly [string, ...string[]], options: RipgrepOptions) {
  const { cwd, input, onChunk, signal } = options;
  const limits = { limits: LIMITS, timeoutMs: TIMEOUT_MS, maxBytes: Number.MAX_SAFE_INTEGER };
  if (input !== undefined)
    return runProcess(argv, { cwd, ...limits, onChunk, input, ...(signal && { signal }) });
  const watch = { root: cwd, names: RULE_FILES.ripgrep, signal };
  const ran = await withRuleFileWatch(watch, (signal) =>
    runProcess(argv, { cwd, isRealCwd: true, ...limits, onChunk, signal }),
  );
  if (ran.ending === "exit" && ran.exitCode === undefined) await explainKilled(cwd, ran.stderr);
  return ran;
}

/** Throws the reason why a signal ended ripgrep, which is usually that it had no memory left. */
async function explainKilled(cwd: string, stderr: string): Promise<never> {
  const found = await findHarmfulRuleFile(cwd, RULE_FILES.ripgrep);
  if (found !== undefined) throw new HarmfulRuleFileError(found);
  const why = /memory allocation/.test(stderr)
    ? `needed more than ${LIMITS.memoryBytes / 1024 ** 3} GB of memory`
    : "was killed";
  throw new PithError("output_limit", `The search ${why}`, { suggestion: "Narrow it with path or glob." });
}

let known: Promise<readonly string[]> | undefined;

function ripgrepPrograms(): Promise<readonly string[]> {
  known ??= import("@vscode/ripgrep").then(
    ({ rgPath }) => [rgPath, "rg"],
    // Only the ripgrep on PATH remains if the one of the package, an optional dependency, is missing on this platform.
    () => ["rg"],
  );
  return known;
}

function tooSlow(cause: PithError): PithError {
  return new PithError(
    "timed_out",
    `The search did not end within ${TIMEOUT_MS / 1000} s`,
    { suggestion: "Narrow it with path or glob.", timeout_ms: TIMEOUT_MS },
    { cause },
  );
}
