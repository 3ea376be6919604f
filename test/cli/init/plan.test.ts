import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import type { Client, Places, Scope } from "../../../src/cli/init/client.ts";
import { CLIENTS } from "../../../src/cli/init/clients.ts";
import { detectClients, type FileView, planInit } from "../../../src/cli/init/plan.ts";
import { serverCommand } from "../../../src/cli/init/server-command.ts";
import { yamlEntry } from "../../../src/cli/init/yaml-edit.ts";
import { PithError } from "../../../src/kernel/errors.ts";

const SERVER = { command: "npx", args: ["-y", "pith", "serve"] };
const server = () => SERVER;
const linux: Places = { workspace: "/w", home: "/home/me", platform: "linux", variables: {} };

function view(files: Readonly<Record<string, string>>): FileView {
  const paths = Object.keys(files);
  return {
    read: (path) => files[path],
    exists: (path) => paths.some((file) => file === path || file.startsWith(`${path}/`)),
  };
}

function client(id: string): Client {
  const found = CLIENTS.find((one) => one.id === id);
  if (found === undefined) throw new Error(id);
  return found;
}

function parseAs({ format }: Client, text = ""): unknown {
  if (format === "yaml") return { extensions: { pith: yamlEntry(text, ["extensions", "pith"]) } };
  return format === "toml" ? parseToml(text) : parseJson(text);
}

const LOCAL = { type: "local", command: ["npx", "-y", "pith", "serve"], enabled: true };
/** The entry of clients that do not start their servers in the project's folder. */
const WORKSPACE_SERVER = { command: "npx", args: [...SERVER.args, "--workspace", "/w"] };
const WINDSURF = "/home/me/.codeium/windsurf/mcp_config.json";
const CLINE = "/home/me/.cline/data/settings/cline_mcp_settings.json";
const DESKTOP = "/home/me/.config/Claude/claude_desktop_config.json";
const GOOSE = "/home/me/.config/goose/config.yaml";
const EXPECTED = [
  [
    "claude-code",
    "/w/.mcp.json",
    "/home/me/.claude.json",
    { mcpServers: { pith: { type: "stdio", ...SERVER } } },
  ],
  ["codex", "/w/.codex/config.toml", "/home/me/.codex/config.toml", { mcp_servers: { pith: SERVER } }],
  ["cursor", "/w/.cursor/mcp.json", "/home/me/.cursor/mcp.json", { mcpServers: { pith: SERVER } }],
  [
    "vscode",
    "/w/.vscode/mcp.json",
    "/home/me/.config/Code/User/mcp.json",
    { servers: { pith: { type: "stdio", ...SERVER } } },
  ],
  ["gemini", "/w/.gemini/settings.json", "/home/me/.gemini/settings.json", { mcpServers: { pith: SERVER } }],
  ["opencode", "/w/opencode.json", "/home/me/.config/opencode/opencode.json", { mcp: { pith: LOCAL } }],
  [
    "zed",
    "/w/.zed/settings.json",
    "/home/me/.config/zed/settings.json",
    { context_servers: { pith: SERVER } },
  ],
  [
    "copilot-cli",
    "/w/.github/mcp.json",
    "/home/me/.copilot/mcp-config.json",
    { mcpServers: { pith: { type: "stdio", ...SERVER, tools: ["*"] } } },
  ],
  ["windsurf", WINDSURF, WINDSURF, { mcpServers: { pith: WORKSPACE_SERVER } }],
  ["cline", CLINE, CLINE, { mcpServers: { pith: { ...WORKSPACE_SERVER, disabled: false } } }],
  [
    "roo",
    "/w/.roo/mcp.json",
    "/home/me/.config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
    { mcpServers: { pith: SERVER } },
  ],
  [
    "kiro",
    "/w/.kiro/settings/mcp.json",
    "/home/me/.kiro/settings/mcp.json",
    { mcpServers: { pith: SERVER } },
  ],
  [
    "amp",
    "/w/.amp/settings.json",
    "/home/me/.config/amp/settings.json",
    { "amp.mcpServers": { pith: SERVER } },
  ],
  ["claude-desktop", DESKTOP, DESKTOP, { mcpServers: { pith: WORKSPACE_SERVER } }],
  ["jetbrains", "/w/.junie/mcp/mcp.json", "/home/me/.junie/mcp/mcp.json", { mcpServers: { pith: SERVER } }],
  [
    "goose",
    GOOSE,
    GOOSE,
    {
      extensions: {
        pith: { name: "pith", type: "stdio", cmd: "npx", args: SERVER.args, enabled: true, timeout: 300 },
      },
    },
  ],
  [
    "crush",
    "/w/crush.json",
    "/home/me/.config/crush/crush.json",
    { mcp: { pith: { type: "stdio", ...SERVER } } },
  ],
] as const;

it("names every client once", () => {
  expect(CLIENTS.map(({ id }) => id)).toEqual(EXPECTED.map(([id]) => id));
});

describe.each(EXPECTED)("%s", (id, project, user, content) => {
  it.each([
    ["project", project],
    ["user", user],
  ] as const)("creates its %s file", (scope, file) => {
    const [change] = planInit({ clients: [client(id)], scope, places: linux, server }, view({}));
    expect(change).toMatchObject({ file, before: undefined, state: "added" });
    expect(parseAs(client(id), change?.after)).toEqual(content);
  });

  it("is set up once, updated, and removed again", () => {
    const plan = (files: Record<string, string>, command = SERVER, undo = false) =>
      planInit(
        { clients: [client(id)], scope: "project", places: linux, server: () => command, undo },
        view(files),
      )[0];
    const created = plan({})?.after ?? "";
    expect(plan({ [project]: created })).toMatchObject({ state: "unchanged", after: created });
    const moved = plan({ [project]: created }, { command: "pith", args: ["serve"] });
    expect(moved?.state).toBe("updated");
    expect(moved?.after).not.toContain("npx");
    expect(plan({ [project]: created }, SERVER, true)).toMatchObject({ state: "removed", after: undefined });
    expect(plan({}, SERVER, true)).toMatchObject({ state: "unchanged", after: undefined });
  });

  it("is detected by its files", () => {
    for (const file of [project, user])
      // Roo Code is an extension of VS Code, which is then in use too.
      expect(
        detectClients(CLIENTS, linux, view({ [file]: "" }))
          .map((found) => found.id)
          .filter((found) => id !== "roo" || found !== "vscode"),
      ).toEqual([id]);
  });
});

describe("the location of a client's files", () => {
  const fileOf = (id: string, places: Partial<Places>) =>
    client(id).files("user", { ...linux, ...places })[0];

  it("follows the platform's conventions", () => {
    expect(fileOf("vscode", { platform: "darwin" })).toBe(
      "/home/me/Library/Application Support/Code/User/mcp.json",
    );
    expect(fileOf("zed", { platform: "darwin" })).toBe("/home/me/.config/zed/settings.json");
    const windows = { platform: "win32", variables: { APPDATA: "/appdata" } } as const;
    expect(fileOf("vscode", windows)).toBe("/appdata/Code/User/mcp.json");
    expect(fileOf("zed", windows)).toBe("/appdata/Zed/settings.json");
  });

  it("follows the clients' own variables", () => {
    const variables = { CODEX_HOME: "/c", CLAUDE_CONFIG_DIR: "/cl", XDG_CONFIG_HOME: "/x" };
    expect(fileOf("codex", { variables })).toBe("/c/config.toml");
    expect(fileOf("claude-code", { variables })).toBe("/cl/.claude.json");
    expect(fileOf("opencode", { variables })).toBe("/x/opencode/opencode.json");
    expect(fileOf("zed", { variables: { XDG_CONFIG_HOME: "not/absolute" } })).toBe(
      "/home/me/.config/zed/settings.json",
    );
  });
});

describe("OpenCode", () => {
  const plan = (files: Record<string, string>) =>
    planInit({ clients: [client("opencode")], scope: "project", places: linux, server }, view(files))[0];

  it("edits the file that exists, and the one that has the entry", () => {
    expect(plan({ "/w/opencode.jsonc": "{}" })?.file).toBe("/w/opencode.jsonc");
    const entry = '{"mcp": {"pith": {}}}';
    expect(plan({ "/w/opencode.json": "{}", "/w/opencode.jsonc": entry })?.file).toBe("/w/opencode.jsonc");
  });

  it("keeps the form of version 2 if the file has it", () => {
    const change = plan({
      "/w/opencode.json": '{"mcp": {"servers": {"a": {"type": "local", "command": ["a"]}}}}',
    });
    expect(parseJson(change?.after ?? "")).toMatchObject({ mcp: { servers: { a: {}, pith: LOCAL } } });
  });
});

it("keeps a byte order mark", () => {
  const [change] = planInit(
    { clients: [client("vscode")], scope: "project", places: linux, server },
    view({ "/w/.vscode/mcp.json": '\uFEFF{\r\n\t"servers": {}\r\n}\r\n' }),
  );
  expect(change?.after?.startsWith('\uFEFF{\r\n\t"servers": {\r\n\t\t"pith"')).toBe(true);
});

it("reports the file and the line of a syntax error", () => {
  const broken = view({ "/w/.mcp.json": '{\n  "mcpServers": {\n    "a": \n  }\n}' });
  const plan = () => planInit({ clients: CLIENTS, scope: "project", places: linux, server }, broken);
  expect(plan).toThrow(PithError);
  expect(plan).toThrow("/w/.mcp.json:4: value expected");
});

describe("the command that starts the server", () => {
  it.each([
    ["/home/me/.npm/_npx/abc/node_modules/pith/dist/pith.js", "npx -y pith serve"],
    ["/usr/lib/node_modules/pith/dist/pith.js", "pith serve"],
    ["/home/me/.local/share/pnpm/global/5/node_modules/pith/dist/pith.js", "pith serve"],
    ["/w/node_modules/pith/dist/pith.js", "npx pith serve"],
    // A file of the project is shared, so it has no path of this machine.
    ["/home/me/code/pith/dist/pith.js", "pith serve"],
    ["/home/me/code/pith/dist/pith.js", "node /home/me/code/pith/dist/pith.js serve", "user"],
  ] as const)("%s: %s %s", (file, expected, scope: Scope = "project") => {
    const { command, args } = serverCommand({ file, platform: "linux", workspace: "/w", scope });
    expect([command, ...args].join(" ")).toBe(expected);
  });

  it("goes through the shell on Windows, where npm's programs are scripts", () => {
    const file = "/usr/lib/node_modules/pith/dist/pith.js";
    expect(serverCommand({ file, platform: "win32", workspace: "/w", scope: "user" })).toEqual({
      command: "cmd",
      args: ["/c", "pith", "serve"],
    });
  });
});
