import { expect, it } from "vitest";
import type { Places } from "../../../src/cli/init/client.ts";
import { CLIENTS } from "../../../src/cli/init/clients.ts";
import { inspectClients } from "../../../src/cli/init/inspect.ts";
import type { FileView } from "../../../src/cli/init/plan.ts";

const places: Places = { workspace: "/w", home: "/h", platform: "linux", variables: {} };

function inspect(files: Readonly<Record<string, string>>) {
  const view: FileView = { read: (path) => files[path], exists: (path) => path in files };
  return inspectClients(CLIENTS, places, view);
}

it("reports where each client in use is set up, and how to set up the others", () => {
  const found = inspect({
    "/w/.mcp.json": '{"mcpServers": {"pith": {"command": "npx", "args": ["-y", "pith"]}}}',
    "/w/opencode.json": '{"mcp": {"pith": {"command": ["node", "/p/pith.js", "serve"]}}}',
    "/p/pith.js": "",
    "/h/.cursor": "",
  });
  expect(found).toEqual([
    { name: "Claude Code", ok: true, detail: "set up in /w/.mcp.json" },
    { name: "Cursor", ok: true, detail: "not set up; pith init cursor" },
    { name: "OpenCode", ok: true, detail: "set up in /w/opencode.json" },
  ]);
});

it("reports a configuration with which a client cannot start the server", () => {
  const found = inspect({
    "/w/.mcp.json": '{\n"mcpServers": }',
    "/h/.codex": "",
    "/h/.codex/config.toml": '[mcp_servers.pith]\ncommand = "node"\nargs = ["/gone/pith.js", "serve"]\n',
  });
  expect(found.map(({ ok, detail }) => [ok, detail])).toEqual([
    [false, "/w/.mcp.json:2: value expected"],
    [false, "/h/.codex/config.toml starts /gone/pith.js, which does not exist; pith init codex corrects it"],
  ]);
});
