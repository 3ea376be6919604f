import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLiveIndex } from "../../src/index/live-index.ts";
import { createRecorder } from "../../src/index/recorder.ts";
import { createSegmentPool } from "../../src/index/segment-pool.ts";
import { openIndexStore } from "../../src/storage/sqlite/index-store.ts";
import { makeFolder } from "../support/folder.ts";

it("waits for the first files of a tree that was never read, however short the time", async () => {
  const body = Array.from({ length: 100 }, (_, at) => `def f_${at}(a, b):\n    return a + ${at}\n`).join(
    "\n",
  );
  const files = Array.from({ length: 40 }, (_, at) => [`m_${at}.py`, `# ${at}\n${body}`]);
  const root = makeFolder(Object.fromEntries(files));
  const store = await openIndexStore(join(makeFolder({}), "index.db"));
  const { projectId } = await store.project(root, "family");
  const recorder = createRecorder(1);
  const index = await openLiveIndex(root, {
    store,
    projectId,
    recorder,
    pool: createSegmentPool(store, "family"),
    objectFormat: "sha1",
    maxFileBytes: 1_000_000,
    isReplaceable: false,
  });
  onTestFinished(async () => {
    await index.close();
    await recorder.close();
    await store.close();
  });
  // On a busy machine one wait is not enough; without any, all these calls are over before a worker has started.
  for (let asked = 0; asked < 40 && index.entries.size === 0; asked++)
    await index.freshen({ budgetMs: 0, thorough: true });
  expect(index.entries.size).toBeGreaterThan(0);
});
