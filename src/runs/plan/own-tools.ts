import type { ReadTool } from "../../diagnostics/custom/read-tool.ts";
import type { FolderFacts } from "../../diagnostics/tool.ts";
import { findProgram } from "../../exec/shell.ts";
import { PithError } from "../../kernel/errors.ts";
import type { CustomTool } from "../../model/custom-tool.ts";
import type { ToolList } from "../../model/tool-list.ts";
import { nearestText } from "../../workspace/files/folder-files.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import { type CommandPlan, planLine } from "./plan.ts";
import { type EditorTask, readEditorTasks, taskCommand } from "./vscode-tasks.ts";

/** Where a user and a workspace describe tools of their own. */
export interface OwnToolSources {
  readonly tools: readonly CustomTool[];
  readonly cwd: string;
  readonly workspace: string;
  /** The folders in which programs are looked for, as in `PATH`. */
  readonly path: string;
}

/** Marks the label of a task where it could also be a command line. */
const TASK_PREFIX = "task:";

/**
 * Plans a tool that a configuration file describes in `[tools.NAME]`, or a task of the editor by its label. Returns
 * undefined if there is none of this name. The command obeys the permissions like any other.
 */
export async function planOwnTool(
  name: string,
  args: readonly string[],
  sources: OwnToolSources,
): Promise<CommandPlan | undefined> {
  const described = sources.tools.find((tool) => tool.name === name);
  const tasksJson = tasksOf(sources);
  if (described !== undefined) return planDescribed(await readTool(described, tasksJson), args);
  const task = taskNamed(name, readEditorTasks(tasksJson, sources.workspace), sources.path);
  if (task === undefined) return undefined;
  return { ...planLine(taskCommand(task), args), tool: task.label, expected: await parsersOf(task) };
}

function planDescribed({ tool, command }: ReadTool, args: readonly string[]): CommandPlan {
  if (command === undefined)
    throw new PithError("invalid_input", `[tools.${tool.id}] has no command`, {
      suggestion: `Add one: command = "…". pith tools test ${tool.id} FILE reads its output from a file.`,
    });
  const line = typeof command === "string" ? command : command.map(quoteWord).join(" ");
  return { ...planLine(line, args), tool: tool.id, expected: [tool.id] };
}

/**
 * Finds the task with a label. A label that starts like a command line (`npm test`) needs the prefix `task:`, so that a
 * repository cannot have another command run in place of the one that was asked for.
 */
function taskNamed(name: string, tasks: readonly EditorTask[], path: string): EditorTask | undefined {
  const isMarked = name.startsWith(TASK_PREFIX);
  const label = isMarked ? name.slice(TASK_PREFIX.length).trim() : name;
  const task = tasks.find((one) => one.label === label);
  if (task === undefined || isMarked) return task;
  const [first = ""] = label.split(/\s/);
  return findProgram(first, path) === undefined ? task : undefined;
}

/** Returns the ids of the tools that read what the task's problem matchers read. */
async function parsersOf({ matchers }: EditorTask): Promise<readonly string[]> {
  const { MATCHED_TOOLS } = await import("../../diagnostics/custom/problem-matcher.ts");
  return matchers.flatMap((name) => MATCHED_TOOLS[name] ?? []);
}

/** Lists the tools and tasks of a workspace, and what is wrong with tools that cannot be used. */
export async function listOwnTools(
  folder: FolderFacts,
  sources: OwnToolSources,
): Promise<Pick<ToolList, "detected" | "others" | "tasks" | "problems">> {
  const tasksJson = tasksOf(sources);
  const detected: ToolList["detected"][number][] = [];
  const others: string[] = [];
  const problems: string[] = [];
  for (const described of sources.tools)
    try {
      const { command, description, ...read } = await readTool(described, tasksJson);
      const why = read.detect(folder);
      const line = typeof command === "string" ? command : (command ?? []).map(quoteWord).join(" ");
      if (why === undefined) others.push(described.name);
      else detected.push({ name: described.name, description, why, command: line });
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      problems.push(error.message);
    }
  const tasks = readEditorTasks(tasksJson, sources.workspace)
    .filter(({ command }) => typeof command === "string")
    .map(({ label }) =>
      taskNamed(label, [{ label, command: "", matchers: [] }], sources.path) === undefined
        ? `${TASK_PREFIX}${label}`
        : label,
    );
  return { detected, others, tasks, problems };
}

function tasksOf({ cwd, workspace }: OwnToolSources): string | undefined {
  return nearestText(cwd, workspace, ".vscode/tasks.json");
}

async function readTool(described: CustomTool, tasksJson: string | undefined): Promise<ReadTool> {
  const { readCustomTool } = await import("../../diagnostics/custom/read-tool.ts");
  return readCustomTool(described, tasksJson);
}
