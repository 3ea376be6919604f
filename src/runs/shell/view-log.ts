import type { LogSource, RawLine } from "../../logs/log-source.ts";
import type { ViewLine } from "../../model/run.ts";

/** What the filters of a command line printed, to be read like a log. */
export function viewLog(view: readonly ViewLine[]): LogSource {
  const lines = view.map(({ stream, text }, i): RawLine => {
    return { number: i + 1, stream, bytes: Buffer.from(text), hidden: 0, hiddenIsExact: true };
  });
  return {
    totals: () => {
      const stderrLines = lines.filter(({ stream }) => stream === "stderr").length;
      const bytes = lines.reduce((sum, line) => sum + line.bytes.length + 1, 0);
      return Promise.resolve({
        lines: lines.length,
        stdoutLines: lines.length - stderrLines,
        stderrLines,
        bytes,
      });
    },
    lines: ({ from, count }) => Promise.resolve(lines.slice(from - 1, from - 1 + count)),
    async *bytes(_stream, from) {
      for (const { stream, bytes } of lines.slice(from - 1))
        yield await Promise.resolve({ stream, bytes: Buffer.concat([bytes, LINE_FEED]) });
    },
    close: () => Promise.resolve(),
  };
}

const LINE_FEED = Buffer.from("\n");
