import { renderJobLog } from "../../render/job-log.ts";
import { maxTokens } from "../common-fields.ts";
import { byDefault, choice, count, hidden, integer, required, text, whole } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";
import { STREAMS } from "./run-plan.ts";

export const getJobLogsTool = defineTool({
  name: "get_job_logs",
  title: "Logs of a job",
  toolset: "jobs",
  description: "The output of a job: whole within the budget, or a range of lines, or the lines that match.",
  annotations: READ_ONLY,
  fields: {
    job_id: required(text()),
    stream: byDefault(choice(STREAMS), "both"),
    startLine: whole("negative from the end"),
    lineCount: integer("", [1, 500]),
    endLine: hidden(count()),
    column: hidden(count()),
    grep: text("regex"),
    max_tokens: maxTokens,
  },
  aliases: {
    runId: "job_id",
    run_id: "job_id",
    start_line: "startLine",
    end_line: "endLine",
    line_count: "lineCount",
  },
  maxTokens: 3_000,
  async handle(args, { services, signal }) {
    const { job_id: runId, stream, startLine, lineCount, endLine, column, grep } = args;
    const isWhole = [startLine, lineCount, endLine, column, grep].every((one) => one === undefined);
    if (isWhole)
      return {
        data: { kind: "whole", stream, report: await services.runs.report(runId, "full") } as const,
        retrieval: true,
      };
    const slice = await services.runs.log({
      runId,
      stream,
      startLine: startLine === 0 || startLine === undefined ? 1 : startLine,
      ...(lineCount === undefined ? {} : { lineCount }),
      ...(endLine === undefined ? {} : { endLine }),
      ...(column === undefined ? {} : { column }),
      ...(grep === undefined ? {} : { grep }),
      signal,
    });
    return { data: { kind: "part", slice } as const, retrieval: true };
  },
  render: renderJobLog,
});
