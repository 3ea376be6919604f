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

/**
 * Returns the arguments that add the server to one Codex run. The token is passed in the environment, never on the
 * command line. Codex does not ask before it calls the `granted` tools.
 */
export function codexConfigArgs(
  endpoint: PithEndpoint | undefined,
  granted: readonly string[] = [],
): string[] {
  if (endpoint === undefined) return [];
  const settings = [
    `mcp_servers.pith.url=${JSON.stringify(endpoint.url)}`,
    `mcp_servers.pith.bearer_token_env_var=${JSON.stringify(TOKEN_VARIABLE)}`,
    ...granted.map((tool) => `mcp_servers.pith.tools.${tool}.approval_mode="approve"`),
  ];
  return settings.flatMap((setting) => ["-c", setting]);
}

/**
 * Returns the arguments of a Claude Code run with the server of the given MCP configuration file. Claude Code does not
 * ask before it calls the `granted` tools. Both options consume all following words, so they stand at the end, but before
 * a `--`, after which Claude Code reads no options.
 */
export function claudeRunArgs(args: readonly string[], file: string, granted: readonly string[]): string[] {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  const rest = end < 0 ? [] : args.slice(end);
  const tools = granted.map((tool) => `mcp__pith__${tool}`).join(",");
  return [...options, ...(tools === "" ? [] : ["--allowedTools", tools]), "--mcp-config", file, ...rest];
}

/** Returns the environment variables by which an agent other than Claude and Codex finds the server. */
export function endpointVariables(endpoint: PithEndpoint | undefined): Record<string, string> {
  if (endpoint === undefined) return {};
  return { [URL_VARIABLE]: endpoint.url, [TOKEN_VARIABLE]: endpoint.token };
}
