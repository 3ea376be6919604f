import { renderRun } from "../../render/run.ts";
import { planLine } from "../../runs/plan.ts";
import { maxTokens } from "../common-fields.ts";
import { choice, count, path, record, required, text } from "../schema/field.ts";
import { defineTool } from "../tool.ts";
import { labels, milliseconds, rawTokensOf, runPlan, RUNS_COMMANDS, VERBOSITIES } from "./run-plan.ts";

export const runCommandTool = defineTool({
  name: "run_command",
  title: "Run a command as a job",
  toolset: "jobs",
  description:
    "Runs a command as a job, in the pool where there is one; answers with exit code, errors and stderr.",
  annotations: RUNS_COMMANDS,
  fields: {
    command: required(text()),
    cwd: path(),
    env: record(),
    timeout_secs: count(),
    verbosity: choice(VERBOSITIES, "default minimal"),
    max_tokens: maxTokens,
    labels,
  },
  aliases: { cmd: "command", directory: "cwd" },
  maxTokens: 2_000,
  async handle(args, call) {
    const report = await runPlan(
      planLine(args.command),
      { ...args, timeoutMs: milliseconds(args.timeout_secs), pooled: true },
      call,
    );
    return { data: report, rawTokens: rawTokensOf(report) };
  },
  render: (report, view) => renderRun(report, view, "job"),
});
