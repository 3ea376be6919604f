import type { BuildTool, FolderFacts, TargetFile } from "../../diagnostics/tool.ts";
import type { ToolList } from "../../model/tool-list.ts";

type Targets = ToolList["targets"][number];

/** Task runners whose own output needs no parser, because they print only the output of the commands they start. */
const TASK_RUNNERS: readonly TargetFile[] = [
  { command: "just", files: ["justfile", "Justfile", ".justfile"], above: true, names: justRecipes },
  {
    command: "task",
    files: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml"],
    above: true,
    names: taskNames,
  },
];

/** Returns the commands that a folder names in files of its own, such as make's targets and just's recipes. */
export function folderTargets(folder: FolderFacts, tools: readonly BuildTool[]): Targets[] {
  const files = [...tools.flatMap(({ targets }) => targets ?? []), ...TASK_RUNNERS];
  return files.flatMap(({ command, files, above, names }) => {
    const file = files.find((name) => (above ? folder.nearest(name) !== undefined : folder.has(name)));
    const text = file === undefined ? undefined : folder.nearest(file);
    const found = text === undefined ? [] : [...new Set(names(text))];
    return found.length === 0 ? [] : [{ command, names: found }];
  });
}

function* justRecipes(text: string): Generator<string> {
  for (const [, name = "", rest = ""] of text.matchAll(
    /^@?([A-Za-z][\w-]{0,100})([^\n:=]{0,500}(?:=[^\n:]{0,200})?):(?!=)/gm,
  ))
    if (!/^(?:alias|export|import|mod|set)$/.test(name) || rest.trim() === "") yield name;
}

/**
 * Yields the names of the tasks in a Taskfile: the keys below `tasks:`, recognised by their indentation without a YAML
 * parser.
 */
function* taskNames(text: string): Generator<string> {
  const body = /^tasks:[ \t]*\r?\n((?:[ \t#][^\n]*\n|\r?\n)*)/m.exec(`${text}\n`)?.[1] ?? "";
  const indent = /^([ ]+)\S/m.exec(body)?.[1] ?? "  ";
  for (const line of body.split("\n")) {
    const [, name] =
      /^["']?([\w.-]+(?::[\w.-]+)*)["']?:(?:\s|$)/.exec(
        line.startsWith(indent) ? line.slice(indent.length) : "",
      ) ?? [];
    if (name !== undefined) yield name;
  }
}
