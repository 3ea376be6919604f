import { expect, it, onTestFinished } from "vitest";
import { scanPatterns } from "../../../src/index/query/word-scan.ts";
import { createTestIndex, placesOf } from "../../support/code-index.ts";
import { temporaryRepository } from "../../support/git-folder.ts";

it.each([
  ["how are passwords hashed", ["passwords:password", "hashed:hash"]],
  ["validateToken", ["validateToken:validate[_$-]?Token"]],
  ["parse_http_header in Request", ["parse_http_header:parse[_$-]?http[_$-]?header", "Request:request"]],
  ['"a (b) c" near c2', ["a (b) c:a \\(b\\) c", "near:near", "c2:c2"]],
  ["where is it", ["where:wher", "is:is", "it:it"]],
  ["=> 0x1f", ["=> 0x1f:=> 0x1f"]],
  ["  ", []],
])("scans for %j", (question, patterns) => {
  expect(scanPatterns(question).map(({ word, pattern }) => `${word}:${pattern}`)).toEqual(patterns);
});

it("reports no results only after scanning changed files that could not be indexed in time", async () => {
  const folder = temporaryRepository({ "a.py": "def first():\n    pass\n" });
  const tests = createTestIndex({ timeBudgetMs: 1 });
  onTestFinished(async () => {
    await tests.dispose();
    folder.dispose();
  });
  await tests.index.index({ root: folder.root });
  const body = Array.from({ length: 40 }, (_, i) => `def f_${i}(a):\n    return a + ${i}\n`).join("\n");
  for (let i = 0; i < 400; i++) folder.write(`new/m${i}.py`, `# ${i}\n${body}`);
  folder.write("new/z.py", "def lateComer():\n    pass\n");

  const found = await tests.locate(folder.root, "lateComer");
  expect(placesOf(found)).toEqual(["new/z.py:1 lateComer"]);
  expect(found.metadata).toMatchObject({ freshness_status: "stale", scanned_for: ["lateComer"] });
  const nowhere = await tests.locate(folder.root, "neverCame", { policy: "best_effort" });
  expect(nowhere.total).toBe(0);
  if (nowhere.metadata.freshness_status === "stale")
    expect(nowhere.metadata.scanned_for).toEqual(["neverCame"]);
});
