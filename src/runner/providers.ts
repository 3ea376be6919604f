import type { PithEndpoint } from "./start-pith.ts";

/** The environment variable that carries the token to clients which read it from there. */
export const TOKEN_VARIABLE = "PITH_MCP_TOKEN";
const URL_VARIABLE = "PITH_MCP_URL";

/** `mcpServers` for the Claude Agent SDK and for a Claude Code `--mcp-config` file; empty without a server. */
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

/** Arguments that add the server to one Codex run; the token goes by the environment, never by the command line. */
export function codexConfigArgs(endpoint: PithEndpoint | undefined): string[] {
  if (endpoint === undefined) return [];
  return [
    "-c",
    `mcp_servers.pith.url=${JSON.stringify(endpoint.url)}`,
    "-c",
    `mcp_servers.pith.bearer_token_env_var=${JSON.stringify(TOKEN_VARIABLE)}`,
  ];
}

/** What any other command finds in its environment. */
export function endpointVariables(endpoint: PithEndpoint | undefined): Record<string, string> {
  if (endpoint === undefined) return {};
  return { [URL_VARIABLE]: endpoint.url, [TOKEN_VARIABLE]: endpoint.token };
}
