import { MAX_TOKENS_CEILING } from "../../kernel/budget.ts";
import type { CallArguments } from "../../kernel/calls.ts";
import type { LogName } from "../../model/run.ts";
import { endColumn, type PageLine } from "../files/line-page.ts";
import { EVERY_TOOL, type Reader, spellAgain, spellFor } from "../reader/reader.ts";

/**
 * The calls that show more of a run, wait for it or stop it, in the notation of the reader (an MCP client, a shell or
 * an HTTP client). A call that the reader cannot make is undefined or replaced by words.
 */
export interface RunCalls {
  readonly log: string;
  /** The call that lists every failed test and diagnostic, for a reply that shows only their causes. */
  readonly all: string;
  /** The argument that limits the call `all` to one file or rule, if the reader can make that call. */
  readonly narrow: string | undefined;
  /** The call that shows a range of lines of the log, with line numbers of one output stream or of both together. */
  readonly lines: (from: number | "A", to: number | "B", stream?: LogName) => string;
  /** The call that shows the rest of a line that was cut. */
  readonly restOf: (line: PageLine, stream?: LogName) => string;
  readonly follow: string | undefined;
  readonly stop: string | undefined;
}

/** How long one call waits for a run to end. It is shorter than the timeout of any client. */
const WAIT_MS = 40_000;

/** Writes the calls for a run with the tools that the reader has. */
export function callsOf(runId: string, reader: Reader = EVERY_TOOL): RunCalls {
  const spell = spellFor(reader);
  const build = (action: string, args: CallArguments = {}): string | undefined =>
    spell({ tool: "build", args: { action, runId, ...args } });
  const job = (args: CallArguments = {}): string | undefined =>
    spell({ tool: "get_job_logs", args: { job_id: runId, ...args } });
  const command = (word: string): string | undefined =>
    spell({ tool: "run_command", args: { command: word, job_id: runId } }) ??
    spell({ tool: "bash", args: { command: word, run_id: runId } });
  const log = (args: CallArguments = {}): string =>
    build("log", args) ??
    job(args) ??
    spell({ tool: "read", args: { file_path: `run:${runId}`, ...asFileLines(args) } }) ??
    `the log of run ${runId}`;
  const of = (stream: LogName | undefined): CallArguments => (stream === undefined ? {} : { stream });
  const all = build("log", { verbosity: "normal", max_tokens: MAX_TOKENS_CEILING });
  return {
    log: log(),
    all: all ?? log(),
    narrow: all === undefined ? undefined : spellAgain(reader, { grep: "REGEX" }),
    lines: (from, to, stream) => log({ startLine: from, endLine: to, ...of(stream) }),
    restOf: (line, stream) => log({ startLine: line.number, column: endColumn(line), ...of(stream) }),
    follow: build("log", { wait_ms: WAIT_MS }) ?? job({ wait_ms: WAIT_MS }) ?? command("wait"),
    stop: build("stop") ?? command("stop"),
  };
}

/** Renames line arguments to those of the tool `read`: `startLine` becomes `start_line`. */
function asFileLines({ startLine, endLine, ...args }: CallArguments): CallArguments {
  return {
    ...(startLine === undefined ? {} : { start_line: startLine }),
    ...(endLine === undefined ? {} : { end_line: endLine }),
    ...args,
  };
}

/** Names the calls that wait for a run that has not ended, and that stop it. */
export function describeFollowing({ follow, stop }: RunCalls): string {
  const ways = [follow === undefined ? "" : `follow: ${follow}`, stop === undefined ? "" : `end it: ${stop}`];
  return ways.filter(Boolean).join("; ");
}
