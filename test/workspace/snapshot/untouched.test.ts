import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { removeUnusedObjects } from "../../../src/workspace/snapshot/retention.ts";
import { temporaryFolder, temporaryRepository, type GitFolder } from "../../support/git-folder.ts";
import { kept } from "../../support/kept-folder.ts";
import { snapshotBench, type SnapshotBench } from "../../support/snapshots.ts";
import { fingerprintOf, treeOf } from "../../support/tree-state.ts";

let bench: SnapshotBench;
beforeEach(() => {
  bench = snapshotBench();
  return () => bench.dispose();
});

/** Number of snapshots; a manual run can take more with PITH_TEST_SNAPSHOTS=1000. */
const COUNT = Number(process.env["PITH_TEST_SNAPSHOTS"] ?? 25);

/** A repository with uncommitted work and everything else that a careless snapshot could disturb. */
function busyRepository(): GitFolder {
  const folder = kept(
    temporaryRepository({ "a.txt": "1\n", "b.txt": "1\n", "dir/c.txt": "1\n", "gone.txt": "1\n" }),
  );
  folder.write("a.txt", "stashed\n");
  folder.git("stash", "push", "-q");
  folder.git("tag", "v1");
  folder.git("gc", "-q");
  folder.write("b.txt", "staged\n");
  folder.git("add", "b.txt");
  folder.write("b.txt", "and changed\n");
  folder.remove("gone.txt");
  folder.write("new/untracked.txt", "new\n");
  folder.write("intended.txt", "x\n");
  folder.git("add", "-N", "intended.txt");
  chmodSync(join(folder.root, "dir", "c.txt"), 0o755);
  symlinkSync("a.txt", join(folder.root, "link"));
  // The timestamps are old, as after restoring a backup.
  utimesSync(join(folder.root, "a.txt"), 1_000_000_000, 1_000_000_000);
  return folder;
}

describe("the user's repository", () => {
  it(`is identical byte for byte after ${COUNT} snapshots`, async () => {
    const folder = busyRepository();
    const lists = () => [
      folder.git("stash", "list"),
      folder.git("for-each-ref"),
      folder.git("ls-files", "--debug"),
    ];
    const before = { bits: fingerprintOf(folder.root), lists: lists() };
    const commits = new Set<string>();
    for (let count = 0; count < COUNT; count++) {
      const snapshot = await bench.take(folder.root);
      if (count % 5 === 0) await bench.pack(snapshot, snapshot.base ? [snapshot.base.commit] : []);
      commits.add(snapshot.commit);
    }
    expect(fingerprintOf(folder.root)).toEqual(before.bits);
    expect(lists()).toEqual(before.lists);
    expect(commits.size).toBe(1);
  }, 600_000);

  it("is not modified by a snapshot that contains an old object again", async () => {
    const folder = busyRepository();
    // The content exists among the user's objects but not in HEAD; git itself would update the time of that object's file.
    folder.write("back.txt", "stashed\n");
    for (const text of ["1\n", "staged\n", "other\n"]) {
      folder.write("a.txt", text);
      const before = fingerprintOf(folder.root);
      await bench.deliver(await bench.take(folder.root));
      expect(fingerprintOf(folder.root)).toEqual(before);
    }
  });

  it("cannot run a program through its configuration", async () => {
    const folder = kept(
      temporaryRepository({ "a.txt": "1\n", ".gitattributes": "*.txt filter=trap diff=trap\n" }),
    );
    const trap = join(bench.folder, "trap");
    const command = `touch '${trap}'; cat`;
    for (const name of [
      "core.fsmonitor",
      "core.pager",
      "core.editor",
      "core.sshCommand",
      "core.alternateRefsCommand",
      "filter.trap.clean",
      "filter.trap.smudge",
      "filter.trap.process",
      "diff.trap.textconv",
      "diff.external",
      "credential.helper",
      "pager.ls-files",
      "uploadpack.packObjectsHook",
    ])
      folder.git("config", name, command);
    folder.git("config", "alias.ls-files", `!${command}`);
    folder.git("config", "core.hooksPath", join(folder.root, "hooks"));
    for (const hook of [
      "post-checkout",
      "post-index-change",
      "fsmonitor-watchman",
      "reference-transaction",
    ]) {
      folder.write(`hooks/${hook}`, `#!/bin/sh\ntouch '${trap}'\n`);
      chmodSync(join(folder.root, "hooks", hook), 0o755);
    }
    folder.write("a.txt", "changed\n");
    const target = await bench.deliver(await bench.take(folder.root));
    expect(treeOf(target)).toEqual(treeOf(folder.root));
    expect(existsSync(trap)).toBe(false);
  });

  it("cannot redirect the snapshot to other folders, and a partial clone fetches nothing", async () => {
    const secret = kept(temporaryFolder({ "secret.txt": "secret\n" }));
    const folder = kept(temporaryRepository({ "a.txt": "a\n" }));
    folder.git("config", "core.worktree", secret.root);
    expect([...treeOf(await bench.deliver(await bench.take(folder.root))).keys()]).toEqual(["a.txt"]);
    folder.git("config", "core.worktree", "/");
    expect([...treeOf(await bench.deliver(await bench.take(folder.root))).keys()]).toEqual(["a.txt"]);

    const origin = kept(temporaryRepository({ "old.txt": "old\n", "kept.txt": "kept\n" }));
    origin.git("config", "uploadpack.allowFilter", "true");
    const clone = join(bench.folder, "clone");
    origin.git("clone", "-q", "--filter=blob:none", `file://${origin.root}`, clone);
    const partial = { ...origin, root: clone };
    const trap = join(bench.folder, "fetched");
    execFileSync("git", ["config", "remote.origin.uploadpack", `touch '${trap}'; git-upload-pack`], {
      cwd: clone,
    });
    const before = fingerprintOf(clone);
    expect(treeOf(await bench.deliver(await bench.take(partial.root)))).toEqual(treeOf(clone));
    expect(fingerprintOf(clone)).toEqual(before);
    expect(existsSync(trap)).toBe(false);
  });

  it("may change while the snapshot is taken", async () => {
    const folder = kept(temporaryRepository({ "a.txt": "1\n", "d/b.txt": "1\n" }));
    const churn = spawn(
      "sh",
      [
        "-c",
        "echo on; while :; do rm -rf d x; mkdir -p x/y; echo 1 > x/y/z; echo $$ > a.txt; rm -rf x; mkdir d; echo 2 > d/b.txt; done",
      ],
      { cwd: folder.root, stdio: ["ignore", "pipe", "ignore"] },
    );
    try {
      await once(churn.stdout, "data");
      for (let count = 0; count < 10; count++) {
        const snapshot = await bench.take(folder.root);
        await bench.deliver(snapshot);
      }
    } finally {
      churn.kill("SIGKILL");
      await once(churn, "close");
    }
    expect(treeOf(await bench.deliver(await bench.take(folder.root)))).toEqual(treeOf(folder.root));
  }, 60_000);
});

describe("the private repositories", () => {
  it("lose objects that no recent snapshot contains, and are removed when unused", async () => {
    const folder = kept(temporaryRepository({ "a.txt": "1\n" }));
    folder.write("a.txt", "2\n");
    const first = await bench.take(folder.root);
    const taken = join(bench.folder, "taken");
    const objects = () =>
      readdirSync(join(first.gitDir, "objects"), { recursive: true, withFileTypes: true }).filter((entry) =>
        /^[0-9a-f]{38}$/.test(entry.name),
      );
    const count = objects().length;
    expect(count).toBeGreaterThan(0);
    const day = 24 * 3600_000;
    await removeUnusedObjects(taken, Date.now() + 5 * day);
    expect(objects()).toHaveLength(count);
    const old = (Date.now() - 10 * day) / 1000;
    for (const entry of objects()) utimesSync(join(entry.parentPath, entry.name), old, old);
    // A snapshot that still contains the objects refreshes their modification time.
    await bench.take(folder.root);
    await removeUnusedObjects(taken, Date.now() + 10 * day);
    expect(objects()).toHaveLength(count);
    await removeUnusedObjects(taken, Date.now() + 20 * day);
    expect(existsSync(first.gitDir)).toBe(false);
    const again = await bench.take(folder.root);
    expect(again.commit).toBe(first.commit);
    expect(statSync(again.gitDir).isDirectory()).toBe(true);
  });

  it("can be cleaned while another snapshot creates one", async () => {
    const taken = kept(temporaryFolder({ ".new-draft/HEAD": "ref: refs/heads/main\n" }));
    await removeUnusedObjects(taken.root);
    expect(existsSync(join(taken.root, ".new-draft/HEAD"))).toBe(true);
  });
});
