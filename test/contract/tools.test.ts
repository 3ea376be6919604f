import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import type { Config } from "../../src/config/keys.ts";
import { loadConfig } from "../../src/config/load.ts";
import { instructionsFor } from "../../src/mcp/instructions.ts";
import { listTool } from "../../src/mcp/listing.ts";
import { offeredTools, TOOLS, TOOLSETS } from "../../src/app/registry.ts";
import type { AnyTool } from "../../src/app/tool.ts";
import { makeFolder } from "../support/folder.ts";

function configWith(flags: Record<string, unknown> = {}): Config {
  const folder = makeFolder();
  return loadConfig({ variables: {}, home: folder, platform: "linux", cwd: folder }, folder, flags).config;
}

/** Tokens of the part of a tool that a model receives, counted by the real tokenizer. */
function tokensOf(tool: AnyTool): number {
  const { name, description, inputSchema } = listTool(tool, false);
  return encode(JSON.stringify({ name, description, inputSchema })).length;
}

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  it("has the schema of its snapshot", async () => {
    await expect(`${JSON.stringify(listTool(tool, false), undefined, 2)}\n`).toMatchFileSnapshot(
      `tools/${name}.json`,
    );
  });

  it("costs a model at most 300 tokens", () => {
    expect(tokensOf(tool)).toBeLessThanOrEqual(300);
  });

  it("has a portable name and a flat schema", () => {
    expect(name).toMatch(/^[a-z_]{1,40}$/);
    expect(JSON.stringify(listTool(tool, false).inputSchema)).not.toMatch(/\$schema|anyOf|oneOf|allOf|\$ref/);
    for (const alias of Object.keys(tool.aliases ?? {})) expect(tool.fields).not.toHaveProperty(alias);
    for (const target of Object.values(tool.aliases ?? {})) expect(tool.fields).toHaveProperty(target);
  });

  it("declares every field that names a place as a path", () => {
    const places = /^(path|file_path|cwd|repo_path|workspace)$/;
    for (const [field, { path }] of Object.entries(tool.fields))
      expect([field, path]).toEqual([field, places.test(field)]);
  });

  it("has consistent annotations", () => {
    const { readOnlyHint, destructiveHint } = tool.annotations;
    expect(Object.values(tool.annotations)).toHaveLength(4);
    expect(readOnlyHint && destructiveHint).toBe(false);
  });
});

describe("the tool list", () => {
  it("costs a model at most 1,200 tokens by default, and 400 when slim", () => {
    const cost = (flags: Record<string, unknown>): number =>
      offeredTools(configWith(flags)).reduce((sum, tool) => sum + tokensOf(tool), 0);
    expect(cost({})).toBeLessThanOrEqual(1_200);
    expect(cost({ "server.slim": true })).toBeLessThanOrEqual(400);
  });

  it("lists the search mode only if embeddings are configured", () => {
    const listed = (flags: Record<string, unknown>) =>
      offeredTools(configWith(flags)).flatMap((tool) =>
        tool.name === "search_code" ? [listTool(tool, false).inputSchema.properties] : [],
      )[0];
    expect(listed({})).not.toHaveProperty("mode");
    expect(listed({ "search.semantic.provider": "ollama" })).toHaveProperty("mode");
  });

  it("has unique names in a fixed order", () => {
    const names = TOOLS.map((tool) => tool.name);
    expect(new Set(names).size).toBe(names.length);
    expect(offeredTools(configWith()).map((tool) => tool.name)).toEqual(
      names.filter((name) =>
        TOOLS.some((tool) => tool.name === name && !["index", "jobs"].includes(tool.toolset)),
      ),
    );
  });

  it("is selected by toolset, and an unknown toolset is refused", () => {
    expect(
      offeredTools(configWith({ "server.toolsets": "files" })).every((tool) => tool.toolset === "files"),
    ).toBe(true);
    expect(() => offeredTools(configWith({ "server.toolsets": "file" }))).toThrow(/no toolset "file"/);
  });

  it("has only read-only tools on a read-only server", () => {
    expect(
      offeredTools(configWith({ "server.read_only": true })).every((tool) => tool.annotations.readOnlyHint),
    ).toBe(true);
  });

  it("comes with instructions of at most 400 characters that name only offered tools", () => {
    const all = TOOLS.map(({ name }) => name);
    for (const flags of [
      {},
      { "server.slim": true },
      ...TOOLSETS.map((name) => ({ "server.toolsets": name })),
    ]) {
      const offered = new Set(offeredTools(configWith(flags)).map(({ name }) => name));
      const words = instructionsFor(offered);
      expect(words.length).toBeLessThanOrEqual(400);
      // "not grep" is about the client's own command.
      const named = all.filter((name) => new RegExp(`(?<!not )\\b${name}\\b`).test(words));
      // "read" and "build" are also plain words, and name tools only as the last word of a phrase.
      expect(named.filter((name) => !offered.has(name))).toEqual([]);
    }
    expect(instructionsFor(new Set(all)).length).toBeLessThanOrEqual(400);
  });
});
