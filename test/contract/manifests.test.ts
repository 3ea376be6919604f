import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TOOLS } from "../../src/mcp/registry.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const jsonOf = (path: string) => JSON.parse(textOf(path));

const { name, version, mcpName, bin } = jsonOf("package.json");

it("the registry's entry is this package, in this version", () => {
  const server = jsonOf("server.json");
  expect(server.name).toBe(mcpName);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.description.length).toBeLessThanOrEqual(100);
  expect(server.version).toBe(version);
  expect(server.packages).toMatchObject([
    { registryType: "npm", identifier: name, version, transport: { type: "stdio" } },
  ]);
  expect(Object.keys(bin)).toEqual([name]);
});

it("the plugin starts this version", () => {
  const plugin = jsonOf("plugin/.claude-plugin/plugin.json");
  expect(plugin).toMatchObject({ name, version });
  expect(plugin.mcpServers.pith.args).toEqual(["-y", `${name}@${version}`, "serve"]);
  const [listed] = jsonOf(".claude-plugin/marketplace.json").plugins;
  expect(listed).toMatchObject({ name, version, source: "./plugin" });
});

it("the skill names tools that exist", () => {
  const rows = textOf("plugin/skills/pith/SKILL.md").matchAll(/^\| [^|]+ \| `(\w+)`/gm);
  const tools = TOOLS.map((tool) => tool.name);
  const named = [...rows].map(([, tool]) => tool).filter((tool) => tool !== "Call");
  expect(named.length).toBeGreaterThan(5);
  for (const tool of named) expect(tools).toContain(tool);
});
