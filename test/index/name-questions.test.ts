import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryRepository } from "../support/git-folder.ts";

/** A file that uses the name so often that a ranking by words alone would put it first. */
const USES =
  "import { TaskQueue } from './core.js';\n// TaskQueue implementation\nnew TaskQueue(TaskQueue);\n";
/** Files that use the name once in a long text and rank far below the definition. */
const users = Object.fromEntries(
  Array.from({ length: 9 }, (_, number) => [
    `test/use${number}.test.js`,
    `${"const other = words(of, a, long, text);\n".repeat(40)}// TaskQueue\n`,
  ]),
);

const test = createTestIndex();
const folder = temporaryRepository({
  ...users,
  "src/task-queue-implementation.js": USES.repeat(9),
  "src/core.js": "export class TaskQueue {\n  push(task) {\n    return task;\n  }\n}\n",
  // This file contains all words of the name, but not the name itself.
  "src/many.js":
    "export const queue = [];\n// a task of the queue\nexport const task = queue.push(1);\n".repeat(9),
  "locale/de.po": 'msgid "TaskQueue"\nmsgstr "Warteschlange"\n',
  "src/stop.js": "export function stopWorker() {\n  return 1;\n}\n",
  "src/slow.js": "export function stopWorkerSlowly() {\n  return 1;\n}\n",
  "src/workers.js": "// to stop a worker\n",
  "src/store.js": "export function openRecordStore() {\n  return 1;\n}\n",
  "src/open.js": "openRecordStore();\n",
  "src/records.js": "// open a record of the store\n",
  "src/wait.js": "export function waitForDrainedQueue() {\n  return 1;\n}\n",
});
beforeAll(() => test.index.index({ root: folder.root }));
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

const paths = async (query: string) => (await test.search(folder.root, query)).hits.map(({ path }) => path);

describe("a question about one name", () => {
  it.each([
    "where is TaskQueue defined?",
    "How does `TaskQueue` work?",
    "TaskQueue implementation",
    "the TaskQueue class",
    "TaskQueue.",
    "show me the definition of TaskQueue.push",
  ])("finds the definition first: %s", async (query) => {
    expect((await paths(query))[0]).toBe("src/core.js");
  });

  it("lists files that use the name on the first page", async () => {
    expect(await paths("TaskQueue")).toHaveLength(10);
    expect(new Set(await paths("TaskQueue")).size).toBe(10);
  });

  it("counts only files that use the name, not files that contain its words", async () => {
    expect((await test.search(folder.root, "TaskQueue")).total).toBe(12);
    expect(await paths("openRecordStore")).toEqual(["src/store.js", "src/open.js"]);
  });

  it("adds a similar name if few files use the requested one", async () => {
    expect(await paths("stopWorker")).toEqual(["src/stop.js", "src/slow.js"]);
  });

  it("replaces a misspelled name by the most similar existing one, and says so", async () => {
    const { hits, nearest } = await test.search(folder.root, "openRecrodStore");
    expect(hits.map(({ path }) => path)).toEqual(["src/store.js", "src/open.js"]);
    expect(nearest).toEqual(["openRecordStore"]);
    expect((await test.search(folder.root, "openRecordStore")).nearest).toBeUndefined();
  });

  it("says that a quoted text was not found, and shows files that contain its words", async () => {
    const quoted = async (text: string) => {
      const { hits, metadata } = await test.search(folder.root, text);
      return { paths: hits.map(({ path }) => path), said: metadata.quoted_text };
    };
    expect(await quoted('"record of the store"')).toEqual({ paths: ["src/records.js"], said: undefined });
    const { paths: found, said } = await quoted('"a store of the record"');
    expect(found).toContain("src/records.js");
    expect(said).toBe("not_found");
  });

  it("finds a name by its prefix if no definition has the whole name", async () => {
    expect((await paths("waitForDrained"))[0]).toBe("src/wait.js");
    expect(await paths("waitfordrain")).toEqual(["src/wait.js"]);
  });
});
