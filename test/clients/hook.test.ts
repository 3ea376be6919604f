import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { claude } from "./installed.ts";
import { makeProject } from "./project.ts";
import { startScriptedModel } from "./scripted-model.ts";

/** A build with much output and one error in it. */
const BUILD = [
  "for (let i = 0; i < 500; i++) console.log(`Compiling module ${i} of 500 in the shop`);",
  "console.log('src/convert.js(7,3): error TS2322: Type string is not assignable to type number.');",
  "process.exit(2);",
].join("\n");

const COMMANDS = [
  "node build.cjs",
  "node other.cjs",
  "cat package.json",
  "cd src && ls",
  "pwd",
  "node -e 'process.exit(9)'",
];

async function play(withHook: boolean): Promise<{ seen: string[]; cwd: string; home: string }> {
  const home = makeFolder();
  const cwd = makeProject();
  writeFileSync(join(cwd, "build.cjs"), BUILD);
  writeFileSync(join(cwd, "other.cjs"), "require('fs').writeFileSync('made.txt', '')");
  mkdirSync(join(cwd, ".claude"));
  const allow = ["Bash(node build.cjs)", "Bash(node -e:*)"];
  writeFileSync(join(cwd, ".claude/settings.local.json"), JSON.stringify({ permissions: { allow } }));
  // A folder with a space in its name, as on macOS.
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, PITH_DATA_DIR: join(home, "my pith") };
  if (withHook) {
    const args = [BINARY, "init", "claude-code", "--with-hooks", "--yes"];
    expect(spawnSync(process.execPath, args, { cwd, env })).toMatchObject({ status: 0 });
  }
  const model = await startScriptedModel(
    "anthropic",
    COMMANDS.map((command) => ({ tool: "Bash", args: () => ({ command, description: "step" }) })),
    "",
  );
  const result = await claude?.run("claude", ["-p", "go"], {
    cwd,
    env: {
      ...env,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  });
  expect(result).toMatchObject({ status: 0, output: expect.stringContaining("done") });
  return { seen: model.seen, cwd, home };
}

describe.skipIf(claude === undefined)("the shell hook in Claude Code", () => {
  it("shortens what is long, and changes no permission, exit code, folder or short output", async () => {
    const plain = await play(false);
    const hooked = await play(true);
    expect(hooked.seen).toHaveLength(COMMANDS.length);
    const [build = "", refused = "", ...others] = hooked.seen;
    const [plainBuild = "", plainRefused = "", ...plainOthers] = plain.seen;
    // The client itself cuts the middle out of what a failing command says.
    expect(plainBuild.length).toBeGreaterThan(9_000);
    expect(build).toMatch(/^Exit code 2\nFAIL/);
    expect(build).toContain("TS2322");
    expect(build.length).toBeLessThan(600);
    expect(refused).toContain("requires approval");
    expect(refused).toBe(plainRefused);
    expect(existsSync(join(hooked.cwd, "made.txt"))).toBe(false);
    expect(others.map((text) => text.replaceAll(hooked.cwd, "CWD"))).toEqual(
      plainOthers.map((text) => text.replaceAll(plain.cwd, "CWD")),
    );
    expect(others[2]).toBe(join(hooked.cwd, "src"));
    expect(others[3]).toMatch(/^Exit code 9/);
    const settings = readFileSync(join(hooked.cwd, ".claude/settings.local.json"), "utf8");
    expect(settings).toContain("CLAUDE_CODE_SHELL_PREFIX");
  });
});
