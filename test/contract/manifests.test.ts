import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { claudeCode } from "../../src/cli/init/clients/claude-code.ts";
import { TOOLS } from "../../src/app/registry.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const jsonOf = (path: string) => JSON.parse(textOf(path));

const { name, version, license, mcpName, bin } = jsonOf("package.json");
const { description } = jsonOf("server.json");

/**
 * The rules of the registry's schema of 2025-12-11 (internal/validators/schemas in modelcontextprotocol/registry) for the
 * fields that Pith has. A field that is missing here fails the test, because it would be published unchecked.
 */
const BY_SCHEMA = {
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: expect.stringMatching(/^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: expect.stringMatching(/^.{1,100}$/),
  description: expect.stringMatching(/^.{1,100}$/),
  // The registry refuses a version range such as 1.x.
  version: expect.stringMatching(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
  packages: [
    {
      registryType: "npm",
      identifier: expect.any(String),
      version: expect.stringMatching(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/),
      runtimeHint: expect.any(String),
      packageArguments: [{ type: "positional", value: expect.any(String) }],
      transport: { type: "stdio" },
    },
  ],
};

it("the registry entry follows the schema and names this package in this version", () => {
  const server = jsonOf("server.json");
  expect(server).toEqual(BY_SCHEMA);
  expect(server).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  expect(Object.keys(bin)).toEqual([name]);
});

it("the plugin starts this version", () => {
  const plugin = jsonOf("plugin/.claude-plugin/plugin.json");
  expect(plugin).toMatchObject({ name, version });
  expect(plugin.mcpServers.pith.args).toEqual(["-y", `${name}@${version}`, "serve"]);
  const [listed, hooks] = jsonOf(".claude-plugin/marketplace.json").plugins;
  expect(listed).toMatchObject({ name, version, source: "./plugin" });
  expect(hooks).toMatchObject({ name: "pith-hooks", version, source: "./plugin-hooks" });
  expect(jsonOf("plugin-hooks/.claude-plugin/plugin.json")).toMatchObject({ name: "pith-hooks", version });
});

it("the plugin of the hooks has those that pith init writes", () => {
  const written = Object.entries(claudeCode.hooks?.entries?.("pith hook") ?? {});
  // A plugin may be installed where pith is not, so that each of its commands first looks for it.
  const guarded = JSON.stringify(
    Object.fromEntries(written.map(([event, entry]) => [event, [entry]])),
  ).replaceAll("pith hook || true", "if command -v pith >/dev/null 2>&1; then pith hook || true; fi");
  expect(jsonOf("plugin-hooks/hooks/hooks.json").hooks).toEqual(JSON.parse(guarded));
});

/** The fields that Agent Plugins 1.0.0 and Cursor's schema allow; both refuse others. */
const AGENT_PLUGIN = {
  $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
  name,
  version,
  description,
  author: { name: expect.any(String) },
  license,
  keywords: expect.any(Array),
};

it("the plugin follows Agent Plugins 1.0.0, and the formats of Codex and Cursor", () => {
  expect(jsonOf("plugin/plugin.json")).toEqual(AGENT_PLUGIN);
  expect(name).toMatch(/^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/);
  expect(jsonOf("plugin/mcp.json")).toEqual({
    $schema: "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
    mcpServers: { pith: { type: "stdio", command: "npx", args: ["-y", `${name}@${version}`, "serve"] } },
  });
  const { $schema: _, ...common } = AGENT_PLUGIN;
  const parts = { skills: "./skills/", mcpServers: "./mcp.json" };
  expect(jsonOf("plugin/.cursor-plugin/plugin.json")).toEqual({ ...common, ...parts, displayName: "Pith" });
  expect(jsonOf("plugin/.codex-plugin/plugin.json")).toMatchObject({ ...common, ...parts });
  for (const [file, source] of [
    [".cursor-plugin/marketplace.json", "plugin"],
    [".agents/plugins/marketplace.json", { source: "local", path: "./plugin" }],
  ] as const)
    expect(jsonOf(file)).toMatchObject({ name, plugins: [{ name, source }] });
});

it("the Gemini extension starts this version", () => {
  expect(jsonOf("gemini-extension.json")).toEqual({
    name,
    version,
    description,
    mcpServers: { pith: { command: "npx", args: ["-y", `${name}@${version}`, "serve"] } },
  });
});

/** Returns the configuration in the one-click link of a client in the README. */
function linkedEntry(link: RegExp, decode: (text: string) => string): unknown {
  const [, encoded = ""] = link.exec(textOf("README.md")) ?? [];
  return JSON.parse(decode(encoded));
}

it("the one-click links of the README install the entry", () => {
  const entry = { command: "npx", args: ["-y", name, "serve"] };
  const fromBase64 = (text: string): string => Buffer.from(decodeURIComponent(text), "base64").toString();
  expect(linkedEntry(/cursor\.com\/en\/install-mcp\?name=pith&config=([^)]+)/, fromBase64)).toEqual(entry);
  expect(linkedEntry(/lmstudio\.ai\/install-mcp\?name=pith&config=([^)]+)/, fromBase64)).toEqual(entry);
  expect(
    linkedEntry(/vscode\.dev\/redirect\/mcp\/install\?name=pith&config=([^)]+)/, decodeURIComponent),
  ).toEqual(entry);
});

it("the skill names tools that exist", () => {
  const rows = textOf("plugin/skills/pith/SKILL.md").matchAll(/^\| [^|]+ \| `(\w+)`/gm);
  const tools = TOOLS.map((tool) => tool.name);
  const named = [...rows].map(([, tool]) => tool).filter((tool) => tool !== "Call");
  expect(named.length).toBeGreaterThan(5);
  for (const tool of named) expect(tools).toContain(tool);
});
