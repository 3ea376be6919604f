import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import type { ToolBox } from "../support/node-tools.ts";
import { amp, claude, cline, codex, copilot } from "./installed.ts";

function init(cwd: string, home: string, args: readonly string[]): void {
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const done = spawnSync(process.execPath, [BINARY, "init", "--yes", ...args], {
    cwd,
    env,
    encoding: "utf8",
  });
  expect(done).toMatchObject({ status: 0 });
}

describe("the configuration written by pith init", () => {
  it.skipIf(codex === undefined)(
    "Codex lists it beside the servers and comments that were there",
    async () => {
      const before =
        '# my own settings\nmodel = "gpt" # the usual\n\n[mcp_servers.other]\ncommand = "other" # keep\n';
      const home = makeFolder({ ".codex/config.toml": before });
      init(home, home, ["codex", "--scope", "user"]);
      expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toContain(before.trimEnd());
      const env = { PATH: process.env["PATH"] ?? "", HOME: home, CODEX_HOME: join(home, ".codex") };
      const { output, status } = (await codex?.run("codex", ["mcp", "list"], { cwd: home, env })) ?? {};
      expect(status).toBe(0);
      expect(output).toMatch(/^other\s+other/m);
      expect(output).toMatch(/^pith\s.*serve/m);
      init(home, home, ["codex", "--scope", "user", "--undo"]);
      expect(readFileSync(join(home, ".codex/config.toml"), "utf8").trimEnd()).toBe(before.trimEnd());
    },
  );

  it.skipIf(claude === undefined)("Claude Code connects to it", async () => {
    const home = makeFolder();
    const cwd = makeFolder({
      ".mcp.json": '{\n  "mcpServers": {\n    "other": { "command": "true" }\n  }\n}\n',
    });
    init(cwd, home, ["claude-code", "--scope", "user"]);
    const env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    const { output } = (await claude?.run("claude", ["mcp", "list"], { cwd, env })) ?? {};
    expect(output).toMatch(/pith:.*serve.*Connected/);
  });

  const clients: readonly [string, ToolBox | undefined, string, readonly string[], RegExp][] = [
    ["copilot-cli", copilot, "copilot", ["mcp", "get", "pith"], /Command: pith serve\n[^]*Source: Workspace/],
    ["amp", amp, "amp", ["mcp", "list"], /^Workspace .amp.settings.json\n\s+pith\s+command\s+pith serve/m],
    [
      "cline",
      cline,
      "cline",
      ["config", "mcp", "--json"],
      /"name":"pith","transportType":"stdio","disabled":false/,
    ],
  ];
  it.each(clients)("%s reads it", async (id, client, program, question, answer) => {
    if (client === undefined) return;
    const home = makeFolder();
    const cwd = makeFolder();
    spawnSync("git", ["init", "-q"], { cwd });
    init(cwd, home, [id, "--", "pith", "serve"]);
    // Copilot CLI reads the file of a folder only after its user has trusted it.
    mkdirSync(join(home, ".copilot"));
    writeFileSync(join(home, ".copilot/config.json"), JSON.stringify({ trusted_folders: [cwd] }));
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, NO_COLOR: "1" };
    expect((await client.run(program, question, { cwd, env })).output).toMatch(answer);
  });
});
