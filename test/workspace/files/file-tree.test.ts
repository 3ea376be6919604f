import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRepository } from "../../../src/workspace/git/git-repository.ts";
import { createFileTree } from "../../../src/workspace/files/file-tree.ts";
import { folderAt, temporaryFolder, temporaryRepository } from "../../support/git-folder.ts";
import { kept } from "../../support/kept-folder.ts";

async function treeOf(root: string) {
  return createFileTree(root, await findRepository(root));
}

describe("the files of a repository", () => {
  it("are the tracked ones and the untracked ones that are not ignored", async () => {
    const repository = kept(
      temporaryRepository({
        ".gitignore": "*.log\nout/\n",
        "a.ts": "",
        "sub/.gitignore": "*.tmp\n!keep.tmp\n",
      }),
    );
    repository.write("new.ts", "");
    repository.write("x.log", "");
    repository.write("out/gen.ts", "");
    repository.write("sub/x.tmp", "");
    repository.write("sub/keep.tmp", "");
    const tree = await treeOf(repository.root);
    expect(await tree.list()).toEqual([".gitignore", "a.ts", "new.ts", "sub/.gitignore", "sub/keep.tmp"]);
  });

  it("change when files are added and removed, also in new folders", async () => {
    const repository = kept(temporaryRepository({ "a.ts": "" }));
    mkdirSync(join(repository.root, "empty/deep"), { recursive: true });
    const tree = await treeOf(repository.root);
    expect(await tree.list()).toEqual(["a.ts"]);
    repository.write("empty/deep/b.ts", "");
    expect(await tree.list()).toEqual(["a.ts", "empty/deep/b.ts"]);
    repository.remove("a.ts");
    expect((await tree.list()).includes("empty/deep/b.ts")).toBe(true);
  });

  it("exclude nested worktrees and the files that .pithignore lists at any level", async () => {
    const repository = kept(
      temporaryRepository({
        ".pithignore": "data/\n*.snap\n",
        "data/x.json": "{}",
        "src/a.ts": "",
        "src/a.snap": "",
        "src/keep/.pithignore": "!*.snap\n",
        "src/keep/b.snap": "",
      }),
    );
    repository.git("worktree", "add", "-q", "trees/second");
    const tree = await treeOf(repository.root);
    expect(await tree.list()).toEqual([".pithignore", "src/a.ts", "src/keep/.pithignore", "src/keep/b.snap"]);
  });

  it("include those of checked-out submodules", async () => {
    const library = kept(temporaryRepository({ "lib.c": "int x;" }));
    const repository = kept(temporaryRepository({ "main.c": "" }));
    repository.git("submodule", "--quiet", "add", library.root, "deps/lib");
    repository.git("commit", "-qm", "submodule");
    const tree = await treeOf(repository.root);
    expect(await tree.list()).toEqual([".gitmodules", "deps/lib/lib.c", "main.c"]);
  });

  it("are found in a workspace whose path contains an ignored name, or that is inside a repository", async () => {
    const outer = kept(temporaryFolder());
    const repository = folderAt(join(outer.root, "build"), { "target/pkg/a.rs": "", "b.rs": "" });
    repository.git("init", "-q");
    expect(await (await treeOf(repository.root)).list()).toEqual(["b.rs", "target/pkg/a.rs"]);
    const below = join(repository.root, "target");
    expect(await (await treeOf(below)).list()).toEqual(["pkg/a.rs"]);
  });
});

describe("the files of a folder without git", () => {
  it("obey its ignore files and exclude installed packages", async () => {
    const folder = kept(
      temporaryFolder({
        ".gitignore": "/dist\n",
        "dist/a.js": "",
        "src/dist/b.js": "",
        "src/.pithignore": "secret*\n",
        "src/secret.txt": "",
        "node_modules/x/index.js": "",
      }),
    );
    const tree = await treeOf(folder.root);
    expect(await tree.list()).toEqual([".gitignore", "src/.pithignore", "src/dist/b.js"]);
    folder.write("src/c.js", "");
    expect(await tree.list()).toEqual([".gitignore", "src/.pithignore", "src/c.js", "src/dist/b.js"]);
  });
});
