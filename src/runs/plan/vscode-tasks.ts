import { basename, isAbsolute, join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { PithError } from "../../kernel/errors.ts";
import { isNestedTooDeep } from "../../kernel/files/nesting.ts";
import { quoteWord } from "../../shell/quote-word.ts";

/** A task of `.vscode/tasks.json`. */
export interface EditorTask {
  readonly label: string;
  /** The command line that runs the task, or the reason why only the editor can run it. */
  readonly command: string | { readonly refused: string };
  /** The names of the problem matchers that read its output (`$tsc`). */
  readonly matchers: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Upper bound on tasks; no editor could show more. */
const MAX_TASKS = 500;
/** Upper bound on tasks that depend on each other. */
const MAX_DEPTH = 10;

/** Reads the tasks that have a label, in the order of the file. A file that is not valid has none. */
export function readEditorTasks(tasksJson: string | undefined, workspace: string): readonly EditorTask[] {
  if (tasksJson === undefined || isNestedTooDeep(tasksJson)) return [];
  const root = asFields(parseJsonc(tasksJson, [], { allowTrailingComma: true }));
  const all = listOf(root["tasks"]).map(asFields).slice(0, MAX_TASKS);
  const byLabel = new Map(all.map((task) => [labelOf(task), task]));
  return [...byLabel].flatMap(([label, task]) =>
    label === undefined
      ? []
      : [{ label, command: commandLine(task, { byLabel, workspace, depth: 0 }), matchers: matchersOf(task) }],
  );
}

/** Returns the command line of a task, or explains why it cannot be run outside of the editor. */
export function taskCommand({ label, command }: EditorTask): string {
  if (typeof command === "string") return command;
  throw new PithError("invalid_input", `The task ${JSON.stringify(label)} ${command.refused}`, {
    suggestion: "Run its command line itself, with the values filled in.",
  });
}

interface Surroundings {
  readonly byLabel: ReadonlyMap<string | undefined, Fields>;
  readonly workspace: string;
  readonly depth: number;
}

function commandLine(task: Fields, around: Surroundings): EditorTask["command"] {
  if (around.depth > MAX_DEPTH) return { refused: "depends on itself" };
  const lines: string[] = [];
  for (const name of [task["dependsOn"] ?? []].flat()) {
    const dependency = typeof name === "string" ? around.byLabel.get(name) : undefined;
    if (dependency === undefined) return { refused: `depends on ${JSON.stringify(name)}, which is no task` };
    const line = commandLine(dependency, { ...around, depth: around.depth + 1 });
    if (typeof line !== "string") return line;
    lines.push(line);
  }
  const own = ownLine(task, around.workspace);
  if (own !== undefined && typeof own !== "string") return own;
  if (own !== undefined) lines.push(own);
  return lines.length === 0 ? { refused: "has no command" } : lines.join(" && ");
}

/** Returns the command line of a task without its dependencies; undefined if it has none of its own. */
function ownLine(task: Fields, workspace: string): EditorTask["command"] | undefined {
  const fields = forThisSystem(task);
  const words = wordsOf(fields);
  if (words === undefined) return undefined;
  const options = asFields(fields["options"]);
  const variables = Object.entries(asFields(options["env"])).map(
    ([name, value]) => `${name}=${quoteWord(String(value))}`,
  );
  const cwd = textOf(options["cwd"]) ?? textOf(fields["path"]);
  const line = [...variables, words].join(" ");
  const folder = cwd === undefined ? undefined : substituted(cwd, workspace);
  const filled = substituted(
    folder === undefined ? line : `cd ${quoteWord(inside(folder, workspace))} && ${line}`,
    workspace,
  );
  const open = /\$\{([^}]{1,100})\}/.exec(filled)?.[1];
  return open === undefined ? filled : { refused: `uses \${${open}}, which only the editor can fill in` };
}

/** Returns the words of the command as a user would type them. */
function wordsOf(fields: Fields): string | undefined {
  const type = textOf(fields["type"]);
  const script = textOf(fields["script"]);
  if (type === "npm" && script !== undefined) return `npm run ${quoteWord(script)}`;
  if (type === "typescript") {
    const project = textOf(fields["tsconfig"]);
    return `npx tsc -p ${quoteWord(project ?? ".")}${fields["option"] === "watch" ? " --watch" : ""}`;
  }
  const command = wordOf(fields["command"]);
  if (command === undefined) return undefined;
  const args = listOf(fields["args"]).flatMap((arg) => wordOf(arg) ?? []);
  // A shell task without arguments is a whole command line; a process is a single program.
  const program = type === "process" || !/\s/.test(command) ? command : undefined;
  if (program === undefined && args.length === 0) return command;
  return [program === undefined ? command : quoteUnlessPlain(program), ...args.map(quoteUnlessPlain)].join(
    " ",
  );
}

/** Quotes a word for the shell, but leaves the editor's variables in it for later. */
function quoteUnlessPlain(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : quoteWord(word);
}

/** Fills in the variables that have the same value outside of the editor. */
function substituted(text: string, workspace: string): string {
  return text.replaceAll(
    /\$\{(workspaceFolder|workspaceRoot|cwd|workspaceFolderBasename|pathSeparator|\/)\}/g,
    (_, name) => {
      if (name === "workspaceFolderBasename") return basename(workspace);
      return name === "pathSeparator" || name === "/" ? "/" : workspace;
    },
  );
}

function inside(folder: string, workspace: string): string {
  return isAbsolute(folder) ? folder : join(workspace, folder);
}

/** Applies the part of a task that is meant for this operating system. */
function forThisSystem(task: Fields): Fields {
  const name = process.platform === "win32" ? "windows" : process.platform === "darwin" ? "osx" : "linux";
  return { ...task, ...asFields(task[name]) };
}

function matchersOf(task: Fields): string[] {
  return [task["problemMatcher"] ?? []].flat().filter((one): one is string => typeof one === "string");
}

function labelOf(task: Fields): string | undefined {
  return textOf(task["label"]) ?? textOf(task["taskName"]);
}

/** Returns a word that may be written with a rule for quoting: `{ "value": "a b", "quoting": "strong" }`. */
function wordOf(value: unknown): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  const inner = asFields(value)["value"];
  return Array.isArray(inner) ? inner.join(" ") : textOf(inner);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
