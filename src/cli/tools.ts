import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import { readCustomTool, type ReadTool } from "../diagnostics/custom/read-tool.ts";
import { parseText } from "../diagnostics/engine/engine.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import type { CustomTool } from "../model/custom-tool.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { maskValues } from "../security/secrets/mask-values.ts";
import { nearestText } from "../workspace/files/folder-files.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command, Context } from "./command.ts";

export const tools: Command = {
  name: "tools",
  summary: "Show the tools that you describe yourself, and try one",
  usage: "[test NAME [FILE]] [--json]",
  details:
    "Without arguments it lists the tools of [tools.NAME] in pith.toml and in your config.toml, and says what is wrong with\n" +
    "those that cannot be used. With test it shows what a tool reads in a file, or in standard input.\n" +
    'Describe one by its command and how its lines are read: [tools.acme] command = "acme-lint .", problem_matcher = "$gcc".',
  options: JSON_OPTION,
  examples: ["pith tools", "pith tools test acme build.log", "acme-lint . 2>&1 | pith tools test acme"],
  async run(context) {
    const [action, name, file, ...more] = context.positionals;
    const { config, problem } = context.loadConfig();
    const described = config.tools;
    if (action === undefined) return listTools(described, problem, context);
    if (action !== "test" || name === undefined || more.length > 0)
      throw new PithError(
        "invalid_input",
        "tools: give no argument, or test, the name of a tool and a file",
        {
          suggestion: "pith tools test acme build.log",
        },
      );
    return testTool(toolNamed(name, described, problem), await textOf(file ?? "-", context), context);
  },
};

function listTools(described: readonly CustomTool[], problem: string | undefined, context: Context): number {
  const rows = described.map((one) => {
    try {
      const { description, command } = read(one, context);
      return { name: one.name, file: one.file, description, ...(command === undefined ? {} : { command }) };
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      return { name: one.name, file: one.file, problem: error.message, suggestion: error.suggestion };
    }
  });
  const lines = [
    ...(problem === undefined ? [] : [problem]),
    ...rows.map((row) =>
      "problem" in row
        ? `${row.name}: not usable: ${row.problem}\n  ${row.suggestion}`
        : `${row.name}: ${row.description} (${row.file})`,
    ),
  ];
  if (context.flag("json"))
    context.io.out(`${JSON.stringify({ tools: rows, ...(problem === undefined ? {} : { problem }) })}\n`);
  else
    context.io.out(
      `${lines.join("\n") || "No tool is described in pith.toml or your config.toml. pith tools --help shows how."}\n`,
    );
  return problem !== undefined || rows.some((row) => "problem" in row) ? 1 : 0;
}

/** Upper bound on the lines shown that a tool did not read. */
const MAX_UNREAD = 10;

function testTool(described: CustomTool, text: string, context: Context): number {
  const { tool } = read(described, context);
  const unread: string[] = [];
  const result = parseText(text, {
    tools: [tool],
    expected: [tool.id],
    weighsEvidence: false,
    onUnclaimed: (line) => {
      if (line.text.trim() !== "") unread.push(`${line.number}: ${line.text}`);
    },
  });
  const { value: found } = maskValues(result.diagnostics.filter((one) => one.tool !== "general"));
  const { value: rest } = maskValues(unread);
  if (context.flag("json"))
    context.io.out(`${JSON.stringify({ lines: result.lines, diagnostics: found, unread: rest })}\n`);
  else context.io.out(`${shown(tool.id, result.lines, found, rest).join("\n")}\n`);
  return found.length > 0 ? 0 : 1;
}

function shown(
  name: string,
  lines: number,
  found: readonly Diagnostic[],
  unread: readonly string[],
): string[] {
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
  return [
    `${name} read ${count(found.length, "diagnostic")} in ${count(lines, "line")}${found.length > 0 ? ":" : "."}`,
    ...found.map((one) => ` ${JSON.stringify(one)}`),
    ...(unread.length > 0
      ? [
          `It left ${count(unread.length, "line")} unread${unread.length > MAX_UNREAD ? ", the first of them" : ""}:`,
        ]
      : []),
    ...unread.slice(0, MAX_UNREAD).map((line) => ` ${line}`),
  ];
}

function toolNamed(name: string, described: readonly CustomTool[], problem: string | undefined): CustomTool {
  const found = described.find((one) => one.name === name);
  if (found !== undefined) return found;
  if (problem !== undefined)
    throw new PithError("config_invalid", `tools: there is no tool ${name}, because ${problem}`);
  const names = described.map((one) => one.name);
  const [nearest] = nearestNames(name, names, 1);
  throw new PithError("invalid_input", `tools: no [tools.${name}] in pith.toml or your config.toml`, {
    suggestion:
      nearest !== undefined
        ? `Did you mean ${nearest}?`
        : names.length > 0
          ? `Described: ${names.join(", ")}.`
          : "pith tools --help shows how to describe one.",
  });
}

function read(described: CustomTool, { environment: { cwd } }: Context): ReadTool {
  return readCustomTool(described, nearestText(cwd, cwd, ".vscode/tasks.json"));
}

async function textOf(file: string, context: Context): Promise<string> {
  const { signal, io, environment } = context;
  const stream = file === "-" ? io.input : createReadStream(resolve(environment.cwd, file));
  const source = addAbortSignal(signal, stream);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of source) chunks.push(Buffer.from(chunk as Uint8Array)); // streams without an encoding yield bytes
  } catch (error) {
    const known = toPithError(error);
    const problem = known.message.replace(resolve(environment.cwd, file), file);
    throw new PithError(known.code, `tools: cannot read ${problem}`, known.data, { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}
