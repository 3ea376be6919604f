import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestIndex, type TestIndex } from "../support/code-index.ts";
import { folderAt, temporaryFolder, temporaryRepository, type GitFolder } from "../support/git-folder.ts";
import { createTruth, type Truth } from "../support/truth.ts";

let folder: GitFolder;
let beside: GitFolder;
let test: TestIndex;
let truth: Truth;
beforeEach(() => {
  folder = temporaryRepository({
    "a.py": define("alpha"),
    "lib/b.py": define("beta"),
    "lib/deep/c.py": define("gamma"),
  });
  beside = temporaryFolder();
  test = createTestIndex();
  truth = createTruth(test);
});
afterEach(async () => {
  await test.dispose();
  folder.dispose();
  beside.dispose();
});

function define(...names: readonly string[]): string {
  return names.map((name) => `def ${name}():\n    pass\n`).join("\n");
}

const holds = (step: string, root = folder.root): Promise<void> => truth.holds(root, step);

/** Runs a git command that is expected to stop at a conflict. */
function fails(...args: string[]): void {
  expect(() => folder.git(...args)).toThrow();
}

function commit(message: string): void {
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", message);
}

describe("answers match the files after git operations", () => {
  it("during a merge and a rebase with conflicts, and after a stash and a clean", async () => {
    await holds("at first");
    folder.git("checkout", "-q", "-b", "side");
    folder.write("a.py", `\n\n${define("alpha", "of_side")}`);
    folder.remove("lib/b.py");
    commit("side");
    await holds("on the side");
    folder.git("checkout", "-q", "main");
    folder.write("a.py", `\n${define("alpha", "of_main")}`);
    commit("main");
    await holds("on main");
    fails("merge", "side");
    await holds("a merge with conflict marks");
    folder.git("merge", "--abort");
    await holds("the merge given up");
    folder.git("checkout", "-q", "side");
    fails("rebase", "main");
    await holds("a rebase with conflict marks");
    folder.write("a.py", define("alpha", "of_both"));
    folder.git("add", "-A");
    folder.git("-c", "core.editor=true", "rebase", "--continue");
    await holds("rebased");
    folder.write("a.py", define("stashed"));
    folder.write("new.py", define("untracked"));
    folder.git("stash", "-u", "-q");
    await holds("stashed away");
    folder.git("checkout", "-q", "--detach", "main");
    await holds("a detached HEAD");
    fails("stash", "pop");
    await holds("a stash with conflict marks");
    folder.git("reset", "-q", "--hard");
    folder.write("rest/junk.py", define("junk"));
    await holds("reset, with a new file");
    folder.git("clean", "-fdq");
    await holds("cleaned");
    folder.git("revert", "--no-edit", "HEAD");
    await holds("reverted");
    folder.git("checkout", "-q", "side", "--", "a.py");
    await holds("one file of another branch");
  });

  it("in a sparse checkout that grows and shrinks, and while git's index is locked", async () => {
    await holds("at first");
    folder.git("sparse-checkout", "set", "--no-cone", "/a.py");
    await holds("one file of three");
    folder.git("sparse-checkout", "set", "--no-cone", "/a.py", "/lib/deep/");
    await holds("two files of three");
    folder.git("sparse-checkout", "disable");
    await holds("all files");
    writeFileSync(join(folder.root, ".git/index.lock"), "");
    folder.write("lib/b.py", `\n${define("beta", "locked")}`);
    folder.write("lib/new.py", define("new_while_locked"));
    await holds("while another git holds the lock");
  });

  it("while a submodule is added, changed and removed", async () => {
    const other = temporaryRepository({ "s.py": define("sub_one") });
    try {
      await holds("at first");
      folder.git("submodule", "--quiet", "add", other.root, "sub");
      await holds("added");
      commit("with a submodule");
      other.write("s.py", `\n${define("sub_one", "sub_two")}`);
      other.git("commit", "-qam", "second");
      folder.git("submodule", "--quiet", "update", "--remote");
      await holds("updated");
      folder.write("sub/s.py", define("edited_in_place"));
      await holds("edited in place");
      folder.git("submodule", "--quiet", "update", "--force");
      await holds("updated by force");
      folder.git("submodule", "--quiet", "deinit", "-f", "sub");
      await holds("taken out");
    } finally {
      other.dispose();
    }
  });

  it("in worktrees, shallow and bare clones, and with a separate git folder", async () => {
    await holds("at first");
    folder.write("a.py", `\n${define("alpha", "second")}`);
    commit("second");
    const shallow = join(beside.root, "shallow");
    folder.git("clone", "-q", "--depth=1", `file://${folder.root}`, shallow);
    await holds("a shallow clone", shallow);
    const bare = join(beside.root, "bare.git");
    folder.git("clone", "-q", "--bare", folder.root, bare);
    const tree = join(beside.root, "tree");
    execFileSync("git", ["worktree", "add", "-q", tree, "main~1"], { cwd: bare, stdio: "ignore" });
    await holds("a worktree of a bare clone", tree);
    folderAt(tree).git("checkout", "-q", "--detach", "main");
    await holds("moved to another commit", tree);
    const apart = join(beside.root, "apart");
    folder.git("clone", "-q", `--separate-git-dir=${join(beside.root, "apart.git")}`, folder.root, apart);
    await holds("git's folder elsewhere", apart);
    folderAt(apart).write("a.py", define("apart"));
    await holds("and a file changed", apart);
    rmSync(tree, { recursive: true });
    folder.git("clone", "-q", folder.root, tree);
    await holds("a clone where a worktree was", tree);
  });

  it("when a nested repository is created or removed", async () => {
    await holds("at first");
    folder.write("vendor/v.py", define("vendored"));
    await holds("a folder");
    folder.git("init", "-q", "vendor");
    await holds("which became a repository");
    folderAt(join(folder.root, "vendor")).git("add", "-A");
    folderAt(join(folder.root, "vendor")).git("commit", "-q", "-m", "inner");
    await holds("with a commit");
    await holds("and is served itself", join(folder.root, "vendor"));
    rmSync(join(folder.root, "vendor/.git"), { recursive: true });
    await holds("and is a folder again");
    await holds("also when served itself", join(folder.root, "vendor"));
  });
});

describe("a change of the ignore rules is seen at once", () => {
  it("in .gitignore at any level, even if it ignores itself", async () => {
    folder.write("out/o.py", define("made"));
    folder.write("lib/deep/d.py", define("deeper"));
    await holds("nothing ignored");
    folder.write(".gitignore", "out/\n");
    await holds("a folder ignored");
    folder.write(".gitignore", "out/*\n!out/o.py\n");
    await holds("and taken back");
    folder.write("lib/.gitignore", "deep/d.py\n");
    await holds("deeper");
    folder.write("lib/deep/.gitignore", "*\n");
    await holds("all, and the file itself");
    folder.write("lib/deep/.gitignore", "#\n");
    await holds("nothing again");
    folder.remove(".gitignore");
    await holds("without the file");
  });

  it("in git's exclude file, the user's excludes, and a rule above the workspace", async () => {
    folder.write("lib/x.tmp.py", define("temporary"));
    const lib = join(folder.root, "lib");
    const both = async (step: string) => {
      await holds(step);
      await holds(`${step}, a folder of it`, lib);
    };
    await both("nothing ignored");
    folder.write(".git/info/exclude", "*.tmp.py\n");
    await both("info/exclude");
    folder.write(".git/info/exclude", "");
    await both("and nothing there");
    beside.write("excludes", "*.tmp.py\n");
    folder.git("config", "core.excludesFile", join(beside.root, "excludes"));
    await both("core.excludesFile");
    beside.write("excludes", "#\n");
    await both("and nothing there");
    folder.write(".gitignore", "*.tmp.py\n");
    await both("a rule of the top");
    folder.git("add", "-f", "lib/x.tmp.py");
    await both("which git tracks all the same");
    folder.git("rm", "-q", "--cached", "lib/x.tmp.py");
    await both("and no more");
  });

  it("in .pithignore, even if git ignores that file", async () => {
    const places = async (name: string) => (await test.locate(folder.root, name)).hits.map((hit) => hit.path);
    folder.write(".git/info/exclude", ".pithignore\n");
    expect(await places("gamma")).toEqual(["lib/deep/c.py"]);
    folder.write("lib/.pithignore", "deep/\n");
    expect(await places("gamma")).toEqual([]);
    expect(await places("beta")).toEqual(["lib/b.py"]);
    folder.write(".pithignore", "lib/b.py\n");
    expect(await places("beta")).toEqual([]);
    folder.write("lib/.pithignore", "!b.py\n");
    expect(await places("beta")).toEqual(["lib/b.py"]);
    expect(await places("gamma")).toEqual(["lib/deep/c.py"]);
    folder.remove(".pithignore");
    expect(await places("beta")).toEqual(["lib/b.py"]);
  });
});
