import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { planChangedTests } from "../app/tools/changed-tests.ts";
import { PithError } from "../kernel/errors.ts";
import { renderBuild } from "../render/run/build.ts";
import { folderFacts } from "../runs/plan/folder-facts.ts";
import type { CommandPlan } from "../runs/plan/plan.ts";
import type { RunRequest } from "../runs/plan/request.ts";
import { planTests } from "../runs/plan/test-plan.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";
import { RUN_OPTIONS, runAndShow, viewOf } from "./run-and-show.ts";

/** The exit code if nothing was run, which is not a pass. */
const EXIT_NOTHING_RUN = 2;

export const test: Command = {
  name: "test",
  summary: "Run the tests of a folder, or only those of your changes",
  usage: "[--changed [REF]] [options] [-- ARGS...]",
  details:
    "With --changed, the test files that your changes most likely concern are chosen by what they use, import and mention,\n" +
    "by their names, and by what changed together in git's history, and run with the project's own runner. The changes\n" +
    "are those of the working tree, with REF also the commits since. Nothing to run is not a pass: the exit code is 2.",
  options: {
    changed: { type: "boolean", about: "Run only the test files that the changes concern." },
    "dry-run": { type: "boolean", about: "With --changed: only show the choice." },
    filter: { type: "string", value: "TEXT", about: "Without --changed: a test's name or pattern." },
    ...RUN_OPTIONS,
    ...JSON_OPTION,
  },
  examples: ["pith test", "pith test --changed", "pith test --changed main"],
  // How long stopping may take: a program that ignores the request to stop is killed after two seconds.
  stopMs: 3_000,
  async run(context) {
    const [ref, ...more] = context.positionals;
    if (more.length > 0 || (ref !== undefined && !context.flag("changed")))
      throw new PithError("invalid_input", `test: ${context.positionals.join(" ")} is no option`, {
        suggestion:
          "Some tests: pith test --filter TEXT; those of your changes: pith test --changed; of a folder: pith test --cwd FOLDER.",
      });
    const scope = await folderOf(resolve(context.environment.cwd, context.text("cwd") ?? "."));
    return context.flag("changed") ? runChanged(context, scope, ref) : runAll(context, scope);
  },
};

async function runAll(context: Context, cwd: string): Promise<number> {
  const root = await workspaceRootOf(cwd);
  const filter = context.text("filter");
  const request = { args: context.rest, ...(filter !== undefined && { filter }) };
  const folder = await folderFacts(cwd, root);
  const plan = await planTests(request, folder);
  const isWhole = filter === undefined && context.rest.length === 0;
  const split = context.flag("pool") && isWhole ? await splitOf(context, { plan, cwd, root }, folder) : {};
  return runAndShow(context, { plan, cwd, root, ...split });
}

/** The parts in which the tests run in the pool, as [pool] split says. */
async function splitOf(
  context: Context,
  { plan, cwd, root }: { readonly plan: CommandPlan; readonly cwd: string; readonly root: string },
  folder: Awaited<ReturnType<typeof folderFacts>>,
): Promise<Pick<RunRequest, "parts" | "note">> {
  const services = context.openServices({}, root);
  const runs = await services.runs();
  return runs.planParts({ plan, cwd, workspace: root }, folder, services.config.pool.split);
}

async function runChanged(context: Context, scope: string, ref: string | undefined): Promise<number> {
  const root = await workspaceRootOf(scope);
  const services = context.openServices({}, root);
  const request = { root, scope, ref, args: context.rest, signal: context.signal };
  const { choice, run } = await planChangedTests(request, services);
  const view = viewOf(context);
  if (run !== undefined && !context.flag("dry-run"))
    return runAndShow(context, { plan: run.plan, cwd: run.cwd, root, choice });
  const answer = run === undefined ? { choice } : { choice, command: run.plan.display };
  context.io.out(`${renderBuild({ kind: "no_tests", ...answer }, view).text}\n`);
  return run === undefined ? EXIT_NOTHING_RUN : 0;
}

async function folderOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new PithError("invalid_cwd", `test: no folder ${path}`, {}, { cause: error });
  }
}
