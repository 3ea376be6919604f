import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, WITH_INDEX_TOOLS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

it("never passes an argument to a program as an option", async () => {
  const folder = temporaryRepository({
    "a.py": "def answer():\n    return 1\n",
    "-n": "dash\n",
    "--help": "help\n",
  });
  try {
    const trap = join(makeFolder(), "trap.sh");
    const mark = `${trap}.mark`;
    writeFileSync(trap, `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(trap, 0o755);
    const client = await connect(folder.root, { args: WITH_INDEX_TOOLS });
    const texts = [`--pre=${trap}`, "--files", `--hostname-bin=${trap}`, "-f/etc/passwd", "--help", "-e"];
    for (const text of texts) {
      const said = await Promise.all([
        call(client, "grep", { pattern: text }),
        call(client, "grep", { pattern: "answer", glob: text }),
        call(client, "grep", { pattern: "answer", path: text }),
        call(client, "grep", { patterns: ["answer", text] }),
        call(client, "read", { file_path: text }),
        call(client, "get_file_outline", { path: text }),
        call(client, "search_code", { query: text, path: text }),
        call(client, "search_code", { query: "answer", ref: text }),
        call(client, "sync_repo", { ref: `--upload-pack=${trap}` }),
        call(client, "locate_symbol", { name: "answer", ref: `${text}:a.py` }),
        call(client, "build", { action: "log", runId: text, grep: text }),
      ]);
      expect(said.join("\n"), text).not.toMatch(/internal_error|root:|RIPGREP|USAGE/);
    }
    expect(await call(client, "read", { file_path: "-n" })).toContain("dash");
    expect(await call(client, "grep", { pattern: "-n|dash", path: "-n" })).toContain("dash");
    expect(existsSync(mark)).toBe(false);
  } finally {
    folder.dispose();
  }
});

it("passes no script name or argument of a build tool to a shell", async () => {
  const work = makeFolder({ "package.json": '{"name":"w","scripts":{"test":"echo tested"}}' });
  const client = await connect(work);
  for (const args of [
    ["$(touch mark)"],
    ["; touch mark"],
    ["`touch mark`"],
    ["&& touch mark"],
    ["| touch mark"],
  ])
    await call(client, "build", { action: "exec", tool: "npm.test", args });
  await call(client, "build", { action: "exec", tool: "npm.run", args: ["test; touch mark"] });
  expect(existsSync(join(work, "mark"))).toBe(false);
});
