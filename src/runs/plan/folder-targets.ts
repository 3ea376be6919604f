import type { FolderFacts } from "../../diagnostics/tool.ts";
import type { ToolList } from "../../model/tool-list.ts";

type Targets = ToolList["targets"][number];

interface TargetFile {
  /** What is typed before a name. */
  readonly command: string;
  readonly files: readonly string[];
  /** Whether the program also looks in the folders above. */
  readonly above: boolean;
  readonly names: (text: string) => Iterable<string>;
}

const FILES: readonly TargetFile[] = [
  { command: "make", files: ["GNUmakefile", "makefile", "Makefile"], above: false, names: makeTargets },
  { command: "just", files: ["justfile", "Justfile", ".justfile"], above: true, names: justRecipes },
  {
    command: "task",
    files: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "Taskfile.dist.yml"],
    above: true,
    names: taskNames,
  },
  {
    command: "composer run",
    files: ["composer.json"],
    above: false,
    names: (text) => keysOf(text, "scripts"),
  },
  {
    command: "deno task",
    files: ["deno.json", "deno.jsonc"],
    above: true,
    names: (text) => keysOf(text, "tasks"),
  },
];

/** The commands that a folder names in files of its own: make's targets, just's recipes and their like. */
export function folderTargets(folder: FolderFacts): Targets[] {
  return FILES.flatMap(({ command, files, above, names }) => {
    const file = files.find((name) => (above ? folder.nearest(name) !== undefined : folder.has(name)));
    const text = file === undefined ? undefined : folder.nearest(file);
    const found = text === undefined ? [] : [...new Set(names(text))];
    return found.length === 0 ? [] : [{ command, names: found }];
  });
}

function* makeTargets(text: string): Generator<string> {
  for (const [, names = ""] of text.matchAll(/^([A-Za-z0-9][\w./ \t-]{0,300}?)[ \t]*::?(?![:=])/gm))
    // A path is a file that is made, not a command.
    for (const name of names.split(/[ \t]+/)) if (/^[\w-]+$/.test(name)) yield name;
}

function* justRecipes(text: string): Generator<string> {
  for (const [, name = "", rest = ""] of text.matchAll(
    /^@?([A-Za-z][\w-]{0,100})([^\n:=]{0,500}(?:=[^\n:]{0,200})?):(?!=)/gm,
  ))
    if (!/^(?:alias|export|import|mod|set)$/.test(name) || rest.trim() === "") yield name;
}

/** The keys below `tasks:`, by their indentation: no more of YAML is needed for them. */
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

function keysOf(text: string, section: string): string[] {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const part: unknown =
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([key]) => key === section)?.[1]
        : undefined;
    return typeof part === "object" && part !== null ? Object.keys(part) : [];
  } catch {
    // It is being edited, or has comments: then nothing is offered from it.
    return [];
  }
}
