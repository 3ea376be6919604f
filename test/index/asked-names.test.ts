import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryRepository } from "../support/git-folder.ts";

/** Uses the name so often that its words alone would put this file first. */
const USES =
  "import { TaskQueue } from './core.js';\n// TaskQueue implementation\nnew TaskQueue(TaskQueue);\n";
/** Each says it once, in a long text: far below the definition. */
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
  ])("%s", async (query) => {
    expect((await paths(query))[0]).toBe("src/core.js");
  });

  it("fills the first page with those who use it", async () => {
    expect(await paths("TaskQueue")).toHaveLength(10);
    expect(new Set(await paths("TaskQueue")).size).toBe(10);
  });

  it("finds a name by its beginning where nothing bears it whole", async () => {
    expect((await paths("waitForDrained"))[0]).toBe("src/wait.js");
    expect(await paths("waitfordrain")).toEqual(["src/wait.js"]);
  });
});
