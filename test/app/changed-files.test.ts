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

describe("what changed outside of a workspace that is a folder of a repository", () => {
  it("is counted by state, with what is not tracked, and not for a path", async () => {
    const folder = repositoryOf({ "sub/a.js": LONG, "b.js": LONG, "other/c.js": LONG });
    folder.write("b.js", `${LONG}\n// more\n`);
    folder.write("fresh.js", LONG);
    folder.git("mv", "other/c.js", "other/d.js");
    const sub = `${folder.root}/sub`;
    expect(await changesIn(sub)).toBe(`[3 files changed outside of sub/: workspace=${folder.root}]`);
    expect(await changesIn(sub, "--staged")).toBe(
      `[1 file changed outside of sub/: workspace=${folder.root}]`,
    );
    expect(await changesIn(sub, "HEAD..HEAD")).toBe("");
    const ask = serve(sub);
    const narrow = await ask("search_code", { query: "what changed", path: "a.js" });
    expect(narrow.text).not.toContain("outside");
    const { text } = await ask("search_code", { query: "what changed", response_format: "json" });
    expect(JSON.parse(text)).toMatchObject({
      total_files: 0,
      outside: [{ folder: "sub", top: folder.root, files: 3 }],
    });
  });
});

describe("what changed beside the contents of files", () => {
  function repositoryWithConflict(): GitFolder {
    const folder = repositoryOf({ "a.js": "export function a() {\n  return 1;\n}\n", "b.js": LONG });
    const commit = (value: number): void => {
      folder.write("a.js", `export function a() {\n  return ${value};\n}\n`);
      folder.git("commit", "-q", "-a", "-m", `is ${value}`);
    };
    folder.git("checkout", "-q", "-b", "feature");
    commit(2);
    folder.git("checkout", "-q", "main");
    commit(3);
    expect(() => folder.git("merge", "-q", "feature")).toThrow();
    return folder;
  }

  it("names files with a conflict, which have no staged content", async () => {
    const { root } = repositoryWithConflict();
    expect(await changesIn(root, "--staged")).toBe("(merge conflict: a.js)");
    expect(await changesIn(root)).toMatch(/^a\.js \(merge conflict\)/);
    const { text } = await serve(root)("search_code", { query: "what changed", response_format: "json" });
    expect(JSON.parse(text)).toMatchObject({ files: [{ path: "a.js", notes: ["merge conflict"] }] });
  });

  it("names a conflict in a file that is as it was", async () => {
    const folder = repositoryWithConflict();
    folder.write("a.js", "export function a() {\n  return 3;\n}\n");
    expect(await changesIn(folder.root)).toBe("(merge conflict: a.js)");
  });

  it("says that a file is no longer tracked, and what changed in it", async () => {
    const folder = repositoryOf({ "a.js": LONG, "b.js": LONG.replaceAll("price", "cost") });
    folder.git("rm", "-q", "--cached", "a.js", "b.js");
    folder.write("b.js", LONG.replaceAll("price", "cost").replace("/ 2", "/ 3"));
    expect(await changesIn(folder.root)).toBe(
      "b.js (no longer tracked)\n ~ 7-9 export function half(cost) (body)\n(no longer tracked: a.js)",
    );
  });

  it("names another repository inside, and a submodule with changes of its own", async () => {
    const inner = repositoryOf({ "inner.js": LONG });
    const folder = repositoryOf({ "a.js": LONG });
    folder.git("submodule", "--quiet", "add", inner.root, "mod");
    folder.git("commit", "-q", "-m", "second");
    expect(await changesIn(folder.root)).toBe("");
    folder.write("mod/inner.js", `${LONG}\n`);
    folder.git("init", "-q", "nested");
    folder.write("nested/x.js", LONG);
    folder.git("-C", "nested", "add", "-A");
    folder.git("-C", "nested", "commit", "-q", "-m", "first");
    expect(await changesIn(folder.root)).toBe(
      "(submodule with uncommitted changes: mod)\n(nested repository: nested added)",
    );
  });

  it("says the same of files whose definitions are not listed", async () => {
    const folder = repositoryOf({ "data.json": "{}", "run.txt": "1\n" });
    folder.git("rm", "-q", "--cached", "data.json");
    folder.write("data.json", "[]");
    folder.write("run.txt", "2\n");
    folder.git("update-index", "--chmod=+x", "run.txt");
    folder.git("config", "core.fileMode", "false");
    expect(await changesIn(folder.root)).toBe(
      "(no longer tracked: data.json)\n(no definitions: run.txt (mode changed))",
    );
  });

  it("names a change of the mode beside one of the content", async () => {
    const folder = repositoryOf({ "run.js": LONG });
    folder.write("run.js", LONG.replace("/ 2", "/ 3"));
    folder.git("add", "-A");
    folder.git("update-index", "--chmod=+x", "run.js");
    expect(await changesIn(folder.root, "--staged")).toBe(
      "run.js (mode changed)\n ~ 7-9 export function half(price) (body)",
    );
  });
});
