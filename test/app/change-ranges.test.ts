import { expect, it } from "vitest";
import { temporaryRepository } from "../support/git-folder.ts";
import { serve } from "../support/tool-calls.ts";

it("compares the first commit with nothing, and says that a shallow clone has no earlier one", async () => {
  const folder = temporaryRepository({ "a.ts": "export function a() {\n  return 1;\n}\n" });
  const first = await serve(folder.root)("search_code", { query: "what changed in the last commit" });
  expect(first.text).toMatch(/^Changes from nothing, before the first commit, to HEAD/);
  const more = await serve(folder.root)("search_code", { query: "what changed in the last 3 commits" });
  expect(more.text).toMatch(/^Changes from nothing, before the first commit, to HEAD.*\na\.ts \(added\)/);
  folder.write(".git/shallow", `${folder.git("rev-parse", "HEAD").trim()}\n`);
  const shallow = await serve(folder.root)("search_code", { query: "what changed in HEAD~1..HEAD" });
  expect(shallow.text).toContain("was not fetched: a shallow clone");
  folder.dispose();
});
