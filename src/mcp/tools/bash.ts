import { renderFocusedRun } from "../../render/focused-run.ts";
import { planShell } from "../../runs/plan.ts";
import { maxTokens } from "../common-fields.ts";
import { byDefault, choice, count, path, record, required, text } from "../schema/field.ts";
import { defineTool } from "../tool.ts";
import { focusRun } from "./focus-run.ts";
import { rawTokensOf, runPlan, RUNS_COMMANDS, VERBOSITIES } from "./run-plan.ts";

export const bashTool = defineTool({
  name: "bash",
  title: "Run a shell command",
  toolset: "files",
  description:
    "Runs a shell command and returns its output, cut to the budget; the whole stays in the run's log.",
  annotations: RUNS_COMMANDS,
  fields: {
    command: required(text()),
    cwd: path(),
    env: record(),
    timeout_ms: count(),
    verbosity: byDefault(choice(VERBOSITIES), "full"),
    context_focus_question: text("full question; name identifiers"),
    max_tokens: maxTokens,
  },
  aliases: { cmd: "command", script: "command", directory: "cwd", timeout: "timeout_ms" },
  maxTokens: 3_000,
  async handle(args, call) {
    const report = await runPlan(planShell(args.command), { ...args, timeoutMs: args.timeout_ms }, call);
    const failed = report.run.end !== undefined && !report.success;
    const focused = await focusRun(report, args.context_focus_question, call);
    return { data: focused, isError: failed, rawTokens: rawTokensOf(report) };
  },
  render: renderFocusedRun,
});
