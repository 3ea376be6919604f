import { maxTokens } from "../common-fields.ts";
import { choice, count, hidden, path, record, required, text } from "../schema/field.ts";
import { defineTool } from "../tool.ts";
import { focusRun } from "./focus-run.ts";
import {
  BACKGROUND_ALIASES,
  force,
  controlRun,
  IGNORED_BY_RUNS,
  runInBackground,
  offersBuild,
  rawTokensOf,
  runPlan,
  RUNS_COMMANDS,
  VERBOSITIES,
} from "./run-plan.ts";

export const bashTool = defineTool({
  name: "bash",
  title: "Run a shell command",
  toolset: "files",
  description:
    "Runs a shell command. Errors and failed tests come first, also those that a pipe would hide; what does not fit stays in the log.",
  searchHint:
    "shell command commands execute run terminal console script program git status log diff commit process output install list sh zsh powershell environment of in at an the to for on by with",
  annotations: RUNS_COMMANDS,
  fields: {
    command: required(text()),
    cwd: path(),
    env: record(),
    timeout_ms: count(),
    verbosity: choice(VERBOSITIES, "default full"),
    context_focus_question: text("a full question"),
    max_tokens: maxTokens,
    run_in_background: runInBackground,
    force,
    run_id: hidden(text("with command wait or stop")),
  },
  fieldsFor: (config) => (offersBuild(config) ? [] : ["run_id"]),
  aliases: {
    cmd: "command",
    script: "command",
    directory: "cwd",
    dir_path: "cwd",
    workdir: "cwd",
    working_directory: "cwd",
    timeout: "timeout_ms",
    runId: "run_id",
    job_id: "run_id",
    ...BACKGROUND_ALIASES,
  },
  ignored: IGNORED_BY_RUNS,
  maxTokens: 3_000,
  async check({ run_id, command }) {
    if (run_id === undefined) (await import("../../runs/plan/plan.ts")).planShell(command);
  },
  async handle(args, call) {
    const { run_id: runId, command } = args;
    const verbosity = args.verbosity ?? "full";
    const { planShell } = await import("../../runs/plan/plan.ts");
    const found =
      runId === undefined
        ? await runPlan(planShell(command), { ...args, verbosity, timeoutMs: args.timeout_ms }, call)
        : await controlRun({ runId, word: command, verbosity }, call);
    const report = args.verbosity === undefined ? { ...found, showsCauses: true } : found;
    const wasStopped = runId !== undefined && command === "stop";
    const failed = report.run.end !== undefined && !report.success && !wasStopped;
    const focus = { question: args.context_focus_question, timeoutMs: args.timeout_ms };
    const focused = await focusRun(report, focus, call);
    return { data: focused, isError: failed, rawTokens: rawTokensOf(report) };
  },
  render: async (data, view) =>
    (await import("../../render/run/focused-run.ts")).renderFocusedRun(data, view),
});
