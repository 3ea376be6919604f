import { maxTokens } from "../common-fields.ts";
import { choice, count, hidden, path, record, required, text } from "../schema/field.ts";
import { defineTool } from "../tool.ts";
import {
  BACKGROUND_ALIASES,
  force,
  controlRun,
  IGNORED_BY_RUNS,
  runInBackground,
  labels,
  milliseconds,
  offersBuild,
  rawTokensOf,
  runPlan,
  RUNS_COMMANDS,
  VERBOSITIES,
} from "./run-plan.ts";

export const runCommandTool = defineTool({
  name: "run_command",
  title: "Run a command as a job",
  toolset: "jobs",
  description:
    "Runs a command as a job, in the pool where there is one; answers with exit code, errors and stderr.",
  searchHint: "execute shell command remote worker pool job run process",
  annotations: RUNS_COMMANDS,
  fields: {
    command: required(text()),
    cwd: path(),
    env: record(),
    timeout_secs: count(),
    verbosity: choice(VERBOSITIES, "default minimal"),
    max_tokens: maxTokens,
    labels,
    run_in_background: runInBackground,
    force,
    wait_ms: hidden(count("answer after this time at the latest", 0)),
    job_id: hidden(text("with command wait or stop")),
  },
  fieldsFor: (config) => (offersBuild(config) ? [] : ["job_id"]),
  aliases: {
    cmd: "command",
    directory: "cwd",
    workdir: "cwd",
    runId: "job_id",
    run_id: "job_id",
    ...BACKGROUND_ALIASES,
  },
  ignored: IGNORED_BY_RUNS,
  maxTokens: 2_000,
  async check({ job_id, command }) {
    if (job_id === undefined) (await import("../../runs/plan/plan.ts")).planLine(command);
  },
  async handle(args, call) {
    const { job_id: runId, command, verbosity = "minimal", wait_ms } = args;
    const { planLine } = await import("../../runs/plan/plan.ts");
    const report =
      runId === undefined
        ? await runPlan(
            planLine(command),
            { ...args, timeoutMs: milliseconds(args.timeout_secs), pooled: true },
            call,
          )
        : await controlRun({ runId, word: command, verbosity, wait_ms }, call);
    return { data: report, rawTokens: rawTokensOf(report) };
  },
  render: async (report, view) => (await import("../../render/run/run.ts")).renderRun(report, view, "job"),
});
