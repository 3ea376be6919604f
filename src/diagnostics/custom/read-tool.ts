import { toolNamed } from "../registry/tool-names.ts";
import type { CustomTool } from "../../model/custom-tool.ts";
import type { BuildTool, FolderFacts, LineParser } from "../tool.ts";
import { parserOf } from "../formats/format-parser.ts";
import { problemMatcher } from "./problem-matcher.ts";
import { readFormat } from "./read-format.ts";
import { tableError } from "./table-error.ts";
import { TableReader } from "./table-reader.ts";
import { MAX_CUSTOM_LINE } from "./untrusted-pattern.ts";

/** A tool that a configuration file describes, ready for use. */
export interface ReadTool {
  readonly tool: BuildTool;
  /** The command line as it stands in the file; absent if the tool only reads output. */
  readonly command?: string | readonly string[];
  readonly description: string;
  /** Returns why the command fits a folder, or undefined if it does not. */
  detect(folder: FolderFacts): string | undefined;
}

const NAME = /^[A-Za-z0-9][\w-]{0,60}(?:\.[\w-]{1,60}){0,3}$/;
/** Tools from a configuration file are offered a line after all tools that Pith knows. */
const LAST = -500;

/**
 * Reads `[tools.NAME]`: the command, the files by which it fits a folder, and how its output is read. It throws an error
 * that says what is wrong and where.
 */
export function readCustomTool({ name, file, table }: CustomTool, tasksJson?: string): ReadTool {
  const fields = new TableReader(table, { file, path: `tools.${name}` });
  if (!NAME.test(name))
    throw tableError(fields.place, "a name consists of letters, digits, -, _ and dots between them");
  if (toolNamed(name) !== undefined)
    throw tableError(fields.place, "Pith already has a tool of this name", `Call it my-${name}.`);
  const detect = fields.texts("detect");
  const command = commandIn(fields);
  const read = {
    tool: toolIn(name, fields, tasksJson),
    description: fields.text("description") ?? `[tools.${name}] of ${shortName(file)}`,
    ...(command === undefined ? {} : { command }),
    detect(folder: FolderFacts) {
      if (command === undefined) return undefined;
      if (detect === undefined) return `${shortName(file)} describes it`;
      const found = detect.find((one) => folder.has(one));
      return found === undefined ? undefined : `${found} is here`;
    },
  };
  fields.end();
  if (command === undefined && read.tool.parser === undefined)
    throw tableError(
      fields.place,
      "the table has neither a command nor a way to read output",
      "Give it command, format or problem_matcher.",
    );
  return read;
}

function commandIn(fields: TableReader): string | readonly string[] | undefined {
  const words = fields.list("command");
  if (words === undefined || words.length === 0) return undefined;
  if (words.length === 1 && typeof words[0]?.value === "string") return fields.text("command");
  return fields.texts("command");
}

function toolIn(name: string, fields: TableReader, tasksJson: string | undefined): BuildTool {
  const format = fields.table("format");
  const matcher = fields.text("problem_matcher");
  if (format !== undefined && matcher !== undefined)
    throw tableError(fields.place, "give either format or problem_matcher, not both");
  const reading =
    format !== undefined
      ? { format: readFormat(format) }
      : matcher === undefined
        ? {}
        : problemMatcher(matcher, tasksJson, fields.at("problem_matcher"));
  const tool: BuildTool = {
    id: name,
    title: name,
    url: "",
    ecosystem: "general",
    kinds: ["build", "lint"],
    signatures: fields.texts("signatures") ?? [],
    priority: LAST,
    ...reading,
  };
  const { format: _format, ...withoutFormat } = tool;
  if (format === undefined && matcher === undefined) return withoutFormat;
  return { ...withoutFormat, parser: (sink) => shortLinesOnly(parserOf(tool, sink)) };
}

/** Keeps long lines away from patterns that may take more than linear time. */
function shortLinesOnly(parser: LineParser | undefined): LineParser {
  return {
    take: (line) => line.text.length <= MAX_CUSTOM_LINE && parser?.take(line) === true,
    end: () => parser?.end(),
  };
}

function shortName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? file;
}
