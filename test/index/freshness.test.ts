import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestIndex, placesOf, type TestIndex } from "../support/code-index.ts";
import { folderAt, temporaryFolder, temporaryRepository, type GitFolder } from "../support/git-folder.ts";

let folder: GitFolder;
let test: TestIndex;
beforeEach(() => {
  folder = temporaryRepository({ "a.py": "def alpha():\n    pass\n", "b.py": "def beta():\n    pass\n" });
  test = createTestIndex();
});
afterEach(async () => {
  await test.dispose();
  folder.dispose();
});

/** Checks that lookups return exactly the definitions that a plain scan finds in the files. */
async function expectTruth(root: string, names: readonly string[]): Promise<void> {
  const real = new Set<string>();
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  for (const path of listed.split("\0").filter((name) => name.endsWith(".py"))) {
    let text: string;
    try {
      text = readFileSync(join(root, path), "utf8");
    } catch {
      continue; // deleted but still in git's index
    }
    for (const [number, line] of text.split("\n").entries()) {
      const name = /^def (\w+)/.exec(line)?.[1];
      if (name !== undefined && names.includes(name)) real.add(`${path}:${number + 1} ${name}`);
    }
  }
  const answered = new Set<string>();
  for (const name of names) {
    const answer = await test.locate(root, name);
    for (const hit of answer.hits)
      if (hit.match === undefined) answered.add(`${hit.path}:${hit.lineStart} ${hit.name}`);
    expect(answer.metadata.freshness_status).toBe("fresh");
  }
  expect([...answered].sort()).toEqual([...real].sort());
}

describe("a query right after a change sees it", () => {
  const NAMES = ["alpha", "beta", "gamma", "delta"];

  it("follows edits, new files, renames, deletes, checkouts, stashes and rebases", async () => {
    const check = () => expectTruth(folder.root, NAMES);
    await check();
    folder.write("a.py", "import os\n\n\ndef alpha():\n    pass\n\ndef gamma():\n    pass\n");
    await check();
    folder.write("a.py", "import os\n\n\ndef alphb():\n    pass\n\ndef gamma():\n    pass\n");
    await check();
    folder.write("new/deep/c.py", "def delta():\n    pass\n");
    await check();
    renameSync(join(folder.root, "new/deep/c.py"), join(folder.root, "new/d.py"));
    await check();
    folder.remove("b.py");
    await check();
    folder.git("stash", "-u", "-q");
    await check();
    folder.git("checkout", "-q", "-b", "side");
    folder.write("b.py", "def beta():\n    pass\n\ndef delta():\n    pass\n");
    folder.git("commit", "-qam", "side");
    await check();
    folder.git("checkout", "-q", "main");
    await check();
    folder.write("c.py", "def gamma():\n    pass\n");
    folder.git("add", "-A");
    folder.git("commit", "-qm", "main");
    folder.git("checkout", "-q", "side");
    folder.git("rebase", "-q", "main");
    await check();
    folder.git("reset", "-q", "--hard", "HEAD~2");
    await check();
    folder.write(".gitignore", "b.py\nc.py\n");
    folder.git("rm", "-q", "--cached", "b.py");
    await check();
    folder.write(".gitignore", "");
    await check();
  });

  it("sees a write that keeps size and date", async () => {
    await test.locate(folder.root, "alpha");
    folder.write("a.py", "def alphx():\n    pass\n");
    utimesSync(join(folder.root, "a.py"), new Date(1_000), new Date(1_000));
    await test.locate(folder.root, "alphx");
    folder.write("a.py", "def alphy():\n    pass\n");
    utimesSync(join(folder.root, "a.py"), new Date(1_000), new Date(1_000));
    expect(placesOf(await test.locate(folder.root, "alphy"))).toEqual(["a.py:1 alphy"]);
  });

  it("sees many quick rewrites of one file", async () => {
    for (let round = 0; round < 20; round++) {
      folder.write("a.py", `${"\n".repeat(round % 3)}def alpha${round % 10}():\n    pass\n`);
      const answer = await test.locate(folder.root, `alpha${round % 10}`);
      expect(placesOf(answer)).toEqual([`a.py:${(round % 3) + 1} alpha${round % 10}`]);
    }
  });

  it("follows changes in a plain folder", async () => {
    const plain = temporaryFolder({ "x.py": "def one():\n    pass\n" });
    try {
      expect(placesOf(await test.locate(plain.root, "one"))).toEqual(["x.py:1 one"]);
      plain.write("y/z.py", "def two():\n    pass\n");
      expect(placesOf(await test.locate(plain.root, "two"))).toEqual(["y/z.py:1 two"]);
      plain.remove("x.py");
      expect(placesOf(await test.locate(plain.root, "one"))).toEqual([]);
    } finally {
      plain.dispose();
    }
  });
});

describe("worktrees and refs", () => {
  it("answers for the queried worktree, reading known blobs once", async () => {
    await test.locate(folder.root, "alpha");
    folder.git("worktree", "add", "-q", "-b", "side", "trees/side");
    const side = folderAt(join(folder.root, "trees/side"));
    side.write("a.py", "\ndef alpha():\n    pass\n");
    expect(placesOf(await test.locate(side.root, "alpha"))).toEqual(["a.py:2 alpha"]);
    expect(placesOf(await test.locate(folder.root, "alpha"))).toEqual(["a.py:1 alpha"]);
    await expectTruth(side.root, ["alpha", "beta"]);
  });

  it("answers for a branch, a tag and a commit independently of the working tree", async () => {
    folder.git("tag", "v1");
    const first = folder.git("rev-parse", "HEAD").trim();
    folder.write("a.py", "\n\ndef alpha():\n    pass\n");
    folder.git("commit", "-qam", "second");
    folder.write("a.py", "\n\n\n\ndef alpha():\n    pass\n");
    const line = async (ref?: string) =>
      (await test.locate(folder.root, "alpha", ref === undefined ? {} : { ref })).hits[0]?.lineStart;
    expect(await line()).toBe(5);
    expect(await line("main")).toBe(3);
    expect(await line("v1")).toBe(1);
    expect(await line(first.slice(0, 10))).toBe(1);
    folder.git("commit", "-qam", "third");
    expect(await line("main")).toBe(5);
    const shown = await test.search(folder.root, "alpha", { ref: "v1", level: "concise" });
    expect(shown.hits[0]?.content).toBe("def alpha():\n    pass");
    await expect(line("nowhere")).rejects.toMatchObject({ code: "ref_not_found" });
  });
});

describe("an incomplete or stale index", () => {
  it("outlines a file that is not indexed yet by reading the file itself", async () => {
    const slow = createTestIndex({ timeBudgetMs: 0 });
    try {
      await slow.index.index({ root: folder.root });
      const names = Array.from({ length: 40 }, (_, i) => `late${i}.py`);
      for (const name of names)
        folder.write(name, `def before():\n    pass\n\n\ndef ${name.slice(0, -3)}():\n    pass\n`);
      const outlines = await Promise.all(
        names.map((path) => slow.index.outline({ root: folder.root, path, depth: "all" })),
      );
      for (const [i, outline] of outlines.entries())
        expect(outline).toMatchObject({
          path: `late${i}.py`,
          stale: false,
          lineCount: 6,
          symbols: [{ name: "before" }, { name: `late${i}` }],
        });
    } finally {
      await slow.dispose();
    }
  });

  it("follows the freshness policy, and marks stale results", async () => {
    await test.locate(folder.root, "alpha");
    const slow = createTestIndex({ timeBudgetMs: 0 });
    try {
      // More files than an index without any time to wait reads during the two calls.
      const many = Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`m${i}.py`, `def many${i}():\n    pass\n`]),
      );
      for (const [path, text] of Object.entries(many)) folder.write(path, text);
      await slow.index.index({ root: folder.root });
      for (const path of Object.keys(many)) folder.write(path, `\n${many[path]}`);
      await expect(slow.locate(folder.root, "many299", { policy: "strict" })).rejects.toMatchObject({
        code: "index_stale",
        data: {
          last_indexed_commit: expect.any(String),
          current_head: expect.any(String),
          changed_files: expect.any(Array),
        },
      });
      const stale = await slow.locate(folder.root, "many299", { policy: "best_effort" });
      expect(stale.metadata).toMatchObject({
        freshness_status: "stale",
        indexing_status: "ready",
        result_completeness: "partial",
      });
      expect(stale.hits[0]).toMatchObject({ path: "m299.py", stale: true });
      // An index that has time may read again what was written so recently that timestamps could hide a second write.
      await test.index.index({ root: folder.root });
      const fresh = await test.locate(folder.root, "many299", { policy: "strict" });
      expect(fresh.hits[0]).toMatchObject({ path: "m299.py", lineStart: 2 });
      expect(fresh.hits[0]).not.toHaveProperty("stale");
    } finally {
      await slow.dispose();
    }
  });

  it("is used by a second server, which has nothing left to index", async () => {
    await test.index.index({ root: folder.root });
    const other = test.second();
    const report = await other.index({ root: folder.root });
    expect(report).toMatchObject({
      status: "success",
      files_indexed: 2,
      status_message: expect.stringContaining("Nothing changed"),
    });
  });
});
