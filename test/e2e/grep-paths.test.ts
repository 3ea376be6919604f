import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { BINARY, call, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const FILES = {
  "src/a.ts": "needle in a\nthread in a\n",
  "src/test/a.test.ts": "needle in a test\n",
  "lib/b.ts": "needle in b\n",
  "lib/b.lock": "needle in a lock\n",
  "test/c.ts": "needle in c\n",
  "my notes/d.md": "needle in notes\n",
  "yarn.lock": "needle in yarn\n",
};

const ALL = Object.keys(FILES).sort();
const without = (pattern: RegExp): string[] => ALL.filter((file) => !pattern.test(file));
const TESTS = /^test\/|\/test\//;

describe("grep takes several paths, and leaves out those with an exclamation mark", () => {
  const CASES: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
    ["a list", { path: ["src", "lib"] }, ALL.filter((file) => /^(?:src|lib)/.test(file))],
    ["blanks", { path: "src lib" }, ALL.filter((file) => /^(?:src|lib)/.test(file))],
    ["a path with blanks", { path: "my notes, lib" }, ALL.filter((file) => /^(?:my|lib)/.test(file))],
    ["folders left out anywhere", { path: "!test/" }, without(TESTS)],
    ["files left out", { path: ["!*.lock"] }, without(/\.lock$/)],
    ["both beside a path", { path: ". !test/ !*.lock" }, without(/\.lock$|^test\/|\/test\//)],
    ["one folder left out", { path: ["src", "!src/test"] }, ["src/a.ts"]],
    ["one place left out", { path: "!/test/" }, without(/^test\//)],
    ["in glob, as a text", { glob: "*.ts !test/" }, ["lib/b.ts", "src/a.ts"]],
    ["in glob, as a list", { glob: ["*.ts", "!test/"] }, ["lib/b.ts", "src/a.ts"]],
    ["in glob with alternatives", { glob: "*.{ts, lock}" }, without(/\.(?:md|lock)$/)],
  ];

  it("as a list or a text, in path and in glob", async () => {
    const client = await connect(makeFolder(FILES));
    for (const [title, args, expected] of CASES) {
      const text = await call(client, "grep", { pattern: "needle", output: "files", ...args });
      expect([title, ...text.split("\n").sort()]).toEqual([title, ...expected]);
    }
  });

  it("and several patterns, in either argument", async () => {
    const client = await connect(makeFolder(FILES));
    const expected = "src/a.ts\n 1: needle in a\n 2: thread in a";
    for (const patterns of [{ pattern: ["needle", "thread"] }, { patterns: ["needle", "thread"] }])
      expect(await call(client, "grep", { ...patterns, path: "src !test/" })).toBe(expected);
    expect(await call(client, "grep", { pattern: "[t]hread" })).toBe("src/a.ts:2: thread in a");
  });

  it("and names a path that does not exist beside the matches in the others", async () => {
    const client = await connect(makeFolder(FILES));
    const args = { pattern: "needle", path: ["src/a.ts", "nowhere"] };
    expect(await call(client, "grep", args)).toBe("src/a.ts:1: needle in a\n[not found: nowhere]");
    expect(JSON.parse(await call(client, "grep", { ...args, response_format: "json" }))).toMatchObject({
      total: 1,
      missing_paths: ["nowhere"],
    });
    expect(await call(client, "grep", { ...args, path: ["nowhere", "nor there"] })).toContain(
      "file_not_found",
    );
  });

  it("on the command line too", () => {
    const args = [
      BINARY,
      "grep",
      "-e",
      "needle",
      "-e",
      "thread",
      "src",
      "lib",
      "nowhere",
      "!test/",
      "!*.lock",
    ];
    const options = { cwd: makeFolder(FILES), env: serverEnvironment(), encoding: "utf8" } as const;
    const { stdout, stderr } = spawnSync(process.execPath, args, options);
    expect(stdout).toBe("lib/b.ts:1:needle in b\nsrc/a.ts:1:needle in a\nsrc/a.ts:2:thread in a\n");
    expect(stderr).toBe("[not found: nowhere]\n");
  });
});
