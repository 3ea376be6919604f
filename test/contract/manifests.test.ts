import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TOOLS } from "../../src/app/registry.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
const jsonOf = (path: string) => JSON.parse(textOf(path));

const { name, version, mcpName, bin } = jsonOf("package.json");

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
