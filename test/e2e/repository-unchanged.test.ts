import { spawn } from "node:child_process";
import { once } from "node:events";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BINARY, connect, serverEnvironment, WITH_INDEX_TOOLS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { folderAt } from "../support/git-folder.ts";
import { untilNoneNames } from "../support/processes.ts";
import { fingerprintOf } from "../support/tree-state.ts";

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["search_code", { query: "start the server" }],
  ["locate_symbol", { name: "start" }],
  ["locate_symbol", { name: "start", ref: "HEAD" }],
  ["get_file_outline", { path: "src/a.py" }],
  ["index_repository", { force_reindex: true }],
  ["sync_repo", {}],
  ["sync_repo", { ref: "HEAD" }],
  ["index_status", {}],
  ["health_check", {}],
  ["read", { file_path: "src/a.py" }],
  ["grep", { pattern: "start" }],
];

const COMMANDS: readonly (readonly string[])[] = [
  ["index"],
  ["sync"],
  ["search", "start the server"],
  ["symbol", "start"],
  ["outline", "src/a.py"],
  ["read", "src/a.py"],
  ["grep", "start"],
  ["stats"],
  ["projects"],
  ["config"],
];

/** Files whose times differ from git's index, so that a careless git command would rewrite the index. */
function busyRepository(): string {
  const folder = folderAt(
    makeFolder({ "src/a.py": "def start():\n    pass\n", "b.md": "# b\n", ".gitignore": "out/\n" }),
  );
  folder.git("init", "-q");
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", "first");
  folder.write("out/made.py", "def made():\n    pass\n");
  folder.write("new.py", "def fresh():\n    pass\n");
  utimesSync(join(folder.root, "src/a.py"), 1_000_000_000, 1_000_000_000);
  return folder.root;
}

it("no command of the code index writes into the repository or leaves a process behind", async () => {
  const root = busyRepository();
  const dataFolder = makeFolder();
  const before = fingerprintOf(root);
  const client = await connect(root, { dataFolder, args: WITH_INDEX_TOOLS });
  for (const [name, args] of CALLS) {
    const reply = await client.callTool({ name, arguments: { ...args } });
    expect(reply.isError ?? false, `${name} ${JSON.stringify(reply.content)}`).toBe(false);
    expect(fingerprintOf(root), name).toEqual(before);
  }
  await client.close();
  for (const command of COMMANDS) {
    const child = spawn(process.execPath, [BINARY, ...command], {
      cwd: root,
      env: serverEnvironment({ dataFolder }),
      stdio: "ignore",
    });
    const [code] = await once(child, "exit");
    expect(code, command.join(" ")).toBe(0);
    expect(fingerprintOf(root), command.join(" ")).toEqual(before);
  }
  await untilNoneNames(dataFolder);
}, 120_000);
