import type { RunReport, Verbosity } from "../model/run-report.ts";
import { planLine } from "../runs/plan/plan.ts";
import { byDefault, choice, count, path, record, required, text } from "../app/schema/field.ts";
import { readArguments } from "../app/schema/read-arguments.ts";
import { type Call, defineTool, READ_ONLY } from "../app/tool.ts";
import {
  labels,
  milliseconds,
  poolOf,
  rawTokensOf,
  RUNS_COMMANDS,
  STREAMS,
  VERBOSITIES,
} from "../app/tools/run-plan.ts";

/** Programs read these answers, not models: the widest budget. */
const WIDE = 9_000;
/** How many submitters' wishes for verbosity are remembered. */
const REMEMBERED = 1_000;

/** What a job was submitted with is what it is shown with, as long as this server remembers. */
const wished = new Map<string, Verbosity>();

export const submitJobTool = defineTool({
  name: "submit_job",
  title: "Submit a job",
  toolset: "jobs",
  description: "POST /jobs",
  annotations: RUNS_COMMANDS,
  fields: {
    command: required(text()),
    cwd: path(),
    env: record(),
    timeout_secs: count(),
    verbosity: byDefault(choice(VERBOSITIES), "minimal"),
    labels,
    wait_ms: byDefault(count("", 0), 0),
  },
  aliases: { timeout: "timeout_secs", cmd: "command", directory: "cwd" },
  maxTokens: WIDE,
  async handle(args, call) {
    const runs = await call.services.runs();
    const timeoutMs = milliseconds(args.timeout_secs);
    const { run } = await runs.start({
      workspace: call.workspace.absolute,
      cwd: (args.cwd ?? call.workspace).absolute,
      plan: planLine(args.command),
      detached: true,
      ...(args.env === undefined ? {} : { env: args.env }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...poolOf(args.labels ?? [], call.services),
    });
    remember(run.id, args.verbosity);
    return replyOf(await reportOf(run.id, args, call));
  },
  render: async (report, view) => (await import("../render/run/run.ts")).renderRun(report, view, "job"),
});

export const showJobTool = defineTool({
  name: "show_job",
  title: "Show a job",
  toolset: "jobs",
  description: "GET /jobs/ID",
  annotations: READ_ONLY,
  fields: {
    job_id: required(text()),
    verbosity: choice(VERBOSITIES),
    wait_ms: byDefault(count("", 0), 0),
  },
  maxTokens: WIDE,
  handle: async (args, call) => replyOf(await reportOf(args.job_id, args, call)),
  render: async (report, view) => (await import("../render/run/run.ts")).renderRun(report, view, "job"),
});

export const cancelJobTool = defineTool({
  name: "cancel_job",
  title: "Cancel a job",
  toolset: "jobs",
  description: "DELETE /jobs/ID",
  annotations: RUNS_COMMANDS,
  fields: { job_id: required(text()) },
  maxTokens: WIDE,
  handle: async ({ job_id: id }, { services }) => replyOf(await (await services.runs()).stop(id)),
  render: async (report, view) => (await import("../render/run/run.ts")).renderRun(report, view, "job"),
});

export interface LogQuery {
  readonly jobId: string;
  readonly stream: (typeof STREAMS)[number];
}

/** Reads `?stream=`. */
export function readLogQuery(jobId: string, query: Readonly<Record<string, unknown>>): LogQuery {
  const { stream } = readArguments("GET /jobs/ID/logs", { fields: { stream: choice(STREAMS) } }, query);
  return { jobId, stream: STREAMS.find((name) => name === stream) ?? "both" };
}

async function reportOf(
  id: string,
  args: { readonly verbosity: Verbosity | undefined; readonly wait_ms: number },
  { services, signal }: Call,
): Promise<RunReport> {
  const waitMs = Math.min(args.wait_ms, services.config.server.answer_timeout_ms);
  if (waitMs > 0)
    await (
      await services.runs()
    ).log({ runId: id, stream: "both", startLine: 1, lineCount: 1, waitMs, signal });
  return (await services.runs()).report(id, args.verbosity ?? wished.get(id) ?? "minimal");
}

function replyOf(report: RunReport): { data: RunReport; rawTokens: number } {
  return { data: report, rawTokens: rawTokensOf(report) };
}

function remember(id: string, verbosity: Verbosity): void {
  wished.set(id, verbosity);
  const [oldest] = wished.keys();
  if (wished.size > REMEMBERED && oldest !== undefined) wished.delete(oldest);
}
