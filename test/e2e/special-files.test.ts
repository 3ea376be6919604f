import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { BINARY, call, connect, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { OUTSIDE_TEXT, putSpecial, SPECIAL_KINDS } from "../support/special-files.ts";

const MANIFESTS = [
  "package.json",
  "Cargo.toml",
  "go.mod",
  "pyproject.toml",
  "tsconfig.json",
  "Makefile",
  ".gitignore",
];

it("serves a workspace whose files are pipes, devices and links", async () => {
  const outside = join(makeFolder({ "secret.txt": OUTSIDE_TEXT }), "secret.txt");
  const root = makeFolder({ "a.ts": "export function needle(): void {}\n" });
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const close: (() => void)[] = [];
  const put = async (kind: string, path: string): Promise<void> =>
    void close.push(await putSpecial(kind, join(root, path), outside));
  for (const path of ["pith.toml", "package.json", ".vscode/tasks.json", ".git/HEAD"])
    await put("named pipe", path);
  for (const path of [".gitignore", ".gitattributes", ".pithignore"]) await put("link to /dev/zero", path);
  for (const [index, kind] of Object.keys(SPECIAL_KINDS).entries())
    for (const name of MANIFESTS) await put(kind, `k${index}/${name}`);
  onTestFinished(() => close.forEach((one) => one()));
  const client = await connect(root);
  const grep = { name: "grep", arguments: { pattern: "needle" } };
  const replies = [await client.callTool(grep), await client.callTool(grep)];
  expect(replies.map(({ content }) => content)).toEqual([
    [textOf("a.ts"), textOf("pith.toml has an error and is not used")],
    [textOf("a.ts")],
  ]);
  expect(await call(client, "read", { file_path: "a.ts" })).toContain("needle");
  expect(await call(client, "locate_symbol", { name: "needle" })).toContain("a.ts");
  expect(await call(client, "bash", { command: "echo done" })).toContain("done");
  for (const index of Object.keys(SPECIAL_KINDS).keys())
    expect(await call(client, "build", { action: "list", cwd: `k${index}` })).not.toContain(OUTSIDE_TEXT);
});

function textOf(part: string): unknown {
  return { type: "text", text: expect.stringContaining(part) };
}

it.skipIf(process.platform !== "linux")("leaves no ripgrep behind when it is killed", async () => {
  const root = makeFolder({ "a.txt": "needle\n" });
  await putSpecial("named pipe", join(root, "sub/.ignore"), "");
  const child = spawn(process.execPath, [BINARY, "serve", "--no-prewarm"], {
    cwd: root,
    env: serverEnvironment(),
    stdio: ["pipe", "ignore", "ignore"],
  });
  const calls = [
    {
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
    },
    { id: 1, method: "tools/call", params: { name: "grep", arguments: { pattern: "needle" } } },
  ];
  for (const message of calls) child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  for (let waited = 0; searchesIn(root).length === 0 && waited < 20_000; waited += 20) await delay(20);
  expect(searchesIn(root)).toHaveLength(1);
  await delay(200);
  child.kill("SIGKILL");
  for (let waited = 0; searchesIn(root).length > 0 && waited < 20_000; waited += 100) await delay(100);
  expect(searchesIn(root)).toEqual([]);
});

/** The running ripgrep processes whose working directory is this folder. */
function searchesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return (
        readlinkSync(`/proc/${pid}/cwd`) === folder &&
        readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("rg")
      );
    } catch {
      // Not a process, or one that has just ended.
      return false;
    }
  });
}
