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

describe("a question about the places in a folder", () => {
  it("lists those, and counts the others with the call that lists all", async () => {
    const ask = serve(
      makeFolder({ ...FILES, "tests/test_echo.py": "from echo import echo\ndef test_it():\n    echo(2)\n" }),
    );
    const search = async (query: string, more = {}): Promise<string> =>
      (await ask("search_code", { query, ...more })).text;
    expect(await search("who is calling echo() in docs/?")).toBe(
      "callers of echo (src/echo.py:1) in docs: 1 sure in 1 file\ndocs/guide.py 2\n+2 places elsewhere: locate_symbol name=echo relation=callers",
    );
    expect(await search("usages of `echo` in the tests")).toContain("in tests: 1 sure in 1 file");
    expect(await search("callers of echo outside of tests")).toContain(
      "in code without tests: 2 sure in 2 files",
    );
    expect(await search("callers of echo in src/nothing")).toContain(
      "found in src/nothing\n+3 places elsewhere",
    );
    // A word that is part of no path limits nothing.
    expect(await search("callers of echo in python")).toContain("callers of echo (src/echo.py:1): 3 sure");
    expect(JSON.parse(await search("callers of echo in docs", { response_format: "json" }))).toMatchObject({
      total_count: 1,
      limited_to: "docs",
      elsewhere: 2,
    });
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
