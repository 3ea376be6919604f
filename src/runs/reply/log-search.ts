import { tmpdir } from "node:os";
import { stripEscapes } from "../../diagnostics/clean/escapes.ts";
import type { LogSource, LogStream } from "../../logs/log-source.ts";
import { PithError } from "../../kernel/errors.ts";
import { runRipgrep } from "../../workspace/grep/ripgrep.ts";

export interface LogSearch {
  readonly pattern: string;
  readonly stream: LogStream;
  /** The first line to search. If `to` is absent, the search goes to the end of the log. */
  readonly from: number;
  readonly to?: number;
  /** How many matches are skipped, and how many are returned after those. */
  readonly skip: number;
  readonly count: number;
  /** True if the search ends at the last requested match; otherwise all matches are counted. */
  readonly stopEarly?: boolean;
  readonly signal?: AbortSignal;
}

export interface LogMatches {
  readonly numbers: readonly number[];
  readonly total: number;
}

/**
 * Finds the numbers of the matching lines with ripgrep. Its regular expressions take linear time for any pattern and
 * are the same as those of the `grep` tool. Its input is the log as it is shown: in order and without escape sequences.
 */
export async function searchLog(reader: LogSource, search: LogSearch): Promise<LogMatches> {
  const numbers: number[] = [];
  let total = 0;
  let rest = "";
  const onChunk = (chunk: Buffer): boolean => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const number = Number.parseInt(line, 10) + search.from - 1;
      if (search.to !== undefined && number > search.to) return false;
      total++;
      if (total > search.skip && numbers.length < search.count) numbers.push(number);
    }
    return search.stopEarly !== true || numbers.length < search.count;
  };
  const input = rememberFailure(cleanBytes(reader, search));
  const ending = await runRipgrep([...OPTIONS, "-e", search.pattern, "-"], {
    cwd: tmpdir(),
    input: input.bytes,
    onChunk,
    signal: search.signal,
  });
  // A log that could not be read to its end must not look like one without matches.
  if (input.failure() !== undefined) throw input.failure();
  if (ending === undefined)
    throw new PithError("spawn_failed", "ripgrep is not installed: logs cannot be searched", {
      suggestion: "Read the log by line numbers.",
    });
  if (ending.stderr !== "") throw patternError(ending.stderr);
  return { numbers, total };
}

/** The options make ripgrep print only line numbers, since the text of a line is read from the log. */
const OPTIONS = ["--line-number", "--text", "--crlf", "--encoding=none", "--max-columns=1"] as const;

async function* cleanBytes(reader: LogSource, search: LogSearch): AsyncGenerator<Buffer> {
  // The log is split at line ends, so that no escape sequence is split between two chunks.
  let rest: Buffer = Buffer.alloc(0);
  for await (const { bytes } of reader.bytes(search.stream, search.from)) {
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = joined.lastIndexOf(10) + 1;
    const whole = end === 0 && joined.length > MAX_HELD ? joined.length : end;
    rest = joined.subarray(whole);
    if (whole > 0) yield stripBytes(joined.subarray(0, whole));
  }
  if (rest.length > 0) yield stripBytes(rest);
}

const MAX_HELD = 1024 * 1024;

/** Passes bytes on, and remembers the error that ended them, which the program that reads them does not see. */
function rememberFailure(source: AsyncIterable<Buffer>): {
  readonly bytes: AsyncGenerator<Buffer>;
  failure(): unknown;
} {
  let failure: unknown;
  const pass = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* source;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return { bytes: pass(), failure: () => failure };
}

function stripBytes(bytes: Buffer): Buffer {
  return bytes.includes(0x1b) ? Buffer.from(stripEscapes(bytes.toString("utf8"))) : bytes;
}

/**
 * Turns ripgrep's message into an error. The last line of the message names the problem; the lines before it show the
 * pattern.
 */
function patternError(stderr: string): PithError {
  const reason = /^error: (.*)$/m.exec(stderr)?.[1] ?? stderr.trim().slice(0, 400);
  return new PithError("invalid_input", `grep is not a valid regular expression: ${reason}`, {
    suggestion: "Escape characters that are meant literally with a backslash.",
  });
}
