import { toolNamed } from "../registry/tool-names.ts";
import { parserOf } from "../formats/format-parser.ts";
import { namedMatchers } from "../fallback/problem-matchers.ts";
import type { BuildTool } from "../tool.ts";
import { type TablePlace, tableError } from "./table-error.ts";

/** The ids of the tools that read what VS Code's own problem matchers read. */
export const MATCHED_TOOLS: Readonly<Record<string, string>> = {
  $tsc: "tsc",
  "$tsc-watch": "tsc",
  "$gulp-tsc": "tsc",
  "$eslint-compact": "eslint",
  "$eslint-stylish": "eslint",
  $gcc: "gcc",
  $nvcc: "gcc",
  $go: "go",
  $msCompile: "dotnet",
  $rustc: "cargo",
  "$rustc-watch": "cargo",
  $python: "python",
};

/**
 * Returns the parser of a problem matcher: one of VS Code (`$gcc`), or one that a task in `.vscode/tasks.json` defines,
 * by its owner, its name or the label of the task.
 */
export function problemMatcher(
  name: string,
  tasksJson: string | undefined,
  place: TablePlace,
): Required<Pick<BuildTool, "parser">> {
  const tool = toolNamed(MATCHED_TOOLS[name] ?? "");
  if (tool !== undefined)
    return {
      // Findings of the parser are those of the tool in whose table the matcher stands.
      parser(sink) {
        const parser = parserOf(tool, sink);
        if (parser === undefined) throw new Error(`${tool.id} reads no lines`);
        return parser;
      },
    };
  const own = tasksJson === undefined ? undefined : namedMatchers(tasksJson, name);
  if (own !== undefined) return { parser: own };
  throw tableError(
    place,
    `no problem matcher is called ${JSON.stringify(name)}`,
    `Known: ${Object.keys(MATCHED_TOOLS).join(", ")}, and the owners, names and task labels of .vscode/tasks.json.`,
  );
}
