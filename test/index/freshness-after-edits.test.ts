import {
  chmodSync,
  linkSync,
  mkdirSync,
  openSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestIndex, placesOf, type TestIndex } from "../support/code-index.ts";
import { temporaryFolder, temporaryRepository, type GitFolder } from "../support/git-folder.ts";
import { createTruth, type Truth } from "../support/truth.ts";

let folder: GitFolder;
let test: TestIndex;
let truth: Truth;
beforeEach(() => {
  folder = temporaryRepository({
    "a.py": define("alpha"),
    "lib/b.py": define("beta"),
    "lib/c.py": define("gamma"),
  });
  test = createTestIndex();
  truth = createTruth(test);
});
afterEach(async () => {
  await test.dispose();
  folder.dispose();
});

function define(...names: readonly string[]): string {
  return names.map((name) => `def ${name}():\n    pass\n`).join("\n");
}

const at = (path: string): string => join(folder.root, path);
const holds = (step: string): Promise<void> => truth.holds(folder.root, step);

describe("answers match the current files", () => {
  it("after every way in which editors save files", async () => {
    await holds("at first");
    folder.write("a.py.tmp", `\n${define("alpha")}`);
    renameSync(at("a.py.tmp"), at("a.py"));
    await holds("written beside and renamed");
    renameSync(at("a.py"), at("a.py~"));
    folder.write("a.py", `\n\n${define("alpha")}`);
    await holds("moved to a backup and written anew");
    truncateSync(at("a.py"), 0);
    await holds("emptied");
    const file = openSync(at("a.py"), "r+");
    writeSync(file, define("alpha", "delta"));
    closeSync(file);
    await holds("written in place");
    const { atime, mtime } = statSync(at("a.py"));
    folder.write("a.py", define("alphb", "deltb"));
    utimesSync(at("a.py"), atime, mtime);
    await holds("of the same size, with the old date");
    utimesSync(at("a.py"), new Date("2041-01-01"), new Date("2041-01-01"));
    await holds("dated in the future");
    folder.write("a.py", define("alphc", "deltc"));
    utimesSync(at("a.py"), new Date("2041-01-01"), new Date("2041-01-01"));
    await holds("written again, dated in the future");
    chmodSync(at("a.py"), 0o755);
    await holds("made executable");
  });

  it("after renames, including changes of case only, and after swapping two files", async () => {
    await holds("at first");
    renameSync(at("a.py"), at("A.py"));
    await holds("renamed in its case");
    renameSync(at("lib/b.py"), at("swap"));
    renameSync(at("lib/c.py"), at("lib/b.py"));
    renameSync(at("swap"), at("lib/c.py"));
    await holds("two files swapped");
    renameSync(at("lib"), at("Lib"));
    await holds("a folder renamed in its case");
    renameSync(at("Lib"), at("old"));
    folder.write("Lib/b.py", define("epsilon"));
    await holds("a folder moved away and made anew");
    renameSync(at("old"), at("new"));
    renameSync(at("Lib"), at("old"));
    renameSync(at("new"), at("Lib"));
    await holds("two folders swapped");
  });

  it("after files, folders and links replace each other", async () => {
    await holds("at first");
    rmSync(at("a.py"));
    folder.write("a.py/inner.py", define("inner"));
    await holds("a file became a folder");
    rmSync(at("a.py"), { recursive: true });
    folder.write("a.py", define("outer"));
    await holds("a folder became a file");
    rmSync(at("a.py"));
    symlinkSync("lib/b.py", at("a.py"));
    await holds("a file became a link");
    rmSync(at("a.py"));
    symlinkSync("lib/c.py", at("a.py"));
    await holds("the link was switched");
    rmSync(at("a.py"));
    folder.write("a.py", define("again"));
    await holds("a link became a file");
    renameSync(at("lib"), at("real"));
    symlinkSync("real", at("lib"));
    await holds("a folder became a link to a folder");
    rmSync(at("lib"));
    mkdirSync(at("lib"));
    await holds("the link became an empty folder");
    folder.write("lib/d.py", define("zeta"));
    await holds("and got a file");
  });

  it("after a write through another hard link of the same file", async () => {
    const elsewhere = temporaryFolder();
    try {
      linkSync(at("a.py"), join(elsewhere.root, "other.py"));
      await holds("linked");
      elsewhere.write("other.py", `\n\n${define("alpha", "eta")}`);
      await holds("written under the other name");
      linkSync(at("a.py"), at("lib/twin.py"));
      await holds("linked within the tree");
      folder.write("lib/twin.py", define("alpha"));
      await holds("written under the third name");
    } finally {
      elsewhere.dispose();
    }
  });

  it("when many queries run at once while files are written", async () => {
    await holds("at first");
    for (let round = 0; round < 8; round++) {
      folder.write(`new${round}.py`, define(`round${round}`));
      folder.write("a.py", "\n".repeat(round) + define("alpha"));
      const asked = await Promise.all([
        test.locate(folder.root, `round${round}`),
        test.locate(folder.root, "alpha", { signal: new AbortController().signal }),
        test.locate(folder.root, `round${round}`, { signal: new AbortController().signal }),
      ]);
      const [one, alpha, again] = asked.map(placesOf);
      expect(one).toEqual([`new${round}.py:1 round${round}`]);
      expect(alpha).toEqual([`a.py:${round + 1} alpha`]);
      expect(again).toEqual(one);
    }
    await holds("at last");
  });

  it("in a plain folder that becomes a repository, and in a repository that becomes a plain folder", async () => {
    const plain = temporaryFolder({ "x.py": define("one"), "out/y.py": define("two") });
    try {
      await truth.holds(plain.root, "a plain folder");
      plain.git("init", "-q", "-b", "main");
      plain.write(".git/info/exclude", "out/\n");
      await truth.holds(plain.root, "made a repository");
      plain.git("add", "-A");
      plain.git("commit", "-q", "-m", "first");
      plain.write("x.py", `\n${define("one")}`);
      await truth.holds(plain.root, "committed and changed");
      const { hits } = await test.locate(plain.root, "one", { ref: "HEAD" });
      expect(hits.map((hit) => hit.lineStart)).toEqual([1]);
      rmSync(join(plain.root, ".git"), { recursive: true });
      await truth.holds(plain.root, "a plain folder again");
    } finally {
      plain.dispose();
    }
  });
});
