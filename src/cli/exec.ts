import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { PithError } from "../kernel/errors.ts";
import { renderBuild } from "../render/run/build.ts";
import { folderFacts } from "../runs/plan/folder-facts.ts";
import { type OwnToolSources, planOwnTool } from "../runs/plan/own-tools.ts";
import { planTool } from "../runs/plan/plan.ts";
import { quoteWord } from "../shell/quote-word.ts";
import { listTools, toolListPage } from "../runs/plan/tool-list.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";
import { RUN_OPTIONS, runAndShow, viewOf } from "./run-and-show.ts";

const EXIT_UNKNOWN_TOOL = 127;

export const exec: Command = {
  name: "exec",
  summary: "Run a command and show what matters in its output",
  usage: "[options] TOOL | [options] -- COMMAND [ARGS...] | --list",
  details:
    "Takes the name of a build tool (npm.test), a command line in quotes, or a command after --. The exit code is the\n" +
    "command's own. The whole output is kept: pith logs RUN.",
  options: {
    ...RUN_OPTIONS,
    list: { type: "boolean", about: "List the build tools that apply to the folder." },
    cursor: { type: "string", value: "CURSOR", about: "With --list: continue where an earlier reply ended." },
    ...JSON_OPTION,
  },
  examples: ["pith exec npm.test", "pith exec -- cargo build", 'pith exec "tsc --noEmit && eslint ."'],
  // How long stopping may take: a program that ignores the request to stop is killed after two seconds.
  stopMs: 3_000,
  async run(context) {
    const [first, ...more] = context.rest.length > 0 ? context.rest : context.positionals;
    if (first === undefined && !context.flag("list"))
      throw new PithError("invalid_input", "exec: name a tool or a command", {
        suggestion: "pith exec -- npm test",
      });
    const cwd = await folderOf(resolve(context.environment.cwd, context.text("cwd") ?? "."));
    const workspace = await workspaceRootOf(cwd);
    if (first === undefined) return showTools(context, cwd, workspace);
    // A single argument may be a tool name or a whole command line to parse; several arguments were already split by
    // the user's shell.
    const name = context.rest.length > 1 ? quoteWord(first) : first;
    const sources = ownTools(context, cwd, workspace);
    const plan =
      (await planOwnTool(name, more, sources)) ??
      (await planTool(name, more, await folderFacts(cwd, workspace)));
    const view = viewOf(context);
    if ("unknown" in plan) {
      context.io.err(`${renderBuild({ kind: "unknown", tool: plan }, view).text}\n`);
      return EXIT_UNKNOWN_TOOL;
    }
    return runAndShow(context, { plan, cwd, root: workspace });
  },
};

async function showTools(context: Context, cwd: string, workspace: string): Promise<number> {
  const sources = ownTools(context, cwd, workspace);
  const list = await listTools(await folderFacts(cwd, workspace), sources);
  const page = toolListPage(list, cwd, context.text("cursor"));
  context.io.out(`${renderBuild({ kind: "list", ...page }, viewOf(context)).text}\n`);
  return 0;
}

/** Returns where the tools of the user and of the workspace are described. */
function ownTools(context: Context, cwd: string, workspace: string): OwnToolSources {
  const { tools } = context.loadConfig({}, workspace).config;
  return { tools, cwd, workspace, path: context.environment.variables["PATH"] ?? "" };
}

async function folderOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw new PithError("invalid_cwd", `exec: no folder ${path}`, {}, { cause: error });
  }
}
