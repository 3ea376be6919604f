import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { blobHash, listTree, readBlobs } from "../../../src/workspace/git/git-objects.ts";
import { findRepository, readHead, resolveCommit } from "../../../src/workspace/git/git-repository.ts";
import { temporaryFolder, temporaryRepository } from "../../support/git-folder.ts";
import { kept } from "../../support/kept-folder.ts";

async function repositoryAt(root: string) {
  const repository = await findRepository(root);
  if (repository === undefined) throw new Error(`no repository at ${root}`);
  return repository;
}

describe("a git repository", () => {
  it("is not found in a folder without git", async () => {
    expect(await findRepository(kept(temporaryFolder()).root)).toBeUndefined();
  });

  it("reports HEAD after commits, with packed refs, a detached checkout and a worktree", async () => {
    const folder = kept(temporaryRepository({ "a.txt": "one\n" }));
    const repository = await repositoryAt(folder.root);
    const first = folder.git("rev-parse", "HEAD").trim();
    expect(await readHead(repository)).toEqual({ branch: "main", commit: first });
    folder.git("pack-refs", "--all");
    expect(await readHead(repository)).toEqual({ branch: "main", commit: first });
    folder.git("checkout", "-q", "--detach");
    expect(await readHead(repository)).toEqual({ commit: first });
    folder.git("worktree", "add", "-q", "-b", "side", "tree");
    const worktree = await repositoryAt(join(folder.root, "tree"));
    expect(await readHead(worktree)).toEqual({ branch: "side", commit: first });
    expect(worktree.commonDir).toBe(repository.commonDir);
  });

  it("has no commit before the first one and rejects unknown refs", async () => {
    const folder = kept(temporaryFolder());
    folder.git("init", "-q", "-b", "main");
    const repository = await repositoryAt(folder.root);
    expect(await readHead(repository)).toEqual({ branch: "main" });
    await expect(resolveCommit(repository, "nowhere")).rejects.toMatchObject({ code: "ref_not_found" });
    await expect(resolveCommit(repository, "--all")).rejects.toMatchObject({ code: "ref_not_found" });
  });

  it.each([["sha1"], ["sha256"]] as const)("lists trees and reads blobs by their %s ids", async (format) => {
    const text = "grüße\n";
    const folder = kept(
      temporaryRepository({ "dir/ü.txt": text, "b.bin": "\0x" }, [`--object-format=${format}`]),
    );
    const repository = await repositoryAt(folder.root);
    expect(repository.objectFormat).toBe(format);
    const hash = blobHash(Buffer.from(text), format);
    const entries = await listTree(repository, await resolveCommit(repository, "main"));
    expect(entries).toContainEqual({ path: "dir/ü.txt", hash, size: 8 });
    const missing = "0".repeat(hash.length);
    const blobs = await readBlobs(repository, [missing, ...entries.map((entry) => entry.hash)]);
    expect(blobs.size).toBe(2);
    expect(blobs.get(hash)?.toString("utf8")).toBe(text);
  });
});
