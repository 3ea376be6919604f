import { callTool } from "../../app/pipeline.ts";
import { buildTool } from "../../app/tools/build.ts";
import { rawTokensOf } from "../../app/tools/run-plan.ts";
import { HttpError } from "../../http/body.ts";
import type { RunDelta, RunReport } from "../../model/run-report.ts";
import type { RunFindings } from "../../model/run.ts";
import { KEY_MASK, MASK } from "../../security/secrets/mask.ts";
import type { UiContext } from "../context.ts";
import type { RunList, RunPage } from "../wire.ts";
import type { Handler } from "./handler.ts";

/** Upper bound on what a page lists of one kind; the counts stay exact. */
const MAX_GROUPS = 300;
const MAX_FAILURES = 500;
const MAX_SIBLINGS = 50;

export const runs: Handler = async (_parameters, context): Promise<RunList> => ({
  workspaces: await context.workspaces(),
  runs: await context.rows.list(),
});

export const run: Handler = async (parameters, context, signal): Promise<RunPage> => {
  const service = await context.services.runs();
  const report = await service.report(parameters.text("id"), "full");
  context.rows.note(report);
  const listed = await context.rows.list();
  const row = context.rows.row(report.run);
  return {
    row,
    cwd: report.run.cwd,
    report: trimmed(report),
    siblings: listed
      .filter(
        ({ id, command, workspace }) =>
          id !== row.id && command === row.command && workspace === row.workspace,
      )
      .slice(0, MAX_SIBLINGS),
    shown: await shownToAgent(report, context, signal),
  };
};

/** The report that an agent receives of this run, in its default size. */
async function shownToAgent(
  report: RunReport,
  { services }: UiContext,
  signal: AbortSignal,
): Promise<RunPage["shown"]> {
  const rawTokens = rawTokensOf(report);
  if (report.run.end === undefined) return { text: "", tokens: 0, rawTokens };
  const args = { action: "log", runId: report.run.id, verbosity: "minimal" };
  const { text, meta } = await callTool(buildTool, args, services, { signal, progress: () => undefined });
  return { text, tokens: Number(meta["tokens"] ?? 0), rawTokens };
}

/** Leaves out what the page reads from the log itself, and the end of lists that nobody would read. */
function trimmed({ output: _output, view: _view, raw: _raw, ...report }: RunReport): RunPage["report"] {
  const { findings, ...rest } = report.run;
  const { fresh, others } = report.groups;
  return {
    ...report,
    run: { ...rest, ...(findings === undefined ? {} : { findings: trimmedFindings(findings) }) },
    groups: {
      fresh: fresh.slice(0, MAX_GROUPS),
      others: others.slice(0, Math.max(0, MAX_GROUPS - fresh.length)),
    },
  };
}

function trimmedFindings({ view: _view, ...findings }: RunFindings): RunFindings {
  return {
    ...findings,
    diagnostics: [],
    tests: findings.tests.map(({ outcomes: _outcomes, ...one }) => ({
      ...one,
      failures: one.failures.slice(0, MAX_FAILURES),
    })),
  };
}

export const compare: Handler = async (parameters, { services }): Promise<{ delta?: RunDelta }> => {
  const service = await services.runs();
  const delta = await service.compare(parameters.text("id"), parameters.text("with"));
  return delta === undefined ? {} : { delta };
};

export const stop: Handler = async (parameters, context) => {
  mustBeAllowed(context);
  const report = await (await context.services.runs()).stop(parameters.text("id"));
  context.rows.note(report);
  return { row: context.rows.row(report.run) };
};

/** Starts the command of a run again, by the same tool that an agent would use and under the same permissions. */
export const again: Handler = async (parameters, context, signal) => {
  mustBeAllowed(context);
  const service = await context.services.runs();
  const { run: earlier } = await service.report(parameters.text("id"), "minimal");
  if (earlier.host !== undefined) throw new HttpError(400, `The run is of another machine: ${earlier.host}`);
  // The command would run with the mask in place of the secret.
  if ([MASK, KEY_MASK].some((mask) => earlier.command.includes(mask)))
    throw new HttpError(400, "The command contains a masked secret: type it in a shell instead");
  const services = await context.servicesIn(earlier.workspace);
  const known = new Set((await context.rows.list()).map(({ id }) => id));
  const args = {
    action: "exec",
    tool: earlier.command,
    cwd: earlier.cwd,
    run_in_background: true,
    force: true,
    response_format: "json",
  };
  const answer = await callTool(buildTool, args, services, { signal, progress: () => undefined });
  if (answer.error !== undefined) throw answer.error;
  const started = (await context.rows.list()).find(
    ({ id, command }) => !known.has(id) && command === earlier.command,
  );
  if (started === undefined) throw new HttpError(500, "The run was not started");
  return { row: started };
};

function mustBeAllowed({ services }: UiContext): void {
  if (services.config.server.read_only)
    throw new HttpError(403, "This server is read-only: it neither stops nor starts runs");
}
