import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFileHistory, openFileHistory } from "../../src/index/rank/file-history.ts";
import { createProjectHistory } from "../../src/index/live/project-history.ts";
import { openIndexStore } from "../../src/storage/sqlite/index-store.ts";
import { readCommits } from "../../src/workspace/git/git-history.ts";
import { findRepository } from "../../src/workspace/git/git-repository.ts";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryFolder, temporaryRepository, type GitFolder } from "../support/git-folder.ts";
import { kept } from "../support/kept-folder.ts";

const FACTS = { commit: "c", readAt: 1, isComplete: true };

async function repositoryAt(root: string) {
  const repository = await findRepository(root);
  if (repository === undefined) throw new Error(`no repository at ${root}`);
  return repository;
}

function commit(folder: GitFolder, subject: string, ...paths: string[]): void {
  for (const path of paths) folder.write(path, `${subject}\n`);
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", `${subject}\n\nThe body of it.`);
}

describe("commits", () => {
  it("are read with their subjects and files, newest first, without merges, relative to the workspace", async () => {
    const folder = kept(temporaryRepository());
    commit(folder, "Add the größe of things", "src/größe.js", "src/with space.js");
    folder.git("checkout", "-q", "-b", "side");
    commit(folder, "fix: side", "side.js");
    folder.git("checkout", "-q", "main");
    commit(folder, "Main goes on", "src/main.js");
    folder.git("merge", "-q", "--no-ff", "-m", "merged", "side");
    const all = await readCommits(await repositoryAt(folder.root), 10);
    expect(all.map(({ subject }) => subject).toSorted()).toEqual([
      "Add the größe of things",
      "Main goes on",
      "first",
      "fix: side",
    ]);
    const below = await readCommits(await repositoryAt(join(folder.root, "src")), 10);
    expect(below.find(({ subject }) => subject.startsWith("Add"))?.files).toEqual([
      "größe.js",
      "with space.js",
    ]);
    expect(await readCommits(await repositoryAt(folder.root), 1)).toHaveLength(1);
  });

  it("are empty before the first commit", async () => {
    const folder = kept(temporaryFolder());
    folder.git("init", "-q");
    expect(await readCommits(await repositoryAt(folder.root), 10)).toEqual([]);
  });
});

describe("the history of files", () => {
  it("scores the file highest whose commits contain most of the words, also after it was stored", async () => {
    const many = Array.from({ length: 11 }, (_, index) => `m${index}.js`);
    const history = await createFileHistory(
      [
        { subject: "Retry downloads that failed", files: ["a.js"] },
        { subject: "retry once", files: ["b.js", "tab\there.js"] },
        { subject: "Retry failed downloads everywhere", files: many },
        ...Array.from({ length: 20 }, (_, index) => ({ subject: `Rename part ${index}`, files: ["b.js"] })),
      ],
      FACTS,
    );
    const opened = openFileHistory(history.text);
    for (const one of [history, opened]) {
      const of = one?.scoreFiles(["retr", "download"]) ?? (() => 0);
      expect(of("a.js")).toBeGreaterThan(of("tab\there.js"));
      expect(of("tab\there.js")).toBeGreaterThan(of("b.js"));
      expect(of("b.js")).toBeGreaterThan(0);
      expect([of("m1.js"), of("unknown.js")]).toEqual([0, 0]);
    }
    expect(opened).toMatchObject({ ...FACTS, text: history.text });
    expect(history.scoreFiles([])("a.js")).toBe(0);
  });

  it("is empty without commits, and ignored if another version stored it", async () => {
    const empty = await createFileHistory([], FACTS);
    expect(openFileHistory(empty.text)?.scoreFiles(["retr"])("a.js")).toBe(0);
    expect(openFileHistory(empty.text.replace("history 1", "history 0"))).toBeUndefined();
    expect(openFileHistory("")).toBeUndefined();
  });
});

describe("the history of a project", () => {
  it("is stored for the next process, even if commits were added since", async () => {
    const folder = kept(temporaryRepository({ "a.js": "1\n" }));
    const head = folder.git("rev-parse", "HEAD").trim();
    const repository = await repositoryAt(folder.root);
    const store = await openIndexStore(join(kept(temporaryFolder()).root, "index.db"));
    onTestFinished(() => store.close());
    const one = createProjectHistory(store, "family", repository);
    await one.finish();
    await one.close();
    commit(folder, "second", "b.js");
    const other = createProjectHistory(store, "family", repository);
    expect(await other.current(60_000)).toMatchObject({ commit: head, isComplete: true });
    await other.close();
    const plain = createProjectHistory(store, "family", undefined);
    expect(await plain.current(60_000)).toBeUndefined();
  });

  it("is read again if the stored copy is damaged", async () => {
    const folder = kept(temporaryRepository());
    commit(folder, "first", "a.js");
    const repository = await repositoryAt(folder.root);
    const store = await openIndexStore(join(kept(temporaryFolder()).root, "index.db"));
    onTestFinished(() => store.close());
    await store.saveImage("history of  in family", Buffer.from("no such thing"));
    const history = createProjectHistory(store, "family", repository);
    await history.finish();
    expect((await history.current(0))?.commit).toBe(folder.git("rev-parse", "HEAD").trim());
    await history.close();
  });

  it("starts with the newest commits, and reads older ones in a process that keeps running", async () => {
    const folder = kept(temporaryFolder());
    folder.git("init", "-q", "-b", "main");
    const commits = Array.from({ length: 1_010 }, (_, index) =>
      [
        `commit refs/heads/main\ncommitter t <t@example.com> ${1_700_000_000 + index} +0000`,
        `data <<E\n${index === 0 ? "Sharpen the saw" : `Step ${index}`}\nE`,
        `M 644 inline ${index === 0 ? "saw.js" : "other.js"}\ndata <<E\n${index}\nE\n`,
      ].join("\n"),
    );
    execFileSync("git", ["fast-import", "--quiet"], { cwd: folder.root, input: commits.join("\n") });
    const store = await openIndexStore(join(kept(temporaryFolder()).root, "index.db"));
    onTestFinished(() => store.close());
    const history = createProjectHistory(store, "family", await repositoryAt(folder.root));
    onTestFinished(() => history.close());
    await history.finish();
    const first = await history.current(0);
    expect(first?.isComplete).toBe(false);
    expect(first?.scoreFiles(["saw"])("saw.js")).toBe(0);
    await vi.waitFor(async () => expect((await history.current(0))?.isComplete).toBe(true), 60_000);
    expect((await history.current(0))?.scoreFiles(["saw"])("saw.js")).toBeGreaterThan(0);
  }, 90_000);
});

describe("the order of results", () => {
  const test = createTestIndex();
  afterAll(() => test.dispose());

  it("considers the commit messages of a file", async () => {
    const folder = kept(temporaryRepository());
    commit(folder, "Add a buffer", "src/alpha.js");
    commit(folder, "Drain what is pending before shutdown", "src/beta.js");
    const body = "export function flush(buffer) {\n  return buffer.pending;\n}\n";
    folder.write("src/alpha.js", body);
    folder.write("src/beta.js", body);
    folder.git("add", "-A");
    folder.git("commit", "-q", "-m", "Rework");
    await test.index.index({ root: folder.root });
    const { hits } = await test.search(folder.root, "drain pending buffers at shutdown");
    expect(hits.map(({ path }) => path)).toEqual(["src/beta.js", "src/alpha.js"]);
  });
});
