import { describe, expect, it, onTestFinished } from "vitest";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { serve } from "../support/tool-calls.ts";

const LONG = `export function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}

export function half(price) {
  return price / 2;
}
`;

function repositoryOf(files: Readonly<Record<string, string>>): GitFolder {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder;
}

/** Asks what changed and returns the lines below the heading. */
async function changesIn(root: string, changes = ""): Promise<string> {
  const { text } = await serve(root)("search_code", { query: "what changed", changes });
  return text.split("\n").slice(1).join("\n");
}

describe("what changed in files whose id git only computes", () => {
  it("reads a renamed file with edits that are not staged from disk", async () => {
    const folder = repositoryOf({ "a.js": LONG });
    folder.git("mv", "a.js", "a2.js");
    folder.write("a2.js", LONG.replace("price / 2", "price / 3"));
    expect(await changesIn(folder.root)).toBe(
      "a2.js (renamed from a.js)\n ~ 7-9 export function half(price) (body)",
    );
  });

  it("reads a new file of a branch with edits from disk, beside a deletion", async () => {
    const folder = repositoryOf({ "old.js": "export function old() {\n  return 'gone';\n}\n" });
    folder.git("checkout", "-q", "-b", "feature");
    folder.write("fresh.js", LONG);
    folder.remove("old.js");
    folder.git("add", "-A");
    folder.git("commit", "-q", "-m", "second");
    folder.write("fresh.js", `${LONG}export function third() {}\n`);
    const text = await changesIn(folder.root, "main");
    expect(text).toContain("fresh.js (added)\n + 1-5 export function total(prices)");
    expect(text).toContain(" + 10 export function third()");
    expect(text).not.toContain("binary");
  });

  it("reads a staged new file with later edits from disk, beside a deletion", async () => {
    const folder = repositoryOf({ "old.js": "export function old() {\n  return 'gone';\n}\n" });
    folder.write("fresh.js", LONG);
    folder.git("add", "-A");
    folder.write("fresh.js", `${LONG}export function third() {}\n`);
    folder.remove("old.js");
    expect(await changesIn(folder.root)).toContain(" + 10 export function third()");
  });

  it("says that a content is missing in the repository, and does not call it binary", async () => {
    const folder = repositoryOf({ "a.js": LONG });
    const blob = folder.git("rev-parse", "HEAD:a.js").trim();
    folder.write("a.js", "export const a = 1;\n");
    folder.git("commit", "-q", "-a", "-m", "second");
    folder.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
    expect(await changesIn(folder.root, "HEAD~1..HEAD")).toBe("(unreadable: a.js)");
  });
});
