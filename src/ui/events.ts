import type { ServerResponse } from "node:http";
import { toPithError } from "../kernel/errors.ts";
import type { LogSource } from "../logs/log-source.ts";
import type { LogTotals } from "../model/run.ts";
import type { UiContext } from "./context.ts";
import { COMMON_HEADERS } from "./respond.ts";
import type { RunRow, UiEvent } from "./wire.ts";

/** How often the stores are polled while a page is open. Other processes write them, and nothing else says that they did. */
const POLL_MS = 700;
/** A comment is sent this often, so that a dead connection is noticed. */
const POLLS_PER_PING = 20;
/** Upper bound on the rows that one message carries. */
const MAX_ROWS = 500;

/** Sends what changes while a page is open, as server-sent events: runs, the growth of one log, and watched calls. */
export async function streamEvents(
  response: ServerResponse,
  context: UiContext,
  followed: string | undefined,
): Promise<void> {
  response.writeHead(200, { ...COMMON_HEADERS, "Content-Type": "text/event-stream; charset=utf-8" });
  const send = (event: UiEvent): void => void response.write(`data: ${JSON.stringify(event)}\n\n`);
  const stopWatching = context.calls.onCall((call) => send({ kind: "call", call }));
  const poll = createPoll(context, followed, send);
  await new Promise<void>((resolve) => {
    let polls = 0;
    let isBusy = false;
    const turn = async (): Promise<void> => {
      if (isBusy) return;
      isBusy = true;
      try {
        if (polls++ % POLLS_PER_PING === 0) response.write(": still here\n\n");
        await poll();
      } catch (error) {
        // The next poll tries again; the page shows the last state until then.
        context.services.logger.event("ui.poll_failed", { message: toPithError(error).message }, "warn");
      }
      isBusy = false;
    };
    const timer = setInterval(() => void turn(), POLL_MS);
    void turn();
    response.once("close", () => {
      clearInterval(timer);
      stopWatching();
      resolve();
    });
  });
}

function createPoll(
  context: UiContext,
  followed: string | undefined,
  send: (event: UiEvent) => void,
): () => Promise<void> {
  const { rows, services } = context;
  const sent = new Map<string, string>();
  let log = "";
  return async () => {
    const listed = await rows.list();
    const changed = listed.filter((row) => sent.get(row.id) !== markOf(row));
    for (const row of changed) sent.set(row.id, markOf(row));
    if (changed.length > 0) send({ kind: "runs", runs: changed.slice(0, MAX_ROWS) });
    void rows
      .summarize(changed.slice(0, MAX_ROWS), (row) => {
        sent.set(row.id, markOf(row));
        send({ kind: "runs", runs: [row] });
      })
      .catch((error: unknown) =>
        services.logger.event("ui.summary_failed", { message: toPithError(error).message }, "warn"),
      );
    if (followed === undefined) return;
    const runs = await services.runs();
    const source = await runs.openLog(followed);
    const totals = await totalsOf(source);
    const isRunning = listed.find(({ id }) => id === followed)?.state === "running";
    const mark = `${totals.lines} ${totals.bytes} ${isRunning}`;
    if (mark === log) return;
    log = mark;
    send({ kind: "log", id: followed, totals, isRunning });
  };
}

async function totalsOf(source: LogSource): Promise<LogTotals> {
  try {
    return await source.totals();
  } finally {
    await source.close();
  }
}

/** What must differ for a row to be sent again. */
function markOf({ state, endedAt, summary }: RunRow): string {
  return `${state} ${endedAt} ${summary?.verdict}`;
}
