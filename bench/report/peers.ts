import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import peers from "./peers.json" with { type: "json" };

export type PeerName = keyof typeof peers;

/** The command to show when a peer has not been installed. */
export const NOT_INSTALLED = "npm run bench -- --install-peers";

/** Returns the path of a peer's program if it was installed. */
export function peerProgram(name: PeerName): string | undefined {
  const path = join(process.cwd(), ".cache/peers", name, "node_modules/.bin", peers[name].program);
  return existsSync(path) ? path : undefined;
}

/** Returns the name of a peer with its version. */
export function peerTitle(name: PeerName): string {
  return `${name} ${peers[name].package.split("@").at(-1)}`;
}

interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Returns the command with which clients start the built Pith. */
export function pithServer(cwd: string, ...args: readonly string[]): ServerCommand {
  return { command: process.execPath, args: [join(process.cwd(), "dist/pith.js"), "serve", ...args], cwd };
}

/** Starts an MCP server with its own home folder, passes its client to the work, and stops it. */
export async function withServer<T>(
  { command, args, cwd }: ServerCommand,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "pith-bench-home-"));
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, XDG_DATA_HOME: home };
  const transport = new StdioClientTransport({ command, args: [...args], cwd, env, stderr: "ignore" });
  try {
    await client.connect(transport);
    return await use(client);
  } finally {
    await client.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Returns the text of a tool's answer as a model reads it. */
export async function textOf(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...args } }, { timeout: 180_000 });
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
