import { type Answer, callTool } from "../../app/pipeline.ts";
import { repositoryMap } from "../../app/window/repository-map.ts";
import type { Services } from "../../app/services.ts";
import type { AnyTool } from "../../app/tool.ts";
import { locateSymbolTool } from "../../app/tools/locate-symbol.ts";
import { readTool } from "../../app/tools/read.ts";
import { searchCodeTool } from "../../app/tools/search-code.ts";
import { RELATIONS } from "../../model/relation.ts";
import type { CodeAnswerPage, CodePlace, RepositoryMap, SourceLines } from "../wire.ts";
import type { Handler } from "./handler.ts";

/** The largest reply of a tool, for source that a person looks at. */
const SOURCE_TOKENS = 9_000;

/** Asks the tool as an agent does, and once more as JSON, for the places in its answer. */
export const search: Handler = (parameters, context, signal) =>
  ask(searchCodeTool, { query: parameters.text("query") }, { context, signal, parameters });

export const relations: Handler = (parameters, context, signal) => {
  const relation = parameters.choice("relation", ["uses", ...RELATIONS]);
  return ask(locateSymbolTool, { name: parameters.text("name"), relation }, { context, signal, parameters });
};

interface Asking {
  readonly context: Parameters<Handler>[1];
  readonly signal: AbortSignal;
  readonly parameters: Parameters<Handler>[0];
}

async function ask(
  tool: AnyTool,
  args: Readonly<Record<string, unknown>>,
  { context, signal, parameters }: Asking,
): Promise<CodeAnswerPage> {
  const services = await context.servicesIn(parameters.optional("workspace"));
  const answer = await call(tool, args, services, signal);
  const json = answer.isError
    ? undefined
    : await call(tool, { ...args, response_format: "json", max_tokens: SOURCE_TOKENS }, services, signal);
  return {
    text: answer.text,
    tokens: Number(answer.meta["tokens"] ?? 0),
    isError: answer.isError,
    places: json === undefined ? [] : placesIn(JSON.parse(json.text)),
  };
}

function call(
  tool: AnyTool,
  args: Readonly<Record<string, unknown>>,
  services: Services,
  signal: AbortSignal,
): Promise<Answer> {
  return callTool(tool, args, services, { signal, progress: () => undefined });
}

/** Takes the places out of a reply in JSON, whose lists have different names for different questions. */
function placesIn(reply: unknown): CodePlace[] {
  const lists = [fieldsOf(reply)["results"], fieldsOf(reply)["definitions"], fieldsOf(reply)["places"]];
  return lists.flatMap((list) => (Array.isArray(list) ? list.flatMap(placeOf) : []));
}

function placeOf(entry: unknown): CodePlace[] {
  const fields = fieldsOf(entry);
  const { path, kind, name, within, role, certainty } = fields;
  const line = Number(fields["line_start"] ?? fields["line"] ?? 1);
  const endLine = Number(fields["line_end"] ?? line);
  if (typeof path !== "string") return [];
  const label = [kind, fields["qualified_name"] ?? name ?? within].filter((one) => typeof one === "string");
  const note = [role, certainty === "possible" ? "possible" : undefined].filter(
    (one) => typeof one === "string",
  );
  return [
    {
      path,
      line,
      ...(endLine > line ? { endLine } : {}),
      label: label.join(" "),
      ...(note.length === 0 ? {} : { note: note.join(", ") }),
    },
  ];
}

export const source: Handler = async (parameters, context, signal): Promise<SourceLines> => {
  const services = await context.servicesIn(parameters.optional("workspace"));
  const file = parameters.text("path");
  const line = parameters.whole("line", { fallback: 1, min: 1, max: 1e9 });
  const radius = parameters.whole("radius", { fallback: 5, min: 0, max: 300 });
  // A tool prints paths relative to the folder in which it ran, which may be below the workspace.
  const folder = parameters.optional("folder");
  const path = folder === undefined ? file : await pathFrom(folder, file, services);
  const args = { file_path: path, start_line: Math.max(1, line - radius), end_line: line + radius };
  const answer = await call(
    readTool,
    { ...args, response_format: "json", max_tokens: SOURCE_TOKENS },
    services,
    signal,
  );
  if (answer.error !== undefined) throw answer.error;
  const reply = fieldsOf(JSON.parse(answer.text));
  return {
    path: String(reply["path"]),
    startLine: Number(reply["start_line"]),
    totalLines: Number(reply["total_lines"]),
    lines: String(reply["content"]).split("\n"),
  };
};

/** Resolves a path against a folder of the workspace; one that is not there is read from the workspace itself. */
async function pathFrom(folder: string, file: string, { workspaces }: Services): Promise<string> {
  const workspace = await workspaces.open(folder);
  const { exists, absolute } = await workspace.resolve(file);
  return exists ? absolute : file;
}

export const map: Handler = async (parameters, context, signal): Promise<RepositoryMap> =>
  repositoryMap(await context.servicesIn(parameters.optional("workspace")), signal);

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
