import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryRepository } from "../support/git-folder.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

function repository(): string {
  const files: Record<string, string> = {};
  for (let i = 0; i < 300; i++) files[`pkg${i % 5}/m${i}.py`] = `def made_${i}():\n    return ${i}\n`;
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder.root;
}

async function untilReady(root: string, ref?: string): Promise<number> {
  for (;;) {
    const status = await test.index.status({ root, ...(ref !== undefined && { ref }) });
    if (status.index_status === "ready") return status.file_count;
    expect(status.index_status).not.toBe("failed");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("indexing that takes longer than the reply timeout", () => {
  it.each(["live", "HEAD"])("reports that it is running and continues: %s", async (ref) => {
    const root = repository();
    const report = await test.index.index({ root, ref, answerMs: 0 });
    expect(report.status).toBe("running");
    expect(report.status_message).toContain("call again to follow it");
    expect(await untilReady(root, ref)).toBe(300);
    const again = await test.index.index({ root, ref, answerMs: 60_000 });
    expect(again.status).toBe("success");
    expect(again.files_indexed).toBe(300);
  });

  it("can be aborted by its caller and started again", async () => {
    for (const ref of ["live", "HEAD"]) {
      const root = repository();
      const ending = new AbortController();
      const work = test.index.index({ root, ref, answerMs: 60_000, signal: ending.signal });
      ending.abort();
      await expect(work).rejects.toThrow();
      expect((await test.index.index({ root, ref })).files_indexed).toBe(300);
    }
  });

  it("is not aborted by a caller that already has a reply", async () => {
    const root = repository();
    const ending = new AbortController();
    await test.index.index({ root, answerMs: 0, signal: ending.signal });
    ending.abort();
    expect(await untilReady(root)).toBe(300);
  });
});

describe("the indexing report", () => {
  it("counts the indexed files, the files read and the skipped ones", async () => {
    const folder = temporaryRepository({ "a.py": "def made(): pass\n", "logo.png": "\u0089PNG\0\0" });
    onTestFinished(() => folder.dispose());
    expect(await test.index.index({ root: folder.root })).toMatchObject({
      files_indexed: 1,
      status_message: "Files read: 2; without text or too large: 1",
    });
    // The commit contains the same blobs, which are already indexed.
    expect(await test.index.index({ root: folder.root, ref: "HEAD" })).toMatchObject({
      files_indexed: 1,
      status_message: "Files read: 0; without text or too large: 1",
    });
  });
});
