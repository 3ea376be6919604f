import { setTimeout as delay } from "node:timers/promises";
import type { LogSource, LogStream, RawLine } from "../../logs/log-source.ts";
import { MAX_CHARACTERS } from "../../kernel/budget.ts";
import { PithError } from "../../kernel/errors.ts";
import type { LogLine } from "../../model/run.ts";
import type { LogSlice } from "../../model/run-report.ts";
import { runProgress } from "./progress.ts";
import { searchLog } from "./log-search.ts";
import { shownLine } from "./shown-line.ts";
import type { StoredRun } from "../record/store.ts";

export interface LogQuery {
  readonly runId: string;
  /** `view`: what the filters of the command line printed; without filters the log itself. */
  readonly stream: LogStream | "view";
  /** 1-based; negative counts from the end: -50 is the last fifty lines. With `grep`, the first line looked at. */
  readonly startLine: number;
  /** How many lines, or with `grep` how many matches; by default up to `endLine`, one line with `column`, else 50. */
  readonly lineCount?: number;
  /** The last line looked at. */
  readonly endLine?: number;
  /** The character of the first line to begin with. */
  readonly column?: number;
  readonly grep?: string;
  /** Waits this long for the run to end, or with `grep` for a line that matches. */
  readonly waitMs?: number;
  /** Hears of the run while it is waited for. */
  readonly progress?: (message: string) => void;
  readonly signal?: AbortSignal;
}

/** A run as it is now, and its log. */
export interface LogState {
  readonly run: StoredRun;
  readonly open: () => Promise<LogSource | undefined>;
}

const POLL_MS = 100;
/** A word of progress every half second. */
const TURNS_A_WORD = 5;
const DEFAULT_COUNT = 50;
/** No reply holds more lines than this; a range may have more. */
const MAX_COUNT = 20_000;
/** Bytes that are read of each of several lines. */
const LINE_BYTES = 4_096;
/** UTF-8 has so many bytes per character at most. */
const BYTES_PER_CHARACTER = 4;

/** The lines that were asked for. */
export async function readLog(query: LogQuery, { run, open }: LogState): Promise<LogSlice> {
  const reader = await open();
  if (reader === undefined) throw notHere(run);
  try {
    const totals = await reader.totals();
    const stream = streamOf(query);
    const totalLines =
      stream === "both" ? totals.lines : stream === "stdout" ? totals.stdoutLines : totals.stderrLines;
    const startLine = query.startLine < 0 ? Math.max(1, totalLines + query.startLine + 1) : query.startLine;
    const { endLine } = query;
    if (endLine !== undefined && endLine < startLine)
      throw new PithError("invalid_input", `endLine ${endLine} is before startLine ${startLine}`);
    const facts = { run, stream, totalLines, reader, startLine };
    // A part of one line is asked for by its place, whatever else it was found by.
    const slice =
      query.grep === undefined || query.column !== undefined
        ? await readRange(facts, query)
        : await readMatches(facts, { ...query, grep: query.grep });
    return { ...slice, stream: query.stream };
  } finally {
    await reader.close();
  }
}

/** A view has one order of lines. */
function streamOf({ stream }: LogQuery): LogStream {
  return stream === "view" ? "both" : stream;
}

/** Why there is no log to read. */
export function notHere({ id, host, end }: StoredRun): PithError {
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

/** Returns when the run has ended, a line matches, or the time is over. */
export async function waitForLog(query: LogQuery, state: () => Promise<LogState>): Promise<void> {
  const deadline = Date.now() + (query.waitMs ?? 0);
  let from = query.startLine;
  for (let turn = 0; ; turn++) {
    query.signal?.throwIfAborted();
    const now = await state();
    if (query.grep !== undefined) {
      const seen = await searchFrom(now, { ...query, grep: query.grep }, from);
      if (seen.found) return;
      // The last line may have been unfinished: it is looked at again.
      from = Math.max(1, seen.total);
    }
    const left = deadline - Date.now();
    if (now.run.end !== undefined || left <= 0) return;
    if (turn % TURNS_A_WORD === 0) query.progress?.(await waitingOf(now));
    await delay(
      Math.min(POLL_MS, left),
      undefined,
      query.signal === undefined ? {} : { signal: query.signal },
    );
  }
}

async function waitingOf({ run, open }: LogState): Promise<string> {
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
  // A column alone asks for the rest of its line.
  const isOneLine = query.column !== undefined && query.lineCount === undefined;
  const lastLine = query.endLine ?? (isOneLine ? startLine : undefined);
  const lines = await shownLines(facts, countOf(query, startLine, lastLine), query.column);
  const endLine = startLine + lines.length - 1;
  const wantedEnd = lastLine === undefined ? undefined : Math.min(lastLine, totalLines);
  const hasMore = endLine < (wantedEnd ?? totalLines);
  const wanted = wantedEnd === undefined ? {} : { wantedEnd };
  return { run, stream, lines, startLine, endLine, totalLines, hasMore, ...wanted };
}

function countOf({ lineCount }: LogQuery, startLine: number, lastLine: number | undefined): number {
  const toEnd = lastLine === undefined ? undefined : lastLine - startLine + 1;
  return lineCount === undefined
    ? Math.min(toEnd ?? DEFAULT_COUNT, MAX_COUNT)
    : Math.min(lineCount, toEnd ?? lineCount);
}

/** A line that is asked for alone, or from a column on, is shown as far as any reply could hold it. */
async function shownLines(
  { reader, startLine, stream }: Facts,
  count: number,
  column = 1,
): Promise<LogLine[]> {
  const read = (from: number, lines: number, maxLineBytes: number): Promise<RawLine[]> =>
    reader.lines({ stream, from, count: lines, maxLineBytes });
  if (count > 1 && column === 1)
    return (await read(startLine, count, LINE_BYTES)).map((line) => shownLine(line));
  const [first] = await read(startLine, 1, (column + MAX_CHARACTERS) * BYTES_PER_CHARACTER);
  if (first === undefined) return [];
  const shown = shownLine(first, MAX_CHARACTERS, column);
  if (column > 1 && shown.text === "")
    throw new PithError("invalid_input", `column ${column} is beyond the end of line ${startLine}`);
  const rest = count === 1 ? [] : await read(startLine + 1, count - 1, LINE_BYTES);
  return [shown, ...rest.map((line) => shownLine(line))];
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
  // What lies behind the last match shown has to be looked at again; without more matches all was looked at.
  const lastLine = Math.min(to ?? totalLines, totalLines);
  const endLine = hasMore ? (numbers.at(-1) ?? startLine - 1) : lastLine;
  return {
    run,
    stream,
    lines: lines.map((line) => shownLine(line)),
    startLine,
    endLine,
    totalLines,
    hasMore,
    ...(to === undefined ? {} : { wantedEnd: lastLine }),
    matches: total,
    grep: pattern,
  };
}
