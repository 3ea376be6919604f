import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { keyOfFile } from "../../src/index/store/content.ts";
import { recordOf } from "../../src/index/store/record.ts";
import { storedRecord } from "../../src/index/store/stored-record.ts";
import { outlineOf } from "../../src/languages/outline.ts";
import type { CodeIndex } from "../../src/index/service.ts";
import { openIndexStore } from "../../src/storage/sqlite/index-store.ts";
import { blobHash } from "../../src/workspace/git/git-objects.ts";
import { createTestIndex, placesOf } from "../support/code-index.ts";
import { temporaryFolder, temporaryRepository } from "../support/git-folder.ts";

function testIndex() {
  const test = createTestIndex();
  onTestFinished(() => test.dispose());
  return test;
}

const LARGE = `def in_large():\n    return 1\n${"# a line of text\n".repeat(120_000)}`;

it.each(["live", "HEAD"])(
  "indexes files up to the size limit, also after the limit is raised: %s",
  async (ref) => {
    const folder = temporaryRepository({ "large.py": LARGE, "small.py": "def in_small(): pass\n" });
    onTestFinished(() => folder.dispose());
    const test = testIndex();
    const { root } = folder;
    const ask = {
      root,
      name: "in_large",
      ref,
      limit: 10,
      offset: 0,
      level: "signature",
      policy: "balanced",
    } as const;
    expect((await test.index.index({ root })).status_message).toContain("too large: 1");
    const wider = test.second(undefined, 5_000_000);
    expect(placesOf(await wider.locate(ask))).toEqual(["large.py:1 in_large"]);
    const narrow = test.second();
    expect(
      placesOf(await narrow.locate({ ...ask, ref: "live" })).filter((place) => place.startsWith("large.py")),
    ).toEqual([]);
  },
);

it("follows a plain folder that becomes a repository with other hashes", async () => {
  const folder = temporaryFolder({ "a.py": "def alpha():\n    return 1\n" });
  onTestFinished(() => folder.dispose());
  const test = testIndex();
  const { root } = folder;
  // A recently written file's timestamps are not trusted, so its content is compared.
  await delay(150);
  expect(placesOf(await test.locate(root, "alpha"))).toEqual(["a.py:1 alpha"]);
  folder.git("init", "-q", "-b", "main", "--object-format=sha256");
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", "first");
  for (let round = 0; round < 2; round++) {
    const answer = await test.locate(root, "alpha", { level: "concise" });
    expect(answer.hits).toMatchObject([{ path: "a.py", content: "def alpha():\n    return 1" }]);
    expect(answer.hits[0]).not.toHaveProperty("stale");
    expect(answer.metadata.freshness_status).toBe("fresh");
  }
  const outline = await test.index.outline({ root, path: "a.py", ref: "HEAD", depth: "all" });
  expect(outline.symbols.map(({ name }) => name)).toEqual(["alpha"]);
});

/** More files than needed for a segment image to be stored for the next server. */
const FILES = 420;

it.each(["live", "HEAD"])(
  "creates all records again when forced: in the store, in memory and in the stored segment image (%s)",
  async (ref) => {
    const texts = Array.from({ length: FILES }, (_, n) => `def right_${n}(): pass\n`);
    const folder = temporaryRepository(Object.fromEntries(texts.map((text, n) => [`m${n}.py`, text])));
    onTestFinished(() => folder.dispose());
    const { root } = folder;
    const test = testIndex();
    await test.index.index({ root, ref });
    const store = await openIndexStore(test.database);
    onTestFinished(() => store.close());
    const [project] = await store.projects();
    if (project === undefined) throw new Error("no project");
    const wrong = "def wrong_7(): pass\n";
    const key = keyOfFile("m7.py", blobHash(Buffer.from(texts[7] ?? "")));
    const record = storedRecord(recordOf(wrong, await outlineOf(wrong, "python")));
    const change = { projectId: project.projectId, ref, changed: [], removed: [], at: Date.now() };
    await store.publish({ ...change, records: [{ key, record }] });

    const ask = { root, ref, limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;
    const exact = async (index: CodeIndex, name: string): Promise<string[]> =>
      placesOf(await index.locate({ ...ask, name })).filter((place) => place.endsWith(` ${name}`));
    const misled = test.second();
    expect(await exact(misled, "wrong_7")).toEqual(["m7.py:1 wrong_7"]);
    while ((await store.image(project.family)) === undefined) await new Promise(setImmediate);
    await misled.index({ root, ref, force: true });
    for (const index of [misled, test.second()]) {
      expect(await exact(index, "right_7")).toEqual(["m7.py:1 right_7"]);
      expect(await exact(index, "wrong_7")).toEqual([]);
    }
  },
);
