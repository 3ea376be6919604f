import { runProcess } from "../../exec/run-process.ts";
import { PithError } from "../../kernel/errors.ts";

/** Runs the first ripgrep program that starts; undefined if none is installed. */
export async function runRipgrep(
  args: readonly string[],
  options: RipgrepOptions,
): Promise<RipgrepEnding | undefined> {
  for (const program of options.programs ?? (await ripgrepPrograms())) {
    try {
      return await runProcess([program, "--no-config", "--color=never", ...args], {
        cwd: options.cwd,
        timeoutMs: TIMEOUT_MS,
        maxBytes: Number.MAX_SAFE_INTEGER,
        onChunk: options.onChunk,
        ...(options.input && { input: options.input }),
        ...(options.signal && { signal: options.signal }),
      });
    } catch (error) {
      if (error instanceof PithError && error.code === "timed_out") throw tooSlow(error);
      if (!(error instanceof PithError && error.code === "spawn_failed")) throw error;
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
