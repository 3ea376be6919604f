import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { pithInside } from "../support/inside.ts";

let root: string;
let home: string;
let work: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pith-init-")));
  home = join(root, "home");
  work = join(root, "work");
  await mkdir(home);
  await mkdir(join(work, "deep"), { recursive: true });
  await mkdir(join(work, ".git"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function init(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return pith("init", ...args);
}

async function pith(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, "AppData"),
  };
  const { status, stdout, stderr } = await pithInside(args, join(work, "deep"), env);
  return { code: status ?? -1, out: stdout, err: stderr };
}

it("sets up the clients in use at the root of the workspace, once, and removes them again", async () => {
  const settings = '{\n  // mine\n  "theme": "x",\n}\n';
  await mkdir(join(work, ".zed"));
  await writeFile(join(work, ".zed/settings.json"), settings);
  await mkdir(join(home, ".codex"));
  const first = await init("--yes");
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toContain("+[mcp_servers.pith]");
  const zed = await readFile(join(work, ".zed/settings.json"), "utf8");
  // The files of a project are shared, so they never contain a path of this machine.
  expect(zed).toContain('"command": "pith",\n      "args": ["serve"]');
  expect(await readFile(join(work, ".codex/config.toml"), "utf8")).toContain('command = "pith"');
  expect(first.out).toContain("Codex reads the file of a project only if you trust it");
  expect(first.out).toContain("pith is not on your PATH: install it with npm install -g pith");
  const second = await init("--yes");
  expect(second).toMatchObject({ code: 0 });
  expect(second.out).toContain("Zed: already set up");
  expect(second.out).toContain("Nothing to change.");
  expect((await init("--undo", "--yes")).code).toBe(0);
  expect(await readFile(join(work, ".zed/settings.json"), "utf8")).toBe(settings);
  expect((await readdir(work)).sort()).toEqual([".git", ".zed", "deep"]);
});

it("gives the advice for projects only about the file of a project, and no entry to add when it removes", async () => {
  const user = await init("codex", "--scope", "user", "--yes");
  expect(user).toMatchObject({ code: 0, out: expect.stringMatching(/^Codex: added in .*config\.toml\.$/m) });
  const undone = await init("--undo", "nosuch");
  expect(undone).toMatchObject({ code: 2, out: "" });
  expect(undone.err).toContain("no client nosuch");
});

it("writes nothing in a dry run or without confirmation", async () => {
  const dry = await init("--client", "claude-code", "--dry-run", "--", "my-pith", "--flag");
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.out).toContain('+      "command": "my-pith",');
  const silent = await init("claude-code,cursor");
  expect(silent.code).toBe(1);
  expect(silent.out).toContain("Pass --yes");
  expect(await readdir(work)).toEqual([".git", "deep"]);
});

it("writes the user's files with --scope user, and reports as JSON", async () => {
  await writeFile(
    join(home, ".claude.json"),
    '{\n  "mcpServers": {\n    "a": {\n      "command": "a"\n    }\n  }\n}',
  );
  const { code, out } = await init("--client", "claude-code", "--scope", "user", "--yes", "--json");
  const report = JSON.parse(out) as {
    written: boolean;
    changes: { file: string; state: string; diff: string }[];
  };
  expect(code).toBe(0);
  expect(report.written).toBe(true);
  expect(report.changes).toMatchObject([
    { client: "claude-code", file: join(home, ".claude.json"), state: "added" },
  ]);
  expect(JSON.parse(await readFile(join(home, ".claude.json"), "utf8"))).toMatchObject({
    mcpServers: { a: { command: "a" }, pith: { type: "stdio" } },
  });
});

it("leaves every file alone when one of them is broken", async () => {
  await writeFile(join(work, ".mcp.json"), '{ "mcpServers": ');
  const { code, err } = await init("--client", "cursor", "--client", "claude-code", "--yes");
  expect(code).toBe(2);
  expect(err).toContain(`${join(work, ".mcp.json")}:1: value expected`);
  expect((await readdir(work)).sort()).toEqual([".git", ".mcp.json", "deep"]);
});

it("rejects unknown clients and scopes", async () => {
  expect((await init("--client", "cursr")).err).toContain("Did you mean cursor?");
  const other = await init("some-editor");
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringContaining("no client some-editor. Clients: claude-code,"),
  });
  expect(JSON.parse(other.out.slice(other.out.indexOf("{")))).toEqual({
    mcpServers: { pith: { command: "pith", args: ["serve"] } },
  });
  expect((await init("--scope", "world")).err).toContain("--scope must be project or user");
  expect((await init()).err).toContain("no client is in use");
});

it("starts the server as each client would, and says what it cannot check", async () => {
  await init("claude-code", "--yes", "--", process.execPath, BINARY, "serve");
  await init("cursor", "zed", "--yes");
  const { code, out } = await pith("doctor");
  expect(code).toBe(1);
  expect(out).toMatch(/ok +start by Claude Code +\S+node \S+pith\.js serve: 7 tools/);
  expect(out).toMatch(/FAIL start by Cursor and 1 more +pith serve: pith is not on your PATH: install it/);
  expect(out).toContain("Not checked: whether you have approved the server");
});

it("adds hooks only on request, once, beside those of others, and removes them again", async () => {
  const settings = join(work, ".claude/settings.json");
  const guard = { matcher: "Bash", hooks: [{ type: "command", command: "./guard.sh" }] };
  const own = JSON.stringify(
    { model: "x", hooks: { PostToolUse: [guard], PreToolUse: [guard] } },
    undefined,
    2,
  );
  await mkdir(join(work, ".claude"));
  await writeFile(settings, own);
  await init("claude-code", "--yes");
  expect(await readFile(settings, "utf8")).toBe(own);
  expect((await init("claude-code", "--with-hooks", "--yes")).code).toBe(0);
  const written = await readFile(settings, "utf8");
  const hook = { type: "command", command: "pith hook || true", timeout: 10 };
  expect(JSON.parse(written)).toEqual({
    model: "x",
    hooks: {
      PostToolUse: [guard, { matcher: "Bash|Read", hooks: [hook] }],
      PreToolUse: [guard],
      PostToolBatch: [{ hooks: [hook] }],
      SessionStart: [{ hooks: [hook] }],
    },
  });
  expect((await init("claude-code", "--with-hooks", "--yes")).out).toContain("Nothing to change.");
  expect((await init("claude-code", "--undo", "--yes")).code).toBe(0);
  expect(JSON.parse(await readFile(settings, "utf8"))).toEqual(JSON.parse(own));
});

it("sets up the hooks of each client that has them, and says where there are none", async () => {
  const clients = ["codex", "gemini", "opencode", "cursor"] as const;
  const files = [
    ".codex/hooks.json",
    ".gemini/settings.json",
    ".opencode/plugins/pith.js",
    ".cursor/hooks.json",
  ];
  const { err } = await init(...clients, "zed", "--with-hooks", "--yes");
  expect(err).toContain("Zed: no hooks were set up; it has none that Pith can use.");
  const [codex = "", gemini = "", opencode = "", cursor = ""] = await Promise.all(
    files.map((file) => readFile(join(work, file), "utf8")),
  );
  expect(JSON.parse(codex)).toHaveProperty("hooks.PostToolUse.0.hooks.0.command", "pith hook codex");
  expect(JSON.parse(gemini)).toMatchObject({
    mcpServers: { pith: { command: "pith" } },
    hooks: { AfterTool: [{ hooks: [{ command: "pith hook gemini", timeout: 10_000 }] }] },
  });
  const hook = { command: "pith hook cursor", timeout: 10 };
  expect(JSON.parse(cursor)).toEqual({
    version: 1,
    hooks: { postToolUse: [{ matcher: "^(?:Write|Read)$", ...hook }], sessionStart: [hook] },
  });
  expect(opencode).toContain('const [PROGRAM, ...ARGS] = ["pith","hook","opencode"];');
  expect((await init(...clients, "--with-hooks", "--yes")).out).toContain("Nothing to change.");
  await init(...clients, "--undo", "--yes");
  for (const file of files) await expect(readFile(join(work, file), "utf8")).rejects.toThrow("ENOENT");
  await mkdir(join(work, ".opencode/plugins"), { recursive: true });
  await writeFile(join(work, ".opencode/plugins/pith.js"), "export const mine = 1;\n");
  expect((await init("opencode", "--with-hooks", "--yes")).err).toContain("not one that Pith wrote");
});

it("names the shell prefix of an earlier version, and removes it", async () => {
  const settings = join(work, ".claude/settings.local.json");
  const old = JSON.stringify({ env: { MINE: "1", CLAUDE_CODE_SHELL_PREFIX: join(root, "old") } });
  await mkdir(join(work, ".claude"));
  await writeFile(settings, old);
  await writeFile(
    join(root, "old"),
    "#!/bin/sh\n# Runs a script through Pith; set up by pith init --with-hooks.\n",
  );
  const found = await pith("doctor");
  expect(found.code).toBe(1);
  const [command = ""] = /pith init claude-code.*/.exec(found.out) ?? [];
  expect((await pith(...command.split(" ").slice(1), "--yes")).code).toBe(0);
  expect(JSON.parse(await readFile(settings, "utf8"))).toEqual({ env: { MINE: "1" } });
  expect((await pith("doctor")).out).not.toContain("shell prefix");
  await writeFile(settings, old);
  expect((await init("claude-code", "--undo", "--yes")).code).toBe(0);
  expect(JSON.parse(await readFile(settings, "utf8"))).toEqual({ env: { MINE: "1" } });
});
