import { setTimeout as delay } from "node:timers/promises";
import type { LogSource, LogStream } from "../exec/log-source.ts";
import { PithError } from "../kernel/errors.ts";
import type { LogSlice } from "../model/run-report.ts";
import { runProgress } from "./progress.ts";
import { searchLog } from "./log-search.ts";
import { shownLine } from "./shown-line.ts";
import type { StoredRun } from "./store.ts";

export interface LogQuery {
  readonly runId: string;
  readonly stream: LogStream;
  /** 1-based; negative counts from the end: -50 is the last fifty lines. With `grep`, the first line looked at. */
  readonly startLine: number;
  readonly lineCount: number;
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
/** Who asks for one line wants it whole, as far as any reply could hold it. */
const WHOLE_LINE = 30_000;

/** The lines that were asked for. */
export async function readLog(query: LogQuery, { run, open }: LogState): Promise<LogSlice> {
  const reader = await open();
  if (reader === undefined) throw notHere(run);
  try {
    const totals = await reader.totals();
    const { stream } = query;
    const totalLines =
      stream === "both" ? totals.lines : stream === "stdout" ? totals.stdoutLines : totals.stderrLines;
    const startLine = query.startLine < 0 ? Math.max(1, totalLines + query.startLine + 1) : query.startLine;
    const facts = { run, stream, totalLines, reader, startLine };
    return query.grep === undefined
      ? await readRange(facts, query.lineCount)
      : await readMatches(facts, { ...query, grep: query.grep });
  } finally {
    await reader.close();
  }
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
    const { stream, grep: pattern, signal } = query;
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

async function readRange(facts: Facts, count: number): Promise<LogSlice> {
  const { reader, startLine, stream, totalLines, run } = facts;
  const raw = await reader.lines({
    stream,
    from: startLine,
    count,
    maxLineBytes: count === 1 ? WHOLE_LINE : 4_096,
  });
  const lines = raw.map((line) => shownLine(line, count === 1 ? WHOLE_LINE : undefined));
  const endLine = startLine + lines.length - 1;
  return { run, stream, lines, startLine, endLine, totalLines, hasMore: endLine < totalLines };
}

async function readMatches(facts: Facts, query: LogQuery & { readonly grep: string }): Promise<LogSlice> {
  const { reader, startLine, stream, totalLines, run } = facts;
  const { grep: pattern, signal, lineCount: count } = query;
  const search = {
    pattern,
    stream,
    from: startLine,
    skip: 0,
    count,
    ...(signal === undefined ? {} : { signal }),
  };
  const { numbers, total } = await searchLog(reader, search);
  const lines = [];
  for (const from of numbers) lines.push(...(await reader.lines({ stream, from, count: 1 })));
  const hasMore = total > numbers.length;
  // What lies behind the last match shown has to be looked at again; without more matches all was looked at.
  const endLine = hasMore ? (numbers.at(-1) ?? startLine - 1) : totalLines;
  return {
    run,
    stream,
    lines: lines.map((line) => shownLine(line)),
    startLine,
    endLine,
    totalLines,
    hasMore,
    matches: total,
    grep: pattern,
  };
}
