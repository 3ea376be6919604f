import { maxTokens } from "../common-fields.ts";
import { choice, count, path, text, texts } from "../schema/field.ts";
import { defineTool } from "../tool.ts";
import {
  BACKGROUND_ALIASES,
  force,
  IGNORED_BY_RUNS,
  runInBackground,
  labels,
  milliseconds,
  planParts,
  rawTokensOf,
  runPlan,
  RUNS_COMMANDS,
  VERBOSITIES,
} from "./run-plan.ts";

export const runTestsTool = defineTool({
  name: "run_tests",
  title: "Run tests as a job",
  toolset: "jobs",
  description: "Runs the tests of a folder with the runner that fits it; answers with counts and failures.",
  searchHint:
    "run tests test suite unit tests failing failures filter package remote worker pool pytest jest cargo go",
  annotations: RUNS_COMMANDS,
  fields: {
    cwd: path(),
    filter: text("test name or pattern"),
    package: text(),
    args: texts(undefined, 500),
    timeout_secs: count(),
    verbosity: choice(VERBOSITIES, "default minimal"),
    max_tokens: maxTokens,
    labels,
    run_in_background: runInBackground,
    force,
  },
  aliases: { directory: "cwd", workdir: "cwd", test: "filter", ...BACKGROUND_ALIASES },
  ignored: IGNORED_BY_RUNS,
  maxTokens: 2_000,
  async handle(args, call) {
    const { filter, package: name } = args;
    const [{ folderFacts }, { planTests }] = await Promise.all([
      import("../../runs/plan/folder-facts.ts"),
      import("../../runs/plan/test-plan.ts"),
    ]);
    const selection = {
      ...(filter === undefined ? {} : { filter }),
      ...(name === undefined ? {} : { package: name }),
      args: args.args ?? [],
    };
    const folder = await folderFacts((args.cwd ?? call.workspace).absolute, call.workspace.absolute);
    const timeoutMs = milliseconds(args.timeout_secs);
    const plan = await planTests(selection, folder);
    const isWhole = filter === undefined && name === undefined && selection.args.length === 0;
    const split = isWhole ? await planParts(plan, folder, args.cwd ?? call.workspace, call) : {};
    const report = await runPlan(plan, { ...args, timeoutMs, pooled: true, ...split }, call);
    return { data: report, rawTokens: rawTokensOf(report) };
  },
  render: async (report, view) => (await import("../../render/run/run.ts")).renderRun(report, view, "job"),
});
