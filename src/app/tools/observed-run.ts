import { path, required, text } from "../schema/field.ts";
import { defineTool } from "../tool.ts";
import { rawTokensOf, RUNS_COMMANDS } from "./run-plan.ts";

/**
 * Stores and reports the output of a command that succeeded in a client's own shell. It is called by hooks and not offered to
 * agents.
 */
export const observedRunTool = defineTool({
  name: "observed_run",
  title: "Report on a command that ran elsewhere",
  toolset: "run",
  description: "Stores the output of a command that has run, and answers as if it had run here.",
  searchHint: "",
  annotations: RUNS_COMMANDS,
  fields: {
    command: required(text()),
    cwd: path(),
    stdout: required(text()),
    stderr: required(text()),
  },
  maxTokens: 2_000,
  async handle({ command, cwd, stdout, stderr }, { services, workspace }) {
    const { planShell } = await import("../../runs/plan/plan.ts");
    const runs = await services.runs();
    const request = {
      workspace: workspace.absolute,
      cwd: (cwd ?? workspace).absolute,
      plan: planShell(command),
    };
    const report = { ...(await runs.observe(request, { stdout, stderr }, "full")), showsCauses: true };
    return { data: report, rawTokens: rawTokensOf(report) };
  },
  render: async (report, view) => (await import("../../render/run/run.ts")).renderRun(report, view),
});
