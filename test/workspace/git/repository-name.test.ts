import { describe, expect, it, onTestFinished } from "vitest";
import { findRepository } from "../../../src/workspace/git/git-repository.ts";
import { remoteName, repositoryName } from "../../../src/workspace/git/repository-name.ts";
import { makeFolder } from "../../support/folder.ts";
import { folderAt, temporaryFolder, temporaryRepository, type GitFolder } from "../../support/git-folder.ts";

async function nameOf({ root }: Pick<GitFolder, "root">): Promise<string | undefined> {
  const repository = await findRepository(root);
  if (repository === undefined) throw new Error("no repository");
  return repositoryName(repository);
}

describe("the name of a repository", () => {
  it("is the same for every spelling of its remote and contains no credentials", () => {
    for (const url of [
      "git@Example.org:team/app.git",
      "ssh://git@example.org:2222/team/app.git",
      "https://user:secret@example.org/team/app",
      "https://example.org/team/app/",
      "example.org:team/app",
    ])
      expect([url, remoteName(url)]).toEqual([url, "example.org/team/app"]);
  });

  it("is never a path on disk", () => {
    for (const url of [
      "",
      "/srv/git/app.git",
      "../app",
      "file:///srv/git/app.git",
      "C:\\git\\app",
      "C:/git/app",
    ])
      expect([url, remoteName(url)]).toEqual([url, undefined]);
  });

  it("is the first commit if there is no remote, equal in every clone and worktree", async () => {
    const repository = temporaryRepository({ "a.txt": "a" });
    onTestFinished(() => repository.dispose());
    const clone = folderAt(makeFolder());
    clone.git("clone", "-q", repository.root, clone.root);
    clone.git("commit", "-q", "--allow-empty", "-m", "second");
    const name = await nameOf(repository);
    expect(name).toMatch(/^[0-9a-f]{40}$/);
    expect(await nameOf(clone)).toBe(name);
    clone.git("remote", "set-url", "origin", "git@example.org:team/app.git");
    expect(await nameOf(clone)).toBe("example.org/team/app");
  });

  it("does not exist before the first commit", async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.dispose());
    folder.git("init", "-q");
    expect(await nameOf(folder)).toBeUndefined();
  });
});
