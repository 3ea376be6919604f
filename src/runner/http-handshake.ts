import { withTimeout } from "../kernel/with-timeout.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "pith-runner", version: "1" },
  },
};

/** Performs an MCP handshake over HTTP; throws if the server does not answer like an MCP server. */
export async function greetOverHttp(url: string, token: string, timeoutMs: number): Promise<void> {
  await withTimeout(timeoutMs, (signal) => greet(url, token, signal));
}

async function greet(url: string, token: string, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/json, text/event-stream" };
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(INITIALIZE),
    signal,
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"serverInfo"'))
    throw new Error(`status ${response.status}: ${text.slice(0, 200)}`);
  const session = response.headers.get("mcp-session-id");
  if (session === null) return;
  const goodbye = await fetch(url, {
    method: "DELETE",
    headers: { ...headers, "Mcp-Session-Id": session },
    signal,
  });
  await goodbye.body?.cancel();
}
