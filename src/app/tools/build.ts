import type { LogSlice, RunReport } from "../../model/run-report.ts";
import type { TestChoice } from "../../model/test-choice.ts";
import type { ToolListReply } from "../../render/run/tool-list.ts";
import type { OwnToolSources } from "../../runs/plan/own-tools.ts";
import type { UnknownTool } from "../../runs/plan/plan.ts";
import { maxTokens } from "../common-fields.ts";
import {
  choice,
  choiceWithUnlisted,
  count,
  hidden,
  integer,
  path,
  required,
  text,
  texts,
  whole,
} from "../schema/field.ts";
import { type Call, defineTool } from "../tool.ts";
import { planChangedTests, readChangedTests } from "./changed-tests.ts";
import {
  BACKGROUND_ALIASES,
  force,
  IGNORED_BY_RUNS,
  checkLines,
  runInBackground,
  labels,
  RUNS_COMMANDS,
  rawTokensOf,
  runPlan,
  STREAMS,
  UNLISTED_STREAMS,
  VERBOSITIES,
} from "./run-plan.ts";

/** The data of a reply, by what the call of `build` led to: a run, a log, a list of tools or an error. */
export type BuildData =
  | { readonly kind: "run"; readonly report: RunReport; readonly awaited?: string }
  | { readonly kind: "no_tests"; readonly choice: TestChoice }
  | { readonly kind: "log"; readonly slice: LogSlice }
  | ({ readonly kind: "list" } & ToolListReply)
  | { readonly kind: "unknown"; readonly tool: UnknownTool }
  | { readonly kind: "missing"; readonly parameter: string; readonly action: string };

export const buildTool = defineTool({
  name: "build",
  title: "Build, test, lint",
  toolset: "run",
  description:
    "Runs a build, test, lint or other command and answers with its errors and failed tests. Also: a run's log, the tools, stop.",
  searchHint:
    "run execute tests test runner suite unit project integration e2e coverage build rebuild compile compiler errors warnings problems diagnostics lint linter format type check checker typecheck typescript tsc eslint ruff mypy pytest jest vitest mocha cargo rust go gcc java make npm yarn pnpm gradle maven dotnet script failing failed fail failures broken break results ci logs log output background server stop rerun verify why of in at a an the to for on by with",
  annotations: RUNS_COMMANDS,
  fields: {
    action: required(choice(["exec", "log", "list", "stop"])),
    tool: text('exec: "npm.test" or a command line'),
    cwd: path(),
    args: texts(undefined, 500),
    verbosity: choice(VERBOSITIES, "default minimal"),
    timeout_ms: count(),
    runId: text("log, stop"),
    stream: choiceWithUnlisted(STREAMS, UNLISTED_STREAMS),
    startLine: whole("default 1; negative from the end"),
    lineCount: integer("default 50", [1, 500]),
    endLine: hidden(count()),
    column: hidden(count()),
    cursor: hidden(text("list: from an earlier reply")),
    grep: text("regex"),
    wait_ms: count("log: wait for the end or a grep match", 0),
    max_tokens: maxTokens,
    labels,
    run_in_background: runInBackground,
    force,
  },
  aliases: {
    command: "tool",
    cmd: "tool",
    directory: "cwd",
    run_id: "runId",
    job_id: "runId",
    start_line: "startLine",
    end_line: "endLine",
    line_count: "lineCount",
    workdir: "cwd",
    timeout: "timeout_ms",
    ...BACKGROUND_ALIASES,
  },
  ignored: IGNORED_BY_RUNS,
  alwaysLoad: true,
  maxTokens: 2_000,
  check: (args) => checkLines(args),
  async handle(args, call) {
    const data = await ACTIONS[args.action](args, call);
    const rawTokens = data.kind === "run" ? rawTokensOf(data.report) : undefined;
    return {
      data,
      isError: data.kind === "missing" || data.kind === "unknown",
      ...(rawTokens === undefined ? {} : { rawTokens }),
      retrieval: data.kind === "log",
    };
  },
  render: async (data, view) => (await import("../../render/run/build.ts")).renderBuild(data, view),
});

interface BuildArgs {
  readonly tool: string | undefined;
  readonly cwd: Call["workspace"] | undefined;
  readonly args: readonly string[] | undefined;
  readonly verbosity: RunReport["verbosity"] | undefined;
  readonly timeout_ms: number | undefined;
  readonly runId: string | undefined;
  readonly stream: LogSlice["stream"] | undefined;
  readonly startLine: number | undefined;
  readonly lineCount: number | undefined;
  readonly endLine: number | undefined;
  readonly column: number | undefined;
  readonly cursor: string | undefined;
  readonly grep: string | undefined;
  readonly wait_ms: number | undefined;
  readonly labels: readonly string[] | undefined;
  readonly run_in_background: boolean | undefined;
  readonly force: boolean | undefined;
}

type Action = (args: BuildArgs, call: Call) => Promise<BuildData>;

const ACTIONS: Readonly<Record<"exec" | "log" | "list" | "stop", Action>> = { exec, log, list, stop };

async function exec(args: BuildArgs, call: Call): Promise<BuildData> {
  if (args.tool === undefined) return { kind: "missing", parameter: "tool", action: "exec" };
  const [{ folderFacts }, { planTool }, { planOwnTool }] = await Promise.all([
    import("../../runs/plan/folder-facts.ts"),
    import("../../runs/plan/plan.ts"),
    import("../../runs/plan/own-tools.ts"),
  ]);
  const changed = readChangedTests(args.tool);
  if (changed !== undefined) return execChangedTests(args, changed.ref, call);
  const sources = ownTools(args, call);
  const plan =
    (await planOwnTool(args.tool, args.args ?? [], sources)) ??
    (await planTool(args.tool, args.args ?? [], await folderFacts(sources.cwd, sources.workspace)));
  if ("unknown" in plan) return { kind: "unknown", tool: plan };
  const report = await runPlan(plan, { ...args, timeoutMs: args.timeout_ms, pooled: true }, call);
  return { kind: "run", report };
}

/** Runs the tests of the changes in the working tree. */
async function execChangedTests(args: BuildArgs, ref: string | undefined, call: Call): Promise<BuildData> {
  const root = call.workspace.absolute;
  const scope = (args.cwd ?? call.workspace).absolute;
  const request = { root, scope, ref, args: args.args ?? [], signal: call.signal };
  const { choice, run } = await planChangedTests(request, call.services);
  if (run === undefined) return { kind: "no_tests", choice };
  const cwd = await (await call.services.workspaces.open(root)).resolve(run.cwd);
  const report = await runPlan(run.plan, { ...args, cwd, timeoutMs: args.timeout_ms, pooled: true }, call);
  return { kind: "run", report: { ...report, choice } };
}

async function log(args: BuildArgs, call: Call): Promise<BuildData> {
  const { runId, stream, startLine, lineCount, endLine, column, grep, wait_ms: waitMs } = args;
  if (runId === undefined) return { kind: "missing", parameter: "runId", action: "log" };
  const runs = await call.services.runs();
  const places = [stream, startLine, lineCount, endLine, column];
  const hasPlace = places.some((one) => one !== undefined);
  // With a verbosity the caller asks for findings, so the pattern selects findings and not lines of the log.
  if (grep !== undefined && args.verbosity !== undefined && waitMs === undefined && !hasPlace) {
    const { selectFindings } = await import("../../runs/reply/select-findings.ts");
    const report = await runs.report(runId, args.verbosity);
    return { kind: "run", report: selectFindings(report, grep) };
  }
  const slice = await runs.log({
    runId,
    stream: stream ?? "both",
    startLine: startLine === 0 || startLine === undefined ? 1 : startLine,
    ...(lineCount === undefined ? {} : { lineCount }),
    ...(endLine === undefined ? {} : { endLine }),
    ...(column === undefined ? {} : { column }),
    ...(grep === undefined ? {} : { grep }),
    ...(waitMs === undefined
      ? {}
      : { waitMs: Math.min(waitMs, call.services.config.server.answer_timeout_ms) }),
    progress: (message) => call.progress(message),
    signal: call.signal,
  });
  if (waitMs === undefined && args.verbosity === undefined) return { kind: "log", slice };
  // A caller gets the result of the run, and no lines, if it waited for the end or for a line that never came, or asked
  // for a verbosity.
  const wantsResult = !hasPlace && grep === undefined;
  const isUnmatched = grep !== undefined && slice.matches === 0 && slice.run.end !== undefined;
  if (!wantsResult && !isUnmatched) return { kind: "log", slice };
  const report = await runs.report(runId, args.verbosity ?? "minimal");
  return { kind: "run", report, ...(isUnmatched ? { awaited: grep } : {}) };
}

async function list(args: BuildArgs, call: Call): Promise<BuildData> {
  const [{ folderFacts }, { listTools, toolListPage }] = await Promise.all([
    import("../../runs/plan/folder-facts.ts"),
    import("../../runs/plan/tool-list.ts"),
  ]);
  const sources = ownTools(args, call);
  const found = await listTools(await folderFacts(sources.cwd, sources.workspace), sources);
  return { kind: "list", ...toolListPage(found, sources.cwd, args.cursor) };
}

/** Returns where the tools of the user and of the workspace are described. */
function ownTools({ cwd }: BuildArgs, { workspace, services }: Call): OwnToolSources {
  return {
    tools: services.config.tools,
    cwd: (cwd ?? workspace).absolute,
    workspace: workspace.absolute,
    path: services.environment.variables["PATH"] ?? "",
  };
}

async function stop(args: BuildArgs, call: Call): Promise<BuildData> {
  if (args.runId === undefined) return { kind: "missing", parameter: "runId", action: "stop" };
  return { kind: "run", report: await (await call.services.runs()).stop(args.runId) };
}
