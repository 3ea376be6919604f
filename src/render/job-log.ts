import type { LogSlice, RunReport } from "../model/run-report.ts";
import type { Excerpt, StreamName } from "../model/run.ts";
import { cutExcerpt, cutText } from "./excerpt.ts";
import { renderLog } from "./log.ts";
import type { Rendered, View } from "./rendered.ts";
import { endOf } from "./run-head.ts";

type JobLog =
  | { readonly kind: "whole"; readonly stream: StreamName | "both"; readonly report: RunReport }
  | { readonly kind: "part"; readonly slice: LogSlice };

/** Room for the first line, the names of the fields and the marks of what is cut. */
const FRAME = '{"job_id":"12345678","stdout":"","stderr":"","truncated":true}\n'.repeat(3);

/** A job's log: its streams whole within the budget, or the part that was asked for; always with the job's id. */
export function renderJobLog(log: JobLog, view: View): Rendered {
  if (log.kind === "part") return renderPart(log.slice, view);
  const { run, output } = log.report;
  view.budget.reserve(FRAME);
  const names = (["stdout", "stderr"] as const).filter(
    (name) => log.stream === "both" || log.stream === name,
  );
  const meta = { run_id: run.id, log: run.log };
  if (view.format === "json") {
    const texts = streamTexts(names, output, view.budget.remainingTokens * 0.9);
    const fields = Object.fromEntries(texts.map(({ name, text }) => [name, text]));
    const cut = texts.some(({ wasCut }) => wasCut) ? { truncated: true } : {};
    const status = run.end === undefined ? { status: "running" } : {};
    return { text: JSON.stringify({ job_id: run.id, ...status, ...fields, ...cut }), meta };
  }
  const head = `${view.format === "markdown" ? "## " : ""}job ${run.id}, ${endOf(run)}`;
  // In text both streams stand in the order they came.
  const shown = log.stream === "both" ? output.both : output[log.stream];
  const { text } = textOf(shown, view.budget.remainingTokens);
  return {
    text: [head, view.format === "markdown" ? `\`\`\`\n${text}\n\`\`\`` : text].filter(Boolean).join("\n"),
    meta,
  };
}

function renderPart(slice: LogSlice, view: View): Rendered {
  const rendered = renderLog(slice, view);
  if (view.format !== "json") return rendered;
  return { ...rendered, text: `{"job_id":${JSON.stringify(slice.run.id)},${rendered.text.slice(1)}` };
}

function streamTexts(
  names: readonly StreamName[],
  output: RunReport["output"],
  tokens: number,
): { readonly name: StreamName; readonly text: string; readonly wasCut: boolean }[] {
  return names.map((name) => ({ name, ...textOf(output[name], tokens / names.length) }));
}

function textOf(
  excerpt: Excerpt | undefined,
  tokens: number,
): { readonly text: string; readonly wasCut: boolean } {
  if (excerpt === undefined) return { text: "", wasCut: false };
  const cut = cutExcerpt(excerpt, tokens);
  const text = cutText(
    cut,
    (gap) => `… ${gap.lines} lines cut (${gap.from}-${gap.to}): startLine=${gap.from}`,
  );
  return { text, wasCut: cut.gap !== undefined };
}
