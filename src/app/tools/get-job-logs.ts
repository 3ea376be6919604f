import { maxTokens } from "../common-fields.ts";
import {
  byDefault,
  choiceWithUnlisted,
  count,
  hidden,
  integer,
  required,
  text,
  whole,
} from "../schema/field.ts";
import type { JobLog } from "../../render/log/job-log.ts";
import { defineTool, READ_ONLY, type Reply } from "../tool.ts";
import { awaitRun, checkLines, STREAMS, UNLISTED_STREAMS, waitMsOf } from "./run-plan.ts";

export const getJobLogsTool = defineTool({
  name: "get_job_logs",
  title: "Logs of a job",
  toolset: "jobs",
  description: "The output of a job: whole within the budget, or a range of lines, or the lines that match.",
  searchHint: "logs log output stdout stderr of job run tail worker result",
  annotations: READ_ONLY,
  fields: {
    job_id: required(text()),
    stream: byDefault(choiceWithUnlisted(STREAMS, UNLISTED_STREAMS), "both"),
    startLine: whole("negative from the end"),
    lineCount: integer("", [1, 500]),
    endLine: hidden(count()),
    column: hidden(count()),
    grep: text("regex"),
    wait_ms: count("wait for the end or a grep match", 0),
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
  check: (args) => checkLines(args),
  async handle(args, call): Promise<Reply<JobLog>> {
    const { services, signal } = call;
    const { job_id: runId, stream, startLine, lineCount, endLine, column, grep, wait_ms } = args;
    const waitMs = waitMsOf(wait_ms, services);
    const isWhole = [startLine, lineCount, endLine, column, grep].every((one) => one === undefined);
    if (isWhole && wait_ms !== undefined) {
      const report = await awaitRun(runId, { verbosity: "minimal", waitMs }, call);
      return { data: { kind: "run", report }, retrieval: true };
    }
    if (isWhole && stream !== "view")
      return {
        data: { kind: "whole", stream, report: await (await services.runs()).report(runId, "full") },
        retrieval: true,
      };
    const runs = await services.runs();
    const slice = await runs.log({
      runId,
      stream,
      startLine: startLine === 0 || startLine === undefined ? 1 : startLine,
      ...(lineCount === undefined ? {} : { lineCount }),
      ...(endLine === undefined ? {} : { endLine }),
      ...(column === undefined ? {} : { column }),
      ...(grep === undefined ? {} : { grep }),
      ...(wait_ms === undefined ? {} : { waitMs }),
      progress: (message) => call.progress(message),
      signal,
    });
    return { data: { kind: "part", slice }, retrieval: true };
  },
  render: async (data, view) => (await import("../../render/log/job-log.ts")).renderJobLog(data, view),
});
