import type { FolderFacts, TestSelection } from "../../diagnostics/tool.ts";
import { PithError } from "../../kernel/errors.ts";
import { type CommandPlan, type NamedCommand, namedCommands, planNamed } from "./plan.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import { planScriptOptions } from "./test-script.ts";

export interface TestRequest {
  /** The tests to run, in the syntax of the test runner. */
  readonly filter?: string;
  /** The name of the package in a monorepo whose tests are to be run. */
  readonly package?: string;
  readonly args: readonly string[];
}

/**
 * Plans how to run the tests of a folder: with the test script of its package.json, or else with the test runner that
 * fits.
 */
export async function planTests(request: TestRequest, folder: FolderFacts): Promise<CommandPlan> {
  const commands = await namedCommands();
  const fitting = commands.filter(({ command }) => command.detect(folder) !== undefined);
  const manager = folder.packageJson?.packageManager;
  const chosen =
    fitting.find(isScript) ??
    fitting.find(runsTests) ??
    // The root of a monorepo may have no tests of its own, so no test command fits it; the package is tested by its
    // package manager.
    (request.package === undefined
      ? undefined
      : commands.find(({ command }) => command.name === `${manager}.test`));
  if (chosen === undefined)
    throw new PithError("invalid_input", "no test tool fits this folder", {
      suggestion: "Name the folder of the package with its tests, or run the test command itself.",
    });
  const selected = await selectionOf(chosen, request, folder);
  const options = [...selected, ...request.args];
  if (isScript(chosen) && request.filter !== undefined && request.package === undefined) {
    const found = await planScriptOptions(chosen, options, folder);
    // Otherwise the options go to the end of the script, where most runners take them.
    if ("plan" in found) return found.plan;
  }
  const plan = planNamed(chosen, options, folder);
  return { ...inWorkspace(plan, chosen, request.package), isTest: true };
}

function inWorkspace(plan: CommandPlan, { tool }: NamedCommand, name: string | undefined): CommandPlan {
  const [manager, ...rest] = plan.argv;
  const words = name === undefined ? undefined : tool.packageManager?.workspace(name);
  if (words === undefined) return plan;
  const argv: [string, ...string[]] = [manager, ...words, ...rest];
  return {
    ...plan,
    argv,
    display: argv.map(quoteWord).join(" "),
    commands: [argv.map((text) => ({ text, expands: false }))],
  };
}

/**
 * Plans all tests of a folder with further options of the runner, which is the last command of the test script; or says
 * why that script does not take them.
 */
export async function planOptions(
  options: readonly string[],
  folder: FolderFacts,
): Promise<{ readonly plan: CommandPlan } | { readonly whyNot: string }> {
  const fitting = (await namedCommands()).filter(({ command }) => command.detect(folder) !== undefined);
  const script = fitting.find(isScript);
  return script === undefined
    ? { plan: await planTests({ args: options }, folder) }
    : planScriptOptions(script, options, folder);
}

/** Checks whether a named command such as `npm.test` runs the test script of package.json. */
export function isScript({ tool, command }: NamedCommand): boolean {
  return tool.packageManager !== undefined && command.name === `${tool.id}.test`;
}

export function runsTests({ tool, command }: NamedCommand): boolean {
  return tool.kinds.includes("test") && (tool.kinds.length === 1 || /test/.test(command.name));
}

async function selectionOf(
  chosen: NamedCommand,
  request: TestRequest,
  folder: FolderFacts,
): Promise<readonly string[]> {
  const selection = (await selectionFor(chosen, folder)) ?? {};
  const words: string[] = [];
  if (request.package !== undefined && chosen.tool.packageManager === undefined) {
    if (selection.package === undefined) throw cannot("package", chosen);
    words.push(...selection.package(request.package));
  }
  if (request.filter !== undefined) {
    if (selection.filter === undefined) throw cannot("filter", chosen);
    words.push(...selection.filter(request.filter));
  }
  return words;
}

/** Finds the test runner of a folder and how it takes a selection of tests. */
export async function testSelection(folder: FolderFacts): Promise<TestSelection | undefined> {
  const fitting = (await namedCommands()).filter(({ command }) => command.detect(folder) !== undefined);
  const chosen = fitting.find(isScript) ?? fitting.find(runsTests);
  return chosen && selectionFor(chosen, folder);
}

/**
 * Returns how the test runner takes a selection of tests. The runner is the first one named in the test script, or else
 * the tool of the command.
 */
async function selectionFor(chosen: NamedCommand, folder: FolderFacts): Promise<TestSelection | undefined> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  const selectable = buildTools.filter((tool) => tool.selectTests !== undefined);
  const words = isScript(chosen)
    ? (folder.packageJson?.scripts["test"] ?? "").split(/[\s/\\]+/)
    : chosen.command.argv(folder).flatMap((word) => word.split(/[\s/\\]+/));
  for (const word of words) {
    const runner = selectable.find((tool) => (tool.programs ?? [tool.id]).includes(word));
    if (runner !== undefined) return runner.selectTests;
  }
  return chosen.tool.selectTests;
}

function cannot(field: string, { command }: NamedCommand): PithError {
  return new PithError("invalid_input", `how ${command.name} takes a ${field} is not known`, {
    suggestion: "Pass the runner's own option instead.",
  });
}
