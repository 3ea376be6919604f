import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { serve } from "../support/tool-calls.ts";

const FILES = {
  "src/echo.py": "def echo(text):\n    print(text)\n",
  "src/main.py": "from echo import echo\nimport hashlib\necho(hashlib.sha256())\nx = hashlib.md5()\n",
  "docs/guide.py": "from echo import echo\necho(1)\n",
};

describe("a name without definitions", () => {
  it("is said to be left out by the filter that leaves it out", async () => {
    const root = makeFolder(FILES);
    const ask = serve(root);
    const callers = async (more: object): Promise<string> =>
      (await ask("locate_symbol", { name: "echo", relation: "callers", ...more })).text;
    expect(await callers({ kind: "class" })).toBe(
      "echo is defined (fn at src/echo.py:1), but left out by kind=class",
    );
    expect(await callers({ path: join(root, "docs"), language: "python" })).toBe(
      "echo is defined (fn at src/echo.py:1), but left out by path=docs",
    );
    expect(JSON.parse(await callers({ kind: "class", response_format: "json" }))).toMatchObject({
      definitions: [],
      left_out_by_filter: { filters: ["kind"], definitions: [{ path: "src/echo.py", line_start: 1 }] },
    });
  });

  it("is said to occur where it does, with the call that lists the lines", async () => {
    const ask = serve(makeFolder(FILES));
    const uses = async (name: string): Promise<string> =>
      (await ask("locate_symbol", { name, relation: "uses" })).text;
    expect(await uses("hashlib")).toBe(
      "hashlib is not defined in 3 files, but occurs in 3 lines of 1 file: grep pattern=\\bhashlib\\b",
    );
    expect(await uses("nowhere")).toBe("nowhere is not defined in 3 files");
  });
});

describe("a quoted text", () => {
  it("is counted by line where results show only one place of each file", async () => {
    const text = 'throw new Error("bad frame");\n';
    const ask = serve(makeFolder({ "a.js": text.repeat(3), "b.js": text, "c.js": "// Bad Frame (once)\n" }));
    const { text: all } = await ask("search_code", { query: '"bad frame"' });
    expect(all).toContain(
      '(5 lines of 3 files have the quoted text: grep pattern="bad frame" ignore_case=true)',
    );
    const { text: one } = await ask("search_code", { query: '"bad frame"', path: "a.js" });
    expect(one).toContain("(3 lines of 1 file have the quoted text: ");
    expect(one).toContain(" path=a.js ");
    // Every line is a result, so nothing is left to say.
    expect((await ask("search_code", { query: '"frame (once)"' })).text).not.toContain("quoted text");
  });
});

describe("declarations without a body", () => {
  it.each([
    [
      "overloads of Python",
      "a.py",
      "@overload\ndef pick(a: str) -> str:\n    'Long.\n\n    text'\n@t.overload\ndef pick(a: int) -> int: ...\ndef pick(a): return a\n",
      8,
    ],
    [
      "overloads of TypeScript",
      "a.ts",
      "function pick(a: string): void;\nfunction pick(\n  a: number,\n): void;\nfunction pick(a: any): void {}\n",
      5,
    ],
    [
      "an interface",
      "a.ts",
      "interface A {\n  pick(\n    a: string,\n  ): void;\n}\nclass B {\n  pick() {}\n}\n",
      7,
    ],
    [
      "an abstract method",
      "a.cpp",
      "struct A {\n  virtual int pick(\n    int a) = 0;\n};\nstruct B {\n  int pick(int a) { return a; }\n};\n",
      6,
    ],
    [
      "a trait",
      "a.rs",
      "trait A {\n    fn pick(\n        &self,\n    );\n}\nimpl A for B {\n    fn pick(&self) {}\n}\n",
      7,
    ],
  ])("come after the body: %s", async (_name, path, text, line) => {
    const ask = serve(makeFolder({ [path]: text }));
    expect((await ask("read", { file_path: "pick" })).text).toContain(`${path}:${line}-${line} (also `);
    expect((await ask("read", { file_path: `${path}#pick` })).text).toContain(
      `${path}:${line}-${line} (also `,
    );
  });
});

it("counts no lines in an empty file", async () => {
  const ask = serve(makeFolder({ "zero.txt": "", "one.txt": "\n" }));
  expect((await ask("get_file_outline", { path: "zero.txt" })).text).toContain("zero.txt text 0 lines");
  expect((await ask("get_file_outline", { path: "one.txt" })).text).toContain("one.txt text 1 line");
});
