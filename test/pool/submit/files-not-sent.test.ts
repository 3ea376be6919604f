import { describe, expect, it } from "vitest";
import { filesNotSent, missingIn } from "../../../src/pool/submit/files-not-sent.ts";
import type { RunFindings } from "../../../src/model/run.ts";
import { temporaryRepository } from "../../support/git-folder.ts";

describe("files that a job missed", () => {
  it.each([
    ["Error: ENOENT: no such file or directory, open 'config/local.json'", "config/local.json"],
    ["FileNotFoundError: [Errno 2] No such file or directory: 'config/local.json'", "config/local.json"],
    ["cat: config/local.json: No such file or directory", "config/local.json"],
    ["main.c:1:10: fatal error: build/config.h: No such file or directory", "build/config.h"],
    ["panic: open config/local.json: no such file or directory", "config/local.json"],
    ["error: couldn't read `src/data.txt`: No such file or directory (os error 2)", "src/data.txt"],
    ["Error: Cannot find module './generated/client'", "./generated/client"],
    ["sh: 1: cannot open config/local.env: No such file", "config/local.env"],
    ["python: can't open file 'tools/gen.py': [Errno 2] No such file or directory", "tools/gen.py"],
  ])("are read from %s", (line, path) => {
    expect(missingIn(`before\n${line}\nafter`)).toContain(path);
  });

  it("are named if they exist here and git ignores them", async () => {
    const folder = temporaryRepository({ ".gitignore": "dist/\n*.env\n", "kept.txt": "", "sub/a.txt": "" });
    folder.write("dist/client.js", "");
    folder.write("sub/local.env", "");
    const of = (...messages: string[]) => {
      const diagnostics = messages.map((message) => ({ tool: "x", severity: "error" as const, message }));
      const none = { total: 0, first: [], last: [] };
      const findings: RunFindings = {
        diagnostics,
        tests: [],
        counts: { error: messages.length, warning: 0, info: 0 },
        notKept: { diagnostics: 0, failures: 0 },
        testsExpected: false,
        unclaimed: { stdout: none, stderr: none },
        suspects: [],
      };
      return filesNotSent({ workspace: folder.root, cwd: `${folder.root}/sub`, findings });
    };
    try {
      expect(
        await of("Cannot find module '../dist/client'", "cat: local.env: No such file or directory"),
      ).toEqual(["dist/client.js", "sub/local.env"]);
      expect(await of(`cat: ${folder.root}/dist/client.js: No such file or directory`)).toEqual([
        "dist/client.js",
      ]);
      // A file that was sent, one that exists nowhere, and one outside of the workspace.
      expect(
        await of(
          "a: kept.txt: No such file or directory",
          "b: gone.env: No such file or directory",
          "c: /etc/hosts: No such file or directory",
        ),
      ).toEqual([]);
    } finally {
      folder.dispose();
    }
  });
});
