import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { makeFolder } from "./folder.ts";

/** Path of the built binary that users run. */
export const BINARY = join(import.meta.dirname, "../../dist/pith.js");

export const ERAS = ["legacy", "modern"] as const;
export type Era = (typeof ERAS)[number];

/** Server arguments that enable the default toolsets and the index management tools. */
export const WITH_INDEX_TOOLS: readonly string[] = ["--toolsets", "code,run,files,index"];

const MODERN_VERSION = "2026-07-28";

export interface ServerOptions {
  readonly era?: Era;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The server's data folder; default: a fresh one. Passing the same folder twice tests a restart. */
  readonly dataFolder?: string;
  /** Receives the server's stderr, one event per line. */
  readonly events?: Record<string, unknown>[];
}

/** Returns an SDK client that speaks the protocol of one era. */
export function clientFor({ era }: Pick<ServerOptions, "era">): Client {
  return new Client(
    { name: "pith-test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "modern" ? { pin: MODERN_VERSION } : "legacy" } },
  );
}

/** Starts the built server over stdio in a workspace and connects the SDK's own client to it. */
export async function connect(workspace: string, options: ServerOptions = {}): Promise<Client> {
  const client = clientFor(options);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, "serve", ...(options.args ?? [])],
    cwd: workspace,
    env: serverEnvironment(options),
    stderr: options.events === undefined ? "ignore" : "pipe",
  });
  if (transport.stderr instanceof Readable)
    createInterface({ input: transport.stderr }).on("line", (line) => {
      options.events?.push(JSON.parse(line) as Record<string, unknown>);
    });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Returns an environment with its own home folder, so that the machine's settings and data have no influence. */
export function serverEnvironment(
  options: Pick<ServerOptions, "env" | "dataFolder"> = {},
): Record<string, string> {
  const dataFolder = options.dataFolder ?? makeFolder();
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: dataFolder,
    PITH_DATA_DIR: join(dataFolder, "data"),
    // npm prints its update notice at unpredictable times, and replies are compared exactly.
    npm_config_update_notifier: "false",
    // The plugins that a machine happens to have take four times as long as pytest itself.
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1",
    ...options.env,
  };
}

/** Returns the only text block of a reply. */
export function textOf(result: CallToolResult): string {
  const [block, ...more] = result.content;
  if (block?.type !== "text" || more.length > 0)
    throw new Error(`not one text block: ${JSON.stringify(result.content)}`);
  return block.text;
}

/** Calls a tool and returns its text. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  return textOf(await client.callTool({ name, arguments: args }));
}

/** Returns the `_meta.pith` field of a reply. */
export function pithMeta(result: CallToolResult): Record<string, unknown> {
  return result._meta?.["pith"] as Record<string, unknown>;
}
