import { expect, it, onTestFinished } from "vitest";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { serve } from "../support/tool-calls.ts";

const A = "export function a() {\n  return 1;\n}\n\n";
const B = "export function b(prices) {\n  return prices.filter(Boolean).length;\n}\n";

function repositoryOf(files: Readonly<Record<string, string>>): GitFolder {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder;
}

function movedToC(): GitFolder {
  const folder = repositoryOf({
    "a.js": `${A}${B}`,
    "c.js": "export const c = 1;\n",
    "use.js": 'import { b } from "./a.js";\nexport function user() {\n  return b([]);\n}\n',
  });
  folder.write("a.js", A);
  folder.write("c.js", `export const c = 1;\n\n${B}`);
  return folder;
}

it("says in both files that a definition was moved, and counts it once", async () => {
  const { text } = await serve(movedToC().root)("search_code", { query: "what changed" });
  const [head, ...lines] = text.split("\n");
  expect(head).toMatch(/: 2 files; definitions: 1 moved$/);
  expect(lines).toEqual([
    "a.js",
    " > 5-7 export function b(prices) (moved to c.js)",
    "c.js",
    " > 3-5 export function b(prices) (moved from a.js)",
    "   still used outside: use.js:3 user",
  ]);
});

it("says that a definition left the only file that is asked for, and who still uses it", async () => {
  const ask = serve(movedToC().root);
  const { text } = await ask("search_code", { query: "what changed", path: "a.js" });
  const [head, ...lines] = text.split("\n");
  expect(head).toMatch(/: 1 file; definitions: 1 moved$/);
  expect(lines).toEqual([
    "a.js",
    " > 5-7 export function b(prices) (moved to c.js)",
    "   still used outside: use.js:3 user",
  ]);
  const json = await ask("search_code", { query: "what changed", path: "a.js", response_format: "json" });
  expect(JSON.parse(json.text)).toMatchObject({
    counts: { moved: 1 },
    files: [{ path: "a.js", changes: [{ change: "moved", name: "b", line_start: 5, new_path: "c.js" }] }],
  });
});

it("takes a definition of the same name with another text for another one", async () => {
  const folder = repositoryOf({
    "scripts/a.py":
      "def main(argv):\n    for name in argv[1:]:\n        with open(name) as file:\n            print(file.read().upper())\n    return 0\n",
    "scripts/keep.py": "def helper():\n    return 1\n",
  });
  folder.git("rm", "-q", "scripts/a.py");
  folder.write(
    "tools/b.py",
    'import json\n\n\ndef main(path: str) -> dict:\n    result = json.loads(path)\n    result["checked"] = True\n    return result\n',
  );
  const { text } = await serve(folder.root)("search_code", { query: "what changed" });
  expect(text.split("\n").slice(1)).toEqual([
    "scripts/a.py (removed)",
    " - 1-5 def main(argv)",
    "tools/b.py (added)",
    " + 4-7 def main(path: str) -> dict",
  ]);
});

it("follows a definition to another file although some of its text changed", async () => {
  const folder = movedToC();
  folder.write("c.js", `export const c = 1;\n\n${B.replace("Boolean", "isPaid")}`);
  const { text } = await serve(folder.root)("search_code", { query: "what changed" });
  expect(text).toContain(" > 3-5 export function b(prices) (moved from a.js; body changed)");
});
