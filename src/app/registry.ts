import type { Config } from "../config/keys.ts";
import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { hidden } from "./schema/field.ts";
import type { AnyTool, Toolset } from "./tool.ts";
import { bashTool } from "./tools/bash.ts";
import { buildTool } from "./tools/build.ts";
import { getFileOutlineTool } from "./tools/get-file-outline.ts";
import { getJobLogsTool } from "./tools/get-job-logs.ts";
import { grepTool } from "./tools/grep.ts";
import { healthCheckTool } from "./tools/health-check.ts";
import { indexRepositoryTool } from "./tools/index-repository.ts";
import { indexStatusTool } from "./tools/index-status.ts";
import { locateSymbolTool } from "./tools/locate-symbol.ts";
import { readTool } from "./tools/read.ts";
import { runCommandTool } from "./tools/run-command.ts";
import { runTestsTool } from "./tools/run-tests.ts";
import { searchCodeTool } from "./tools/search-code.ts";
import { syncRepoTool } from "./tools/sync-repo.ts";
import { workerStatusTool } from "./tools/worker-status.ts";

/** Every tool, in the order in which the MCP request tools/list returns them. */
export const TOOLS: readonly AnyTool[] = [
  searchCodeTool,
  locateSymbolTool,
  getFileOutlineTool,
  buildTool,
  readTool,
  grepTool,
  bashTool,
  indexRepositoryTool,
  syncRepoTool,
  indexStatusTool,
  healthCheckTool,
  runCommandTool,
  runTestsTool,
  getJobLogsTool,
  workerStatusTool,
];

export const TOOLSETS: readonly Toolset[] = ["code", "run", "files", "index", "jobs"];
/** The names of the tools that a server offers with the setting `slim`. */
const SLIM: readonly string[] = ["build", "search_code"];

/** The tools that a server with this configuration offers. They are fixed at start, because clients cache the list. */
export function offeredTools(config: Config): readonly AnyTool[] {
  const { server } = config;
  for (const name of server.toolsets) checkToolset(name);
  // A server with a pool also offers the job tools.
  const toolsets = server.store === "" ? server.toolsets : [...server.toolsets, "jobs"];
  const offered = TOOLS.filter(
    (tool) =>
      (server.slim ? SLIM.includes(tool.name) : toolsets.includes(tool.toolset)) &&
      (!server.read_only || tool.annotations.readOnlyHint),
  );
  return server.slim ? offered.map(slimTool) : offered.map((tool) => withConfiguredFields(tool, config));
}

/** Shows those hidden arguments of a tool that have a meaning in this configuration. */
function withConfiguredFields(tool: AnyTool, config: Config): AnyTool {
  const names = tool.fieldsFor?.(config) ?? [];
  if (names.length === 0) return tool;
  const fields = Object.entries(tool.fields).map(([name, field]) => [
    name,
    names.includes(name) ? { ...field, hidden: false } : field,
  ]);
  return { ...tool, fields: Object.fromEntries(fields) };
}

function slimTool(tool: AnyTool): AnyTool {
  const { slimFields } = tool;
  if (slimFields === undefined) return tool;
  const fields = Object.entries(tool.fields).map(([name, field]) => [
    name,
    slimFields.includes(name) ? field : hidden(field),
  ]);
  return { ...tool, fields: Object.fromEntries(fields) };
}

function checkToolset(name: string): void {
  if (TOOLSETS.some((known) => known === name)) return;
  const [nearest] = nearestNames(name, TOOLSETS, 1);
  throw new PithError("config_invalid", `server.toolsets: no toolset ${JSON.stringify(name)}`, {
    suggestion: nearest === undefined ? `Choose from ${TOOLSETS.join(", ")}.` : `Did you mean ${nearest}?`,
  });
}
