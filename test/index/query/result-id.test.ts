import { expect, it, onTestFinished } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { temporaryFolder } from "../../support/git-folder.ts";

it("rejects an id that two files happen to share", async () => {
  const text = "def twin(): pass\n";
  const folder = temporaryFolder({ "m60040.py": text, "m102736.py": text, "m1.py": text });
  const test = createTestIndex();
  onTestFinished(async () => {
    await test.dispose();
    folder.dispose();
  });
  const { root } = folder;
  const { hits } = await test.locate(root, "twin");
  const [a, b] = hits.filter(({ path }) => path !== "m1.py").map(({ resultId }) => resultId);
  const single = hits.find(({ path }) => path === "m1.py")?.resultId ?? "";
  // If this fails, ids are computed differently now, and the test needs two other paths that collide.
  expect(a).toBe(b);
  await expect(test.index.result({ root, id: a ?? "" })).rejects.toMatchObject({ code: "result_not_found" });
  expect(await test.index.result({ root, id: single })).toMatchObject({ path: "m1.py" });
});
