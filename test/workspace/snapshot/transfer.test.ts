import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  createReadStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { folderAt, temporaryRepository, type GitFolder } from "../../support/git-folder.ts";
import { kept } from "../../support/kept-folder.ts";
import { snapshotBench, type SnapshotBench } from "../../support/snapshots.ts";
import { treeOf } from "../../support/tree-state.ts";

let bench: SnapshotBench;
beforeEach(() => {
  bench = snapshotBench();
  return () => bench.dispose();
});
function repository(files: Readonly<Record<string, string>>): GitFolder {
  return kept(temporaryRepository(files));
}

/** A pseudorandom generator that repeats its numbers for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Makes one random change, as a user working in the repository would. */
function disturb(folder: GitFolder, random: (below: number) => number): void {
  const names = ["a", "b", "c d", "ö", "-e"];
  const pick = () => Array.from({ length: 1 + random(3) }, () => names[random(names.length)]).join("/");
  const path = pick();
  const place = join(folder.root, path);
  const parents: string[] = [];
  for (let at = dirname(path); at !== "."; at = dirname(at)) parents.unshift(at);
  const isReal = (at: string) =>
    lstatSync(join(folder.root, at), { throwIfNoEntry: false })?.isDirectory() === true;
  const clear = () => {
    for (const parent of parents) if (!isReal(parent)) folder.remove(parent);
    folder.remove(path);
    mkdirSync(dirname(place), { recursive: true });
  };
  const step = random(8);
  if (step <= 2) {
    clear();
    folder.write(path, Buffer.from(Array.from({ length: random(400) }, () => random(256))));
  } else if (step === 3) {
    clear();
    symlinkSync(pick(), place);
  } else if (!parents.every(isReal)) return;
  else if (step === 4) folder.remove(path);
  else if (step === 5) {
    if (lstatSync(place, { throwIfNoEntry: false })?.isFile() === true)
      chmodSync(place, random(2) ? 0o755 : 0o644);
  } else if (step === 6) folder.git("add", "-A");
  else folder.git("commit", "-q", "-a", "--allow-empty", "-m", "step");
}

describe("the transfer of a snapshot to a worker", () => {
  it.each([1, 2])(
    "delivers the exact tree after random changes (seed %i)",
    async (seed) => {
      const random = randomNumbers(seed);
      const folder = repository({ "a/b": "1\n", b: "2\n" });
      for (let round = 0; round < 4; round++) {
        for (let step = 0; step < 12; step++) disturb(folder, random);
        const target = await bench.deliver(await bench.take(folder.root));
        expect(treeOf(target), `round ${round}`).toEqual(treeOf(folder.root));
      }
    },
    60_000,
  );

  it("sends a delta against the snapshots that the worker has", async () => {
    const lines = Array.from({ length: 5000 }, (_, line) => `${line} ${(line * 7919) % 10007}\n`);
    const folder = repository({ "large.txt": lines.join(""), "other.txt": "1\n" });
    const first = await bench.take(folder.root);
    const whole = await bench.pack(first);
    expect(whole.needs).toEqual([]);
    lines[2500] = "changed\n";
    folder.write("large.txt", lines.join(""));
    const second = await bench.take(folder.root);
    const delta = await bench.pack(second, ["0".repeat(40), "no id", first.commit]);
    expect(delta.needs).toEqual([first.commit]);
    expect(delta.bytes).toBeLessThan(1000);
    expect(whole.bytes).toBeGreaterThan(10_000);
    // A delta also works against an earlier snapshot that is not part of any commit.
    lines[10] = "changed too\n";
    folder.write("large.txt", lines.join(""));
    const third = await bench.pack(await bench.take(folder.root), [second.commit]);
    expect(third.needs).toEqual([second.commit]);
    expect(third.bytes).toBeLessThan(1000);
  });

  it("rejects a pack that lacks its base, is truncated or corrupt, and works again afterwards", async () => {
    const folder = repository(
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, `${at} ${at}\n`])),
    );
    const base = await bench.take(folder.root);
    folder.write("f1", "changed\n");
    const snapshot = await bench.take(folder.root);
    const cache = bench.cache();
    const [whole, delta] = [await bench.pack(base), await bench.pack(snapshot, [base.commit])];
    await expect(cache.receive({ ...delta, bytes: createReadStream(delta.file) })).rejects.toMatchObject({
      code: "result_not_found",
      data: { missing: [base.commit] },
    });
    const bytes = readFileSync(whole.file);
    async function* torn() {
      yield bytes.subarray(0, bytes.length / 2);
    }
    async function* failing() {
      yield bytes.subarray(0, 100);
      throw new Error("the line is dead");
    }
    await expect(cache.receive({ ...whole, bytes: torn() })).rejects.toMatchObject({
      code: "result_not_found",
    });
    await expect(cache.receive({ ...whole, bytes: failing() })).rejects.toThrow("the line is dead");
    const claimed = { ...whole, commit: snapshot.commit };
    await expect(cache.receive({ ...claimed, bytes: createReadStream(whole.file) })).rejects.toMatchObject({
      code: "result_not_found",
    });
    expect(await cache.commits()).toEqual([]);
    await expect(cache.checkout(base.commit, join(bench.folder, "early"))).rejects.toMatchObject({
      code: "result_not_found",
    });
    await cache.receive({ ...whole, bytes: createReadStream(whole.file) });
    await cache.receive({ ...delta, bytes: createReadStream(delta.file) });
    await cache.checkout(snapshot.commit, join(bench.folder, "job"));
    expect(treeOf(join(bench.folder, "job"))).toEqual(treeOf(folder.root));
  });

  it("can be cancelled midway and repeated", async () => {
    const folder = repository(
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, `${at}\n`])),
    );
    const snapshot = await bench.take(folder.root);
    const pack = await bench.pack(snapshot);
    const cache = bench.cache();
    const abort = new AbortController();
    const bytes = readFileSync(pack.file);
    async function* slow() {
      yield bytes.subarray(0, 50);
      abort.abort();
      await new Promise<never>(() => {});
    }
    await expect(cache.receive({ ...pack, bytes: slow() }, abort.signal)).rejects.toMatchObject({
      code: "cancelled",
    });
    await expect(bench.take(folder.root, { signal: abort.signal })).rejects.toMatchObject({
      code: "cancelled",
    });
    await cache.receive({ ...pack, bytes: createReadStream(pack.file) });
    const target = join(bench.folder, "job");
    await expect(cache.checkout(snapshot.commit, target, abort.signal)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(existsSync(target)).toBe(false);
    await cache.checkout(snapshot.commit, target);
    expect(treeOf(target)).toEqual(treeOf(folder.root));
  });
});

describe("a worker's cache", () => {
  it("serves many jobs at once, each with its own folder and repository", async () => {
    const folder = repository({ "a.txt": "1\n", "b/c.txt": "1\n" });
    const snapshots = [];
    for (let count = 0; count < 4; count++) {
      folder.write("a.txt", `${count}\n`);
      snapshots.push(await bench.take(folder.root));
    }
    const targets = await Promise.all(
      [...snapshots, ...snapshots].map((snapshot) => bench.deliver(snapshot)),
    );
    expect(targets.map((target) => readFileSync(join(target, "a.txt"), "utf8"))).toEqual(
      [0, 1, 2, 3, 0, 1, 2, 3].map((count) => `${count}\n`),
    );
    const [first = "", second = ""] = targets;
    const git = (at: string, ...args: string[]) =>
      execFileSync("git", args, { cwd: at, encoding: "utf8" }).trim();
    git(
      first,
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@e",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "of the job",
    );
    git(first, "config", "core.hooksPath", "elsewhere");
    expect(git(second, "rev-parse", "HEAD")).toBe(snapshots[1]?.commit);
    expect(git(second, "config", "--default", "none", "core.hooksPath")).toBe("none");
    mkdirSync(join(first, "made", "sealed"), { recursive: true });
    writeFileSync(join(first, "made", "sealed", "x"), "x");
    chmodSync(join(first, "made", "sealed"), 0o500);
    for (const target of targets) await bench.cache().release(target);
    expect(readdirSync(join(bench.folder, "jobs"))).toEqual([]);
    await bench.cache().release(first);
  });

  it("never writes into an existing folder", async () => {
    const snapshot = await bench.take(repository({ "a.txt": "1\n" }).root);
    await bench.deliver(snapshot);
    const taken = join(bench.folder, "mine");
    mkdirSync(taken);
    writeFileSync(join(taken, "x"), "x");
    await expect(bench.cache().checkout(snapshot.commit, taken)).rejects.toThrow(/exist/);
    expect(readdirSync(taken)).toEqual(["x"]);
  });

  it("starts a new generation with recent snapshots and removes the old one when no folder reads it", async () => {
    const folder = repository({ "a.txt": "0\n" });
    const snapshots = [];
    for (let count = 0; count < 7; count++) {
      folder.write("noise.bin", randomBytes(2000));
      folder.write("a.txt", `${count}\n`);
      snapshots.push(await bench.take(folder.root));
    }
    const targets = [];
    for (const snapshot of snapshots) targets.push(await bench.deliver(snapshot));
    const cache = bench.cache();
    const epochs = () =>
      readdirSync(join(bench.folder, "cache-sha1")).filter((name) => name.startsWith("epoch-"));
    const limits = { maxBytes: 1_000_000, maxAgeMs: 3_600_000, idleMs: -1 };
    await cache.prune(limits);
    expect(epochs()).toHaveLength(1);
    await cache.prune({ ...limits, maxBytes: 8000 });
    expect(epochs()).toHaveLength(2);
    const kept = await cache.commits();
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(7);
    expect(kept[0]).toBe(snapshots.at(-1)?.commit);
    // The checked-out folders still read from the old generation.
    await cache.prune(limits);
    expect(epochs()).toHaveLength(2);
    expect(execFileSync("git", ["cat-file", "-p", "HEAD:a.txt"], { cwd: targets[0], encoding: "utf8" })).toBe(
      "0\n",
    );
    for (const target of targets) await cache.release(target);
    await cache.prune(limits);
    expect(epochs()).toHaveLength(1);
    const again = await bench.deliver(snapshots[0] ?? expect.fail("no snapshot"));
    expect(readFileSync(join(again, "a.txt"), "utf8")).toBe("0\n");
    await cache.prune({ ...limits, maxAgeMs: -1 });
    expect(await cache.commits()).toEqual([]);
  });

  it("recovers by itself when its files are damaged", async () => {
    const folder = repository(
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, `${at}\n`])),
    );
    const snapshot = await bench.take(folder.root);
    const first = await bench.deliver(snapshot);
    await bench.cache().release(first);
    const packs = readdirSync(join(bench.folder, "cache-sha1"), { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".pack"),
    );
    expect(packs).toHaveLength(1);
    const pack = join(bench.folder, "cache-sha1", packs[0] ?? "");
    renameSync(pack, `${pack}.whole`);
    writeFileSync(pack, readFileSync(`${pack}.whole`));
    truncateSync(pack, 1000);
    await expect(bench.cache().checkout(snapshot.commit, join(bench.folder, "job"))).rejects.toMatchObject({
      code: "internal_error",
    });
    expect(existsSync(join(bench.folder, "job"))).toBe(false);
    expect(treeOf(await bench.deliver(snapshot))).toEqual(treeOf(folder.root));
  });

  it.each([4])(
    "reuses the folder of a finished job, which then equals a new one (seed %i)",
    async (seed) => {
      const random = randomNumbers(seed);
      const folder = repository({
        "a/b": "1\n",
        b: "2\n",
        ".gitignore": "ignored\n",
        "run.sh": "x\n",
        "d/e/f": "f\n",
      });
      const idleCheckouts = () => readdirSync(join(bench.folder, "cache-sha1", "spares"));
      const cache = bench.cache();
      let inode: number | undefined;
      for (let round = 0; round < 4; round++) {
        for (let step = 0; step < 6; step++) disturb(folder, random);
        folder.write("run.sh", `${round}\n`);
        const target = await bench.deliver(await bench.take(folder.root));
        expect(treeOf(target), `round ${round}`).toEqual(treeOf(folder.root));
        expect(lstatSync(target).mode & 0o777).toBe(0o700);
        expect(execFileSync("git", ["status", "--porcelain"], { cwd: target, encoding: "utf8" })).toBe("");
        // The inode shows that it is the folder of the previous job.
        if (inode !== undefined) expect(lstatSync(target).ino).toBe(inode);
        inode = lstatSync(target).ino;
        vandalise(folderAt(target), random);
        await cache.release(target);
        expect(idleCheckouts(), `round ${round}`).toHaveLength(1);
      }
      await cache.removeIdleCheckouts();
      expect(idleCheckouts()).toEqual([]);
    },
    60_000,
  );

  it("does not keep a folder that cannot be reset", async () => {
    const folder = repository({ "a/b/c": "1\n" });
    const target = await bench.deliver(await bench.take(folder.root));
    chmodSync(join(target, "a", "b"), 0o777);
    await bench.cache().release(target);
    expect(readdirSync(join(bench.folder, "cache-sha1", "spares"))).toEqual([]);
    expect(readdirSync(join(bench.folder, "cache-sha1", "cleaning"))).toEqual([]);
    expect(existsSync(target)).toBe(false);
  });

  it("never gives a folder of one project to a job of another", async () => {
    const [one, two] = [repository({ "one.txt": "1\n" }), repository({ "two.txt": "2\n" })];
    await bench.cache().release(await bench.deliver(await bench.take(one.root)));
    const target = await bench.deliver(await bench.take(two.root));
    expect([...treeOf(target).keys()]).toEqual(["two.txt"]);
    expect(readdirSync(join(bench.folder, "cache-sha1", "spares"))).toHaveLength(1);
  });
});

/** Damages a job's folder, including changes that keep the size and the modification time of a file. */
function vandalise(folder: GitFolder, random: (below: number) => number): void {
  const place = (path: string) => join(folder.root, path);
  const { atime, mtime } = lstatSync(place("run.sh"));
  // The size and the modification time stay the same.
  writeFileSync(place("run.sh"), "z\n");
  utimesSync(place("run.sh"), atime, mtime);
  folder.write("ignored/deep/file", "left\n");
  mkdirSync(place("empty/folders"), { recursive: true });
  folder.write(".git/config", '[core]\n\tfsmonitor = false\n\tworktree = /\n[filter "x"]\n\tclean = false\n');
  folder.write(".git/info/exclude", "*\n");
  folder.write(".git/hooks/post-checkout", "#!/bin/sh\nexit 1\n");
  folder.write(".git/index.lock", "");
  mkdirSync(place("nested"), { recursive: true });
  execFileSync("git", ["init", "-q"], { cwd: place("nested") });
  chmodSync(place(".gitignore"), 0o000);
  folder.remove("d");
  symlinkSync("..", place("d"));
  for (let step = 0; step < 6; step++) if (random(2) === 0) folder.write(`made-${random(100)}`, "x");
}
