import { setTimeout as delay } from "node:timers/promises";
import type { LogSource, LogStream, RawLine } from "../../logs/log-source.ts";
import { MAX_CHARACTERS } from "../../kernel/budget.ts";
import { PithError } from "../../kernel/errors.ts";
import type { LogLine } from "../../model/run.ts";
import type { LogSlice } from "../../model/run-report.ts";
import { runProgress } from "./progress.ts";
import { searchLog } from "./log-search.ts";
import { formatLine } from "./shown-line.ts";
import type { StoredRun } from "../record/store.ts";

export interface LogQuery {
  readonly runId: string;
  /**
   * The stream to read. `view` is what the filters of the command line let through (as in `make | grep error`); without
   * filters it is the whole log.
   */
  readonly stream: LogStream | "view";
  /** The 1-based first line; a negative number counts from the end. With `grep`, the first line that is searched. */
  readonly startLine: number;
  /**
   * The number of lines to read, or of matches with `grep`. Default: up to `endLine`, to the end with a negative
   * `startLine`, one line with `column`, otherwise 50.
   */
  readonly lineCount?: number;
  /** The last line to read or search. */
  readonly endLine?: number;
  /** The column (1-based, in characters) of the first line at which to start. */
  readonly column?: number;
  readonly grep?: string;
  /** How long to wait at most for the run to end, or with `grep` for a matching line. */
  readonly waitMs?: number;
  /** Receives progress messages during the wait. */
  readonly progress?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** The current record of a run, and a function that opens its log. */
export interface LogState {
  readonly run: StoredRun;
  readonly open: () => Promise<LogSource | undefined>;
}

const POLL_MS = 100;
/** How many polls lie between two progress messages, so that there is one message every half second. */
const POLLS_PER_MESSAGE = 5;
const DEFAULT_COUNT = 50;
/** The most lines that a request without `lineCount` reads, even if its range is larger. */
const MAX_COUNT = 20_000;
/** How many bytes of each line are read if several lines are requested. */
const LINE_BYTES = 4_096;
/** The largest number of bytes that UTF-8 needs for a character. */
const BYTES_PER_CHARACTER = 4;

/** Reads the requested lines of a run's log. */
export async function readLog(query: LogQuery, { run, open }: LogState): Promise<LogSlice> {
  const reader = await open();
  if (reader === undefined) throw missingLogError(run);
  try {
    const totals = await reader.totals();
    const stream = streamOf(query);
    const totalLines =
      stream === "both" ? totals.lines : stream === "stdout" ? totals.stdoutLines : totals.stderrLines;
    const startLine = query.startLine < 0 ? Math.max(1, totalLines + query.startLine + 1) : query.startLine;
    const { endLine } = query;
    if (endLine !== undefined && endLine < startLine)
      throw new PithError("invalid_input", `the last line ${endLine} is before the first line ${startLine}`);
    const facts = { run, stream, totalLines, reader, startLine };
    // A request with a column reads the line that it names, even if the request also has a pattern.
    const slice =
      query.grep === undefined || query.column !== undefined
        ? await readRange(facts, query)
        : await readMatches(facts, { ...query, grep: query.grep });
    return { ...slice, stream: query.stream };
  } finally {
    await reader.close();
  }
}

/** The filtered output of a command line does not separate stdout from stderr, so it is read as both. */
function streamOf({ stream }: LogQuery): LogStream {
  return stream === "view" ? "both" : stream;
}

/** Explains why a run has no log to read. */
export function missingLogError({ id, host, end }: StoredRun): PithError {
  if (host !== undefined) {
    const why =
      end === undefined
        ? "it comes here when the run has ended"
        : "not all of it is here yet, or it was removed";
    return new PithError("run_not_found", `The log of run ${id} is on ${host}: ${why}`, {
      suggestion: `Try again in a while, or read it on that machine: pith logs ${id}`,
    });
  }
  return new PithError("run_not_found", `The log of run ${id} is gone: its files were removed`);
}

/** Waits until the run has ended, a line of its log matches, or the waiting time is over. */
export async function waitForLog(query: LogQuery, state: () => Promise<LogState>): Promise<void> {
  const deadline = Date.now() + (query.waitMs ?? 0);
  let from = query.startLine;
  for (let turn = 0; ; turn++) {
    query.signal?.throwIfAborted();
    const now = await state();
    if (query.grep !== undefined) {
      const seen = await searchFrom(now, { ...query, grep: query.grep }, from);
      if (seen.found) return;
      // The last line of the log may have been incomplete, so it is searched again.
      from = Math.max(1, seen.total);
    }
    const left = deadline - Date.now();
    if (now.run.end !== undefined || left <= 0) return;
    if (turn % POLLS_PER_MESSAGE === 0) query.progress?.(await describeWaiting(now));
    await delay(
      Math.min(POLL_MS, left),
      undefined,
      query.signal === undefined ? {} : { signal: query.signal },
    );
  }
}

async function describeWaiting({ run, open }: LogState): Promise<string> {
  const reader = await open();
  const totals = await reader?.totals();
  await reader?.close();
  return runProgress(run, { lines: totals?.lines ?? 0 });
}

async function searchFrom(
  { open }: LogState,
  query: LogQuery & { readonly grep: string },
  from: number,
): Promise<{ readonly found: boolean; readonly total: number }> {
  const reader = await open();
  if (reader === undefined) return { found: false, total: from };
  try {
    const totals = await reader.totals();
    const { grep: pattern, signal } = query;
    const stream = streamOf(query);
    const total =
      stream === "both" ? totals.lines : stream === "stdout" ? totals.stdoutLines : totals.stderrLines;
    if (total < from) return { found: false, total: from };
    const search = { pattern, stream, from: Math.max(1, from), skip: 0, count: 1, stopEarly: true };
    const { numbers } = await searchLog(reader, { ...search, ...(signal === undefined ? {} : { signal }) });
    return { found: numbers.length > 0, total };
  } finally {
    await reader.close();
  }
}

interface Facts {
  readonly run: StoredRun;
  readonly stream: LogStream;
  readonly totalLines: number;
  readonly reader: LogSource;
  readonly startLine: number;
}

async function readRange(facts: Facts, query: LogQuery): Promise<LogSlice> {
  const { startLine, stream, totalLines, run } = facts;
  // A request with a column and without a line count is for the rest of that line.
  const isOneLine = query.column !== undefined && query.lineCount === undefined;
  const lastLine = query.endLine ?? (isOneLine ? startLine : undefined);
  const lines = await shownLines(facts, countOf(query, startLine, lastLine), query.column);
  const endLine = startLine + lines.length - 1;
  const wantedEnd = lastLine === undefined ? undefined : Math.min(lastLine, totalLines);
  const hasMore = endLine < (wantedEnd ?? totalLines);
  const wanted = wantedEnd === undefined ? {} : { wantedEnd };
  const tail = query.startLine < 0 && !hasMore ? { isTail: true } : {};
  return { run, stream, lines, startLine, endLine, totalLines, hasMore, ...wanted, ...tail };
}

function countOf(query: LogQuery, startLine: number, lastLine: number | undefined): number {
  const { lineCount } = query;
  const fromEnd = query.startLine < 0 ? -query.startLine : undefined;
  const toEnd = lastLine === undefined ? fromEnd : lastLine - startLine + 1;
  return lineCount === undefined
    ? Math.min(toEnd ?? DEFAULT_COUNT, MAX_COUNT)
    : Math.min(lineCount, toEnd ?? lineCount);
}

/**
 * Reads lines for display. If only one line is requested or a column is given, the first line is shown up to the
 * largest size of a reply.
 */
async function shownLines(
  { reader, startLine, stream }: Facts,
  count: number,
  column = 1,
): Promise<LogLine[]> {
  const read = (from: number, lines: number, maxLineBytes: number): Promise<RawLine[]> =>
    reader.lines({ stream, from, count: lines, maxLineBytes });
  if (count > 1 && column === 1)
    return (await read(startLine, count, LINE_BYTES)).map((line) => formatLine(line));
  const [first] = await read(startLine, 1, (column + MAX_CHARACTERS) * BYTES_PER_CHARACTER);
  if (first === undefined) return [];
  const shown = formatLine(first, MAX_CHARACTERS, column);
  if (column > 1 && shown.text === "")
    throw new PithError("invalid_input", `column ${column} is beyond the end of line ${startLine}`);
  const rest = count === 1 ? [] : await read(startLine + 1, count - 1, LINE_BYTES);
  return [shown, ...rest.map((line) => formatLine(line))];
}

async function readMatches(facts: Facts, query: LogQuery & { readonly grep: string }): Promise<LogSlice> {
  const { reader, startLine, stream, totalLines, run } = facts;
  const { grep: pattern, signal, lineCount: count = DEFAULT_COUNT, endLine: to } = query;
  const search = {
    pattern,
    stream,
    from: startLine,
    ...(to === undefined ? {} : { to }),
    skip: 0,
    count,
    ...(signal === undefined ? {} : { signal }),
  };
  const { numbers, total } = await searchLog(reader, search);
  const lines = [];
  for (const from of numbers) lines.push(...(await reader.lines({ stream, from, count: 1 })));
  const hasMore = total > numbers.length;
  // If there are more matches, the next search starts after the last one returned; otherwise all lines were searched.
  const lastLine = Math.min(to ?? totalLines, totalLines);
  const endLine = hasMore ? (numbers.at(-1) ?? startLine - 1) : lastLine;
  return {
    run,
    stream,
    lines: lines.map((line) => formatLine(line)),
    startLine,
    endLine,
    totalLines,
    hasMore,
    ...(to === undefined ? {} : { wantedEnd: lastLine }),
    matches: total,
    grep: pattern,
  };
}
