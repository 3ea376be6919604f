import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex, placesOf, type TestIndex } from "../support/code-index.ts";
import { temporaryFolder, temporaryRepository, type GitFolder } from "../support/git-folder.ts";

/** Enough files for the index to rely on the file watcher instead of checking every file. */
const FILES = 1_100;

let folder: GitFolder;
let test: TestIndex;
beforeAll(() => {
  const files: Record<string, string> = { ".gitignore": "ignored/\n" };
  for (let i = 0; i < FILES; i++) files[`d${i % 20}/f${i}.txt`] = `number ${i}\n`;
  files["d0/main.py"] = "def alpha():\n    pass\n";
  folder = temporaryRepository(files);
  test = createTestIndex();
});
afterEach(() => {
  folder.git("checkout", "-q", "-f", "-B", "main", FIRST);
  folder.git("clean", "-fdxq");
});
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

/** Returns the first commit. */
const FIRST = ":/^first";

describe("a large tree with a file watcher", () => {
  const find = async (name: string) => placesOf(await test.locate(folder.root, name));
  /** The third scan is the first that can be skipped. */
  const settle = async () => {
    for (let look = 0; look < 4; look++) await find("alpha");
  };

  it("is answered correctly after every kind of change", async () => {
    await settle();
    expect(await find("alpha")).toEqual(["d0/main.py:1 alpha"]);
    folder.write("d0/main.py", "\ndef alpha():\n    pass\n");
    expect(await find("alpha")).toEqual(["d0/main.py:2 alpha"]);
    await settle();
    folder.write("d3/new.py", "def beta():\n    pass\n");
    expect(await find("beta")).toEqual(["d3/new.py:1 beta"]);
    await settle();
    mkdirSync(join(folder.root, "x/y/z"), { recursive: true });
    await find("alpha");
    folder.write("x/y/z/deep.py", "def gamma():\n    pass\n");
    expect(await find("gamma")).toEqual(["x/y/z/deep.py:1 gamma"]);
    await settle();
    renameSync(join(folder.root, "x"), join(folder.root, "moved"));
    expect(await find("gamma")).toEqual(["moved/y/z/deep.py:1 gamma"]);
    await settle();
    folder.remove("d3/new.py");
    expect(await find("beta")).toEqual([]);
    await settle();
    folder.git("add", "-A");
    folder.git("commit", "-qm", "second");
    folder.git("checkout", "-q", "HEAD~1");
    expect(await find("alpha")).toEqual(["d0/main.py:1 alpha"]);
    expect(await find("gamma")).toEqual([]);
    folder.git("checkout", "-q", "main");
    expect(await find("gamma")).toEqual(["moved/y/z/deep.py:1 gamma"]);
  });

  it("follows git's ignore rules", async () => {
    await settle();
    folder.write("ignored/a.py", "def delta():\n    pass\n");
    expect(await find("delta")).toEqual([]);
    folder.write(".gitignore", "\n");
    expect(await find("delta")).toEqual(["ignored/a.py:1 delta"]);
    await settle();
    folder.write(".gitignore", "ignored/\n");
    expect(await find("delta")).toEqual([]);
  });

  it("notices every one of many quick writes", async () => {
    await settle();
    for (let round = 0; round < 30; round++) {
      writeFileSync(
        join(folder.root, "d0/main.py"),
        `${"\n".repeat(round % 4)}def alpha${round}():\n    pass\n`,
      );
      expect(await find(`alpha${round}`)).toEqual([`d0/main.py:${(round % 4) + 1} alpha${round}`]);
    }
  });

  it("notices changes in replaced folders, and through paths that are not watched", async () => {
    const elsewhere = temporaryFolder();
    try {
      folder.write("d1/sub/one.py", "def one():\n    pass\n");
      linkSync(join(folder.root, "d0/main.py"), join(elsewhere.root, "other.py"));
      await settle();
      rmSync(join(folder.root, "d1"), { recursive: true });
      folder.write("d1/sub/one.py", "\ndef one():\n    pass\n");
      await settle();
      folder.write("d1/sub/one.py", "\n\ndef one():\n    pass\n\ndef extra():\n    pass\n");
      expect(await find("extra")).toEqual(["d1/sub/one.py:6 extra"]);
      renameSync(join(folder.root, "d1"), join(elsewhere.root, "d1"));
      folder.write("d1/sub/one.py", "def moved():\n    pass\n");
      await settle();
      folder.write("d1/sub/one.py", "def again():\n    pass\n");
      expect(await find("again")).toEqual(["d1/sub/one.py:1 again"]);
      await settle();
      elsewhere.write("other.py", "\n\ndef alpha():\n    pass\n\ndef linked():\n    pass\n");
      expect(await find("linked")).toEqual(["d0/main.py:6 linked"]);
    } finally {
      elsewhere.dispose();
    }
  });
});
