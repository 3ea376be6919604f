import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { claude } from "./installed.ts";

const root = join(import.meta.dirname, "../..");

describe.skipIf(claude === undefined)("the Claude Code plugin", () => {
  it.each([".", "plugin"])("is valid by Claude Code's own strict check: %s", async (path) => {
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
