import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder, temporaryRepository, type GitFolder } from "../../support/git-folder.ts";
import { kept } from "../../support/kept-folder.ts";
import { snapshotBench, type SnapshotBench } from "../../support/snapshots.ts";
import { treeOf } from "../../support/tree-state.ts";

let bench: SnapshotBench;
beforeEach(() => {
  bench = snapshotBench();
  return () => bench.dispose();
});

/** Expects the worker's tree to equal the user's, except for the named paths. */
async function expectExact(folder: GitFolder, ignored: readonly string[] = []) {
  const snapshot = await bench.take(folder.root);
  const target = await bench.deliver(snapshot);
  const expected = treeOf(folder.root);
  for (const path of ignored) expect(expected.delete(path), path).toBe(true);
  expect(treeOf(target)).toEqual(expected);
  const status = execFileSync("git", ["status", "--porcelain"], { cwd: target, encoding: "utf8" });
  expect(status).toBe("");
  return { snapshot, target };
}

describe("a snapshot of a repository", () => {
  it("includes staged, changed, untracked, deleted, renamed and intent-to-add files, but not ignored ones", async () => {
    const folder = kept(
      temporaryRepository({
        ".gitignore": "*.log\nout/\n",
        "same.txt": "same\n",
        "staged.txt": "1\n",
        "changed.txt": "1\n",
        "both.txt": "1\n",
        "gone.txt": "1\n",
        "staged-gone.txt": "1\n",
        "old/name.txt": "moved\n",
        "tracked.log": "1\n",
      }),
    );
    folder.git("add", "-f", "tracked.log");
    folder.git("commit", "-q", "-m", "a tracked file that is ignored");
    folder.write("staged.txt", "2\n");
    folder.write("both.txt", "2\n");
    folder.git("add", "staged.txt", "both.txt");
    folder.write("both.txt", "3\n");
    folder.write("changed.txt", "2\n");
    folder.remove("gone.txt");
    folder.git("rm", "-q", "staged-gone.txt");
    folder.git("mv", "old/name.txt", "name.txt");
    folder.write("new/deep/file.txt", "new\n");
    folder.write("intended.txt", "content\n");
    folder.git("add", "-N", "intended.txt");
    folder.write("tracked.log", "2\n");
    folder.write("noise.log", "ignored\n");
    folder.write("out/x", "ignored\n");
    const { snapshot } = await expectExact(folder, ["noise.log", "out/x"]);
    expect(snapshot.base?.head).toBe(folder.git("rev-parse", "HEAD").trim());
    expect(snapshot.omitted).toEqual([]);
  });

  it("keeps modes, links to files, folders and missing targets, and names of arbitrary bytes", async () => {
    const folder = kept(temporaryRepository({ "run.sh": "#!/bin/sh\n", "plain.sh": "x", "d/f": "f" }));
    chmodSync(join(folder.root, "run.sh"), 0o755);
    symlinkSync("d", join(folder.root, "to-folder"));
    symlinkSync("nowhere/at all", join(folder.root, "dangling"));
    symlinkSync("../outside", join(folder.root, "d", "up"));
    for (const name of [
      "-dash",
      "new\nline",
      'quo"te',
      "back\\slash",
      " space ",
      "tab\t",
      "ümlaut",
      ":colon",
      "日本",
    ])
      folder.write(name, `${name}\n`);
    folder.write("-n/--all", "x");
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder.root}/bad`), Buffer.from([0xff, 0xfe, 0x80])]),
      "bytes",
    );
    await expectExact(folder);
    chmodSync(join(folder.root, "run.sh"), 0o644);
    chmodSync(join(folder.root, "plain.sh"), 0o744);
    await expectExact(folder);
  });

  it("follows a file that becomes a folder, a folder that becomes a link, and the reverse", async () => {
    const folder = kept(temporaryRepository({ a: "file", "b/c/d": "deep", "b/c/e": "deep", "z/q": "real" }));
    folder.remove("a");
    folder.write("a/inner", "now a folder");
    folder.remove("b/c");
    symlinkSync("../z", join(folder.root, "b", "c"));
    // A file with the tracked path exists behind the link, but it is not part of the tree.
    folder.write("z/d", "not b/c/d");
    await expectExact(folder);
    rmSync(join(folder.root, "b", "c"));
    folder.write("b/c", "a file");
    await expectExact(folder);
  });

  it("has the same commit id for the same tree, wherever and whenever it is taken", async () => {
    const files = { "a.txt": "a\n", "b/c.txt": "c\n" };
    const [one, two] = [
      kept(temporaryRepository(files)),
      kept(temporaryRepository({ "b/c.txt": "other\n" })),
    ];
    two.write("a.txt", "a\n");
    two.write("b/c.txt", "c\n");
    const plain = kept(temporaryFolder(files));
    const commits = await Promise.all(
      [one, two, plain].map(async ({ root }) => (await bench.take(root)).commit),
    );
    expect(new Set(commits).size).toBe(1);
    two.write("b/c.txt", "d\n");
    expect((await bench.take(two.root)).commit).not.toBe(commits[0]);
    two.write("b/c.txt", "c\n");
    expect((await bench.take(two.root)).commit).toBe(commits[0]);
  });

  it("preserves the bytes on disk despite rules for line endings, keywords, encodings and filters", async () => {
    const folder = kept(temporaryRepository({ "first.txt": "1\n" }));
    folder.write(
      ".gitattributes",
      "*.crlf text eol=crlf\n*.auto text=auto\n*.id ident\n*.utf16 text working-tree-encoding=UTF-16\n*.up filter=up\n",
    );
    folder.git("config", "core.autocrlf", "true");
    folder.git("config", "filter.up.clean", "tr a-z A-Z");
    folder.git("config", "filter.up.smudge", "tr A-Z a-z");
    folder.git("config", "filter.up.required", "true");
    folder.write("a.crlf", "one\r\ntwo\r\n");
    folder.write("a.auto", "one\r\ntwo\r\n");
    folder.write("mixed.auto", "one\r\ntwo\n");
    folder.write("a.id", "$Id: 123 $\n");
    folder.write("a.utf16", Buffer.from("\ufeffhello\n", "utf16le"));
    folder.write("a.up", "lower\n");
    await expectExact(folder);
    folder.git("add", "-A");
    folder.git("commit", "-q", "-m", "converted");
    await expectExact(folder);
  });

  it("works before the first commit, in a worktree, with a detached HEAD and in a merge conflict", async () => {
    const fresh = kept(temporaryFolder({ "a.txt": "a\n", ignored: "x", ".gitignore": "ignored\n" }));
    fresh.git("init", "-q", "-b", "main");
    const first = await expectExact(fresh, ["ignored"]);
    expect(first.snapshot.base).toBeUndefined();
    fresh.git("add", "a.txt");
    fresh.git("commit", "-q", "-m", "first");
    fresh.git("branch", "side");
    fresh.write("a.txt", "main\n");
    fresh.git("commit", "-q", "-a", "-m", "main");
    fresh.git("worktree", "add", "-q", "--detach", join(bench.folder, "tree"), "side");
    const worktree = { ...fresh, root: join(bench.folder, "tree") };
    writeFileSync(join(worktree.root, "a.txt"), "worktree\n");
    const second = await expectExact(worktree);
    expect(second.snapshot.base?.head).toBe(fresh.git("rev-parse", "side").trim());
    fresh.git("checkout", "-q", "side");
    fresh.write("a.txt", "side\n");
    fresh.git("commit", "-q", "-a", "-m", "side");
    expect(() => fresh.git("merge", "main")).toThrow();
    expect(readFileSync(join(fresh.root, "a.txt"), "utf8")).toContain("<<<<<<<");
    await expectExact(fresh, ["ignored"]);
  });

  it("contains the whole repository for a workspace inside it, and reports its path", async () => {
    const folder = kept(temporaryRepository({ "top.txt": "1\n", "packages/a/x.txt": "1\n" }));
    folder.write("top.txt", "2\n");
    const below = await bench.take(join(folder.root, "packages", "a"));
    expect(below.prefix).toBe("packages/a");
    expect(below.commit).toBe((await bench.take(folder.root)).commit);
  });

  it("contains only the files of a sparse checkout that are on disk", async () => {
    const folder = kept(temporaryRepository({ "in/a.txt": "a\n", "out/b.txt": "b\n", "top.txt": "t\n" }));
    folder.git("sparse-checkout", "set", "--cone", "--sparse-index", "in");
    expect(existsSync(join(folder.root, "out"))).toBe(false);
    folder.write("in/new.txt", "new\n");
    await expectExact(folder);
  });

  it("works with a split index and an untracked cache", async () => {
    const folder = kept(temporaryRepository({ "a.txt": "a\n", "b.txt": "b\n" }));
    folder.git("update-index", "--split-index", "--untracked-cache");
    folder.write("a.txt", "changed\n");
    folder.write("c.txt", "c\n");
    folder.git("add", "c.txt");
    await expectExact(folder);
  });

  it("works with the sha256 object format", async () => {
    const folder = kept(temporaryRepository({ "a.txt": "a\n" }, ["--object-format=sha256"]));
    folder.write("b/c.txt", "c\n");
    const { snapshot } = await expectExact(folder);
    expect(snapshot.commit).toHaveLength(64);
  });

  it("takes modes from the index if the file system does not support them", async () => {
    const folder = kept(temporaryRepository({ "run.sh": "#!/bin/sh\n", plain: "x" }));
    folder.git("update-index", "--chmod=+x", "run.sh");
    folder.git("config", "core.fileMode", "false");
    chmodSync(join(folder.root, "plain"), 0o755);
    const target = await bench.deliver(await bench.take(folder.root));
    const kinds = [...treeOf(target)].map(([path, what]) => `${path} ${what.split(" ")[0]}`).sort();
    expect(kinds).toEqual(["plain file", "run.sh program"]);
    folder.git("update-index", "--chmod=-x", "run.sh");
    const second = await bench.deliver(await bench.take(folder.root));
    expect(treeOf(second).get("run.sh")).toMatch(/^file /);
  });
});

describe("what a snapshot reports as omitted", () => {
  it("is a submodule, which is recorded as its checked-out commit", async () => {
    const inner = kept(temporaryRepository({ "lib.txt": "1\n" }));
    const folder = kept(temporaryRepository({ "a.txt": "a\n" }));
    folder.git("submodule", "--quiet", "add", inner.root, "lib");
    folder.git("commit", "-q", "-m", "lib");
    const submodule = { ...inner, root: join(folder.root, "lib") };
    writeFileSync(join(submodule.root, "lib.txt"), "2\n");
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@e", "commit", "-qam", "2"], {
      cwd: submodule.root,
    });
    const head = execFileSync("git", ["rev-parse", "HEAD"], { cwd: submodule.root, encoding: "utf8" }).trim();
    const snapshot = await bench.take(folder.root);
    expect(snapshot.omitted).toEqual([{ path: "lib", reason: "submodule" }]);
    const target = await bench.deliver(snapshot);
    const listed = execFileSync("git", ["ls-tree", "HEAD", "lib"], { cwd: target, encoding: "utf8" });
    expect(listed).toBe(`160000 commit ${head}\tlib\n`);
    folder.git("submodule", "--quiet", "deinit", "-f", "lib");
    expect((await bench.take(folder.root)).omitted).toEqual([]);
  });

  it("is content in Git LFS, which is recorded as a pointer without running LFS", async () => {
    const folder = kept(
      temporaryRepository({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" }),
    );
    const trap = join(bench.folder, "trap");
    folder.git("config", "filter.lfs.clean", `touch '${trap}'; cat`);
    folder.git("config", "filter.lfs.process", `touch '${trap}'`);
    folder.write("big.bin", Buffer.alloc(5000, 7));
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12\n`;
    folder.write("kept.bin", pointer);
    folder.write("empty.bin", "");
    const snapshot = await bench.take(folder.root);
    expect(snapshot.omitted).toEqual([{ path: "big.bin", reason: "lfs", bytes: 5000 }]);
    const target = await bench.deliver(snapshot);
    expect(readFileSync(join(target, "kept.bin"), "utf8")).toBe(pointer);
    expect(readFileSync(join(target, "empty.bin"), "utf8")).toBe("");
    const hash = createHash("sha256").update(Buffer.alloc(5000, 7)).digest("hex");
    expect(readFileSync(join(target, "big.bin"), "utf8")).toBe(
      `version https://git-lfs.github.com/spec/v1
oid sha256:${hash}
size 5000
`,
    );
    expect(existsSync(trap)).toBe(false);
    folder.write(".gitattributes", "");
    expect((await bench.take(folder.root)).omitted).toEqual([]);
  });

  it("is an untracked file above the size limit; a changed one is an error, an unchanged one is included", async () => {
    const folder = kept(temporaryRepository({ "large.txt": "x".repeat(3000), "a.txt": "a\n" }));
    const limits = { maxFileBytes: 2000 };
    folder.write("huge.bin", Buffer.alloc(2001));
    const snapshot = await bench.take(folder.root, limits);
    expect(snapshot.omitted).toEqual([{ path: "huge.bin", reason: "too_large", bytes: 2001 }]);
    expect(snapshot.commit).toBe(snapshot.base?.commit);
    folder.write("large.txt", "y".repeat(3000));
    await expect(bench.take(folder.root, limits)).rejects.toMatchObject({
      code: "invalid_input",
      data: { path: "large.txt", bytes: 3000 },
    });
    folder.git("checkout", "-q", "large.txt");
    folder.write("more/one.bin", Buffer.alloc(1500, 1));
    folder.write("more/two.bin", Buffer.alloc(1500, 2));
    await expect(bench.take(folder.root, { ...limits, maxNewBytes: 2500 })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("is a nested repository, a pipe and an unreadable file", async () => {
    const folder = kept(temporaryRepository({ "a.txt": "a\n" }));
    mkdirSync(join(folder.root, "nested"));
    execFileSync("git", ["init", "-q"], { cwd: join(folder.root, "nested") });
    folder.write("nested/x.txt", "x\n");
    folder.remove("a.txt");
    execFileSync("mkfifo", [join(folder.root, "a.txt")]);
    const snapshot = await bench.take(folder.root);
    expect(snapshot.omitted).toEqual([
      { path: "a.txt", reason: "special" },
      { path: "nested", reason: "repository" },
    ]);
  });
});

describe("a snapshot of a folder without git", () => {
  it("contains everything except ignored files and installed packages", async () => {
    const folder = kept(
      temporaryFolder({
        "a.txt": "a\n",
        ".gitignore": "*.log\n",
        "x.log": "ignored\n",
        "sub/.gitignore": "!x.log\n",
        "sub/x.log": "kept\n",
        "node_modules/m/index.js": "installed\n",
      }),
    );
    symlinkSync("a.txt", join(folder.root, "link"));
    chmodSync(join(folder.root, "a.txt"), 0o755);
    await expectExact(folder, ["x.log", "node_modules/m/index.js"]);
    folder.write("a.txt", "changed\n");
    await expectExact(folder, ["x.log", "node_modules/m/index.js"]);
  });

  it("contains nested repositories, filtered by their own ignore rules", async () => {
    const folder = kept(temporaryFolder({ "top.txt": "t\n" }));
    const inner = { ...folder, root: join(folder.root, "inner") };
    mkdirSync(inner.root);
    execFileSync("git", ["init", "-q"], { cwd: inner.root });
    folder.write("inner/.gitignore", "out\n");
    folder.write("inner/a.txt", "a\n");
    folder.write("inner/out", "ignored\n");
    await expectExact(folder, ["inner/out"]);
  });

  it("is empty for an empty folder", async () => {
    const snapshot = await bench.take(kept(temporaryFolder()).root);
    expect(snapshot).toMatchObject({ tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904", files: 0 });
  });
});
