import type { RawLine } from "../../logs/log-source.ts";
import type { UiContext } from "../context.ts";
import type { LogRange, LogSearchResult, WireLine } from "../wire.ts";
import type { Handler } from "./handler.ts";

const STREAMS = ["both", "stdout", "stderr"] as const;
const MAX_LINES = 2_000;
/** How much of each line is sent; a longer one is read on its own. */
const LINE_BYTES = 4_096;
const MAX_MATCHES = 1_000;
const MAX_LINE_NUMBER = Number.MAX_SAFE_INTEGER;

/** Reads a range of lines. The log's index finds it, so that the cost does not depend on the size of the log. */
export const log: Handler = async (parameters, context): Promise<LogRange> => {
  const id = parameters.text("id");
  const stream = parameters.choice("stream", STREAMS);
  const from = parameters.whole("from", { fallback: 1, min: 1, max: MAX_LINE_NUMBER });
  const count = parameters.whole("count", { fallback: 200, min: 0, max: MAX_LINES });
  return withLog(context, id, async (source) => {
    const totals = await source.totals();
    const lines = count === 0 ? [] : await source.lines({ stream, from, count, maxLineBytes: LINE_BYTES });
    const { end } = (
      await (await context.services.runs()).log({ runId: id, stream, startLine: 1, lineCount: 1 })
    ).run;
    return { totals, lines: lines.map(wireLine), isRunning: end === undefined };
  });
};

type Source = Awaited<ReturnType<Awaited<ReturnType<UiContext["services"]["runs"]>>["openLog"]>>;

async function withLog<T>(
  { services }: UiContext,
  id: string,
  read: (source: Source) => Promise<T>,
): Promise<T> {
  const source = await (await services.runs()).openLog(id);
  try {
    return await read(source);
  } finally {
    await source.close();
  }
}

function wireLine({ number, stream, bytes, hidden }: RawLine): WireLine {
  return { number, stream, text: bytes.toString("utf8"), ...(hidden === 0 ? {} : { hidden }) };
}

/** Finds matching lines from a place on; the search ends at the last match that is sent. */
export const searchLog: Handler = async (parameters, { services }, signal): Promise<LogSearchResult> => {
  const count = parameters.whole("count", { fallback: MAX_MATCHES, min: 1, max: MAX_MATCHES });
  const { numbers } = await (
    await services.runs()
  ).search({
    id: parameters.text("id"),
    pattern: parameters.text("pattern"),
    stream: parameters.choice("stream", STREAMS),
    from: parameters.whole("from", { fallback: 1, min: 1, max: MAX_LINE_NUMBER }),
    skip: 0,
    count: count + 1,
    stopEarly: true,
    signal,
  });
  return { numbers: numbers.slice(0, count), hasMore: numbers.length > count };
};

/** Reads more of one long line, from a column on. */
export const line: Handler = async (parameters, { services }) => {
  const { lines } = await (
    await services.runs()
  ).log({
    runId: parameters.text("id"),
    stream: parameters.choice("stream", STREAMS),
    startLine: parameters.whole("line", { fallback: 1, min: 1, max: MAX_LINE_NUMBER }),
    column: parameters.whole("column", { fallback: 1, min: 1, max: MAX_LINE_NUMBER }),
  });
  const [found] = lines;
  return { text: found?.text ?? "", hidden: found?.hidden?.characters ?? 0 };
};
