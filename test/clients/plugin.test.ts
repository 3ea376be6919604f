import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { claude, codex, gemini } from "./installed.ts";

const root = join(import.meta.dirname, "../..");

describe.skipIf(claude === undefined)("the Claude Code plugin", () => {
  it.each([".", "plugin", "plugin-hooks"])("is valid by Claude Code's own strict check: %s", async (path) => {
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: makeFolder(),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    const args = ["plugin", "validate", "--strict", join(root, path)];
    expect(await claude?.run("claude", args, { cwd: root, env })).toMatchObject({ status: 0 });
  });
});

it.skipIf(gemini === undefined)("Gemini CLI accepts the extension", async () => {
  const env = { PATH: process.env["PATH"] ?? "", HOME: makeFolder() };
  const result = await gemini?.run("gemini", ["extensions", "validate", root], { cwd: root, env });
  expect(result).toMatchObject({ status: 0, output: expect.stringContaining("successfully validated") });
});

it.skipIf(codex === undefined)("Codex installs the plugin and lists its server", async () => {
  const home = makeFolder();
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, CODEX_HOME: home };
  const run = async (...words: string[]) => codex?.run("codex", words, { cwd: root, env });
  expect(await run("plugin", "marketplace", "add", root)).toMatchObject({ status: 0 });
  expect(await run("plugin", "add", "pith@pith")).toMatchObject({ status: 0 });
  const listed = await run("mcp", "list");
  expect(listed?.output).toMatch(/^pith\s+npx\s+-y pith@\S+ serve\s/m);
});
