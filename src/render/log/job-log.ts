import { pluralize } from "../../kernel/pluralize.ts";
import type { LogSlice, RunReport } from "../../model/run-report.ts";
import type { Excerpt, LogLine, StreamName } from "../../model/run.ts";
import { describeWaiting } from "../../model/waiting.ts";
import { type CutLines, cutExcerpt, cutText } from "../run/excerpt.ts";
import { fence } from "../fence.ts";
import { withCutMark } from "../files/line-page.ts";
import { renderLog, restOfLine } from "./log.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";
import { maskedNoteSample, withRunMasked } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { stateOfRun, workerOf } from "../run/run-head.ts";
import { renderRun } from "../run/run.ts";

interface WholeLog {
  readonly kind: "whole";
  readonly stream: StreamName | "both";
  readonly report: RunReport;
}

export type JobLog =
  | WholeLog
  | { readonly kind: "part"; readonly slice: LogSlice }
  /** The result of the job, for a caller that waited for it. */
  | { readonly kind: "run"; readonly report: RunReport };

/** An example of the first line, the field names and the marks of what is cut; its length is reserved in the budget. */
const FRAME =
  '{"job_id":"12345678","stdout":"","stderr":"","truncated":{"stdout":{"startLine":12345,"endLine":12345}}}\n'.repeat(
    2,
  );

/**
 * Writes the log of a job, with the job's id: both streams as far as the budget allows, or the part that was asked for.
 */
export function renderJobLog(log: JobLog, view: View): Rendered {
  if (log.kind === "part") return renderPart(log.slice, view);
  if (log.kind === "run") return renderRun(log.report, view, "job");
  const { reader = EVERY_TOOL } = view;
  const { run, output } = log.report;
  view.budget.reserve(FRAME + maskedNoteSample(run.findings?.masked));
  const meta = { run_id: run.id, log: run.log };
  if (view.format === "json") return withRunMasked(jsonReply(streamsJson(log, view), { meta }), run);
  const head = `${view.format === "markdown" ? "## " : ""}${[`job ${run.id}`, stateOfRun(run, log.report.waiting), workerOf(run)].filter(Boolean).join(", ")}`;
  // A text reply shows both streams together, in the order in which they were written.
  const { text } = cutStream(output[log.stream], {
    tokens: view.budget.remainingTokens,
    reader,
    mark: (gap) =>
      `… ${pluralize(gap.lines, "line")} cut: ${spellAgain(reader, { startLine: gap.from, endLine: gap.to })}`,
  });
  const body = view.format === "markdown" && text !== "" ? fence(text) : text;
  return withRunMasked({ text: [head, body].filter(Boolean).join("\n"), meta }, run);
}

/**
 * Writes each stream as a text of its own in JSON. If lines of a stream are cut, the reply counts them and gives the
 * arguments that show them.
 */
function streamsJson({ report, stream }: WholeLog, { budget, reader = EVERY_TOOL }: View): object {
  const { run, output } = report;
  const names = STREAMS.filter((name) => stream === "both" || stream === name);
  const tokens = (budget.remainingTokens * 0.9) / names.length;
  const texts: Record<string, string> = {};
  const cuts: Record<string, object> = {};
  for (const name of names) {
    const { text, shown, gap } = cutStream(output[name], {
      tokens,
      reader,
      mark: ({ lines, from, to }) => `… ${pluralize(lines, "line")} cut (${from}-${to})`,
    });
    texts[name] = text;
    if (gap === undefined) continue;
    const rest = { startLine: gap.from, endLine: gap.to, stream: name };
    cuts[name] = { shown, total: output[name]?.total, log: rest };
  }
  const status = run.end === undefined ? { status: "running" } : {};
  return {
    job_id: run.id,
    ...status,
    ...(report.waiting === undefined ? {} : { waiting: describeWaiting(report.waiting) }),
    ...texts,
    ...(Object.keys(cuts).length === 0 ? {} : { truncated: cuts }),
  };
}

const STREAMS = ["stdout", "stderr"] as const;

function renderPart(slice: LogSlice, view: View): Rendered {
  const rendered = renderLog(slice, view);
  return rendered.json === undefined
    ? rendered
    : jsonReply({ job_id: slice.run.id, ...rendered.json }, rendered);
}

type Gap = NonNullable<CutLines["gap"]>;

interface CutStream {
  readonly text: string;
  readonly shown: number;
  readonly gap?: Gap;
}

interface CutOptions {
  readonly tokens: number;
  readonly reader: Reader;
  readonly mark: (gap: Gap) => string;
}

function cutStream(excerpt: Excerpt | undefined, { tokens, reader, mark }: CutOptions): CutStream {
  if (excerpt === undefined) return { text: "", shown: 0 };
  const rest = restOfLine(reader);
  const write = (line: LogLine): string => withCutMark(line, rest);
  const cut = cutExcerpt(excerpt, { tokens, write });
  return {
    text: cutText(cut, write, mark),
    shown: cut.head.length + cut.tail.length,
    ...(cut.gap === undefined ? {} : { gap: cut.gap }),
  };
}
