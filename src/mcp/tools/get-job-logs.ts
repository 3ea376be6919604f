import { renderJobLog } from "../../render/job-log.ts";
import { maxTokens } from "../common-fields.ts";
import { byDefault, choice, integer, required, text, whole } from "../schema/field.ts";
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
    grep: text("regex"),
    max_tokens: maxTokens,
  },
  aliases: { runId: "job_id", run_id: "job_id", start_line: "startLine", line_count: "lineCount" },
  maxTokens: 3_000,
  async handle(args, { services, signal }) {
    const { job_id: runId, stream, startLine, lineCount, grep } = args;
    const isPart = startLine !== undefined || lineCount !== undefined || grep !== undefined;
    if (!isPart)
      return {
        data: { kind: "whole", stream, report: await services.runs.report(runId, "full") } as const,
        retrieval: true,
      };
    const slice = await services.runs.log({
      runId,
      stream,
      startLine: startLine === 0 || startLine === undefined ? 1 : startLine,
      lineCount: lineCount ?? 50,
      ...(grep === undefined ? {} : { grep }),
      signal,
    });
    return { data: { kind: "part", slice } as const, retrieval: true };
  },
  render: renderJobLog,
});
