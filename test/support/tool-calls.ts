import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Answer, callTool } from "../../src/app/pipeline.ts";
import { TOOLS } from "../../src/app/registry.ts";
import { createServices } from "../../src/app/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { makeFolder } from "./folder.ts";

export type Ask = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

interface ServeOptions {
  readonly home?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Folders outside the workspace that the user allows. */
  readonly roots?: readonly string[];
  /** The folder of the server's data; two servers with the same one share their index. */
  readonly data?: string;
}

/** Opens a server on a workspace and returns a function that calls its tools, as a client does. */
export function serve(workspace: string, options: ServeOptions = {}): Ask {
  const { home = makeFolder(), variables = {}, roots = [], data = join(makeFolder(), "data") } = options;
  const environment = { variables, home, platform: process.platform, cwd: workspace };
  const flags = {
    "server.data_dir": data,
    "server.log_level": "error",
    "server.roots": roots,
    "index.time_budget_ms": 60_000,
  };
  const { config } = loadConfig(environment, workspace, flags);
  const services = createServices(config, environment, workspace, { supervised: false });
  onTestFinished(() => services.close());
  const caller = { signal: new AbortController().signal, progress: () => undefined };
  return async (name, args) => {
    const tool = TOOLS.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return callTool(tool, args, services, caller);
  };
}
