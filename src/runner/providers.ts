import type { PithEndpoint } from "./start-pith.ts";

/** Name of the environment variable from which some clients read the access token. */
export const TOKEN_VARIABLE = "PITH_MCP_TOKEN";
const URL_VARIABLE = "PITH_MCP_URL";

/**
 * Returns the value of `mcpServers` for the Claude Agent SDK or for a file for Claude Code's `--mcp-config`; it is
 * empty if no server is running.
 */
export function claudeMcpServers(endpoint: PithEndpoint | undefined): Record<string, ClaudeHttpServer> {
  if (endpoint === undefined) return {};
  return {
    pith: { type: "http", url: endpoint.url, headers: { Authorization: `Bearer ${endpoint.token}` } },
  };
}

export interface ClaudeHttpServer {
  readonly type: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Returns the arguments that add the server to one Codex run. The token is passed in the environment, never on the command line. */
export function codexConfigArgs(endpoint: PithEndpoint | undefined): string[] {
  if (endpoint === undefined) return [];
  return [
    "-c",
    `mcp_servers.pith.url=${JSON.stringify(endpoint.url)}`,
    "-c",
    `mcp_servers.pith.bearer_token_env_var=${JSON.stringify(TOKEN_VARIABLE)}`,
  ];
}

/** Returns the environment variables by which an agent other than Claude and Codex finds the server. */
export function endpointVariables(endpoint: PithEndpoint | undefined): Record<string, string> {
  if (endpoint === undefined) return {};
  return { [URL_VARIABLE]: endpoint.url, [TOKEN_VARIABLE]: endpoint.token };
}
