import { describe, expect, it } from "vitest";
import { KIND, kindOf } from "../../../src/runs/reply/change-kind.ts";

type Hunk = readonly [removed: string, added: string];

/** Judges edits that are written as texts, in a file whose text is that of the added lines and more. */
function judge(
  path: string,
  hunks: readonly Hunk[],
  { rest = "", mentioned = "" }: { readonly rest?: string; readonly mentioned?: string } = {},
): number {
  const lines = (text: string): string[] => (text === "" ? [] : text.split("\n"));
  const texts = hunks.map(([removed, added]) => ({ removed: lines(removed), added: lines(added) }));
  return kindOf({
    path,
    hunks: texts.map((text) => ({ ...text, start: 1, end: 1, heading: "" })),
    text: [...texts.flatMap(({ added }) => added), rest].join("\n"),
    isMentioned: (word) => mentioned.split(" ").includes(word),
  });
}

describe("an edit of comments", () => {
  it.each<[string, string, string]>([
    ["a.ts", "", "// why\n"],
    ["a.go", "// old", "// new"],
    ["a.rs", "", "/// What it is."],
    ["a.java", " * old", " * new\n */"],
    ["a.py", "    # old", ""],
    ["Makefile", "# old", "# new"],
    ["a.sql", "-- old", "-- new"],
    ["a.c", "  x = 1;", "    x = 1;"],
    ["docs/a.md", "one", "two"],
  ])("is recognised in %s", (path, removed, added) => {
    expect(judge(path, [[removed, added]])).toBe(KIND.comments);
  });

  it.each<[string, string, string]>([
    ["a.c", "#define N 1", "#define N 2"],
    ["a.py", "  x = 1", "    x = 1"],
    ["a.go", "//go:build linux", "//go:build darwin"],
    ["a.ts", "// @ts-expect-error", ""],
    ["a.css", "#a { color: red; }", "#b { color: red; }"],
    ["a.rs", "#[cfg(test)]", ""],
    ["a.js", "*items() {", "items() {"],
    ["a.py", "x = 1  # one", "x = 2  # one"],
  ])("is not seen in %s: %s", (path, removed, added) => {
    expect(judge(path, [[removed, added]])).toBe(KIND.edited);
  });
});

describe("new definitions", () => {
  it.each<[string, string]>([
    ["a.ts", "export async function f(): Promise<void> {\n  await g();\n}"],
    ["a.py", "# why\n@cache\ndef f():\n    return 1"],
    ["a.go", "func f() int {\n\treturn 1\n}"],
    ["a_test.go", "func TestF(t *testing.T) {}"],
    ["a.rs", "#[test]\nfn works() {}"],
    ["a.spec.js", 'it("works", () => {});'],
    ["A.java", "  public static class B {}"],
  ])("are recognised in %s", (path, added) => {
    expect(judge(path, [["", added]])).toBe(KIND.added);
  });

  it("are not statements, nor definitions in place of others", () => {
    expect(judge("a.ts", [["", "cache.clear();"]])).toBe(KIND.edited);
    expect(judge("a.py", [["", "TIMEOUT = 3"]])).toBe(KIND.edited);
    expect(judge("a.py", [["def f(a):", "def f(a, b):"]])).toBe(KIND.edited);
  });
});

describe("other names", () => {
  const RENAMED: readonly Hunk[] = [
    ["const total = sum(items);", "const amount = sum(items);"],
    ["return total * 2;", "return amount * 2;"],
  ];

  it("are recognised where every use has the new one", () => {
    expect(judge("a.ts", RENAMED)).toBe(KIND.renamed);
    expect(judge("a.py", [["total = 1\nreturn total", "amount = 1\nreturn amount"]])).toBe(KIND.renamed);
  });

  it("are an edit where the old one is left, the new one was there, or a failure has one of them", () => {
    expect(judge("a.ts", RENAMED, { rest: "log(total);" })).toBe(KIND.edited);
    expect(judge("a.ts", RENAMED, { rest: "const amount = 1;" })).toBe(KIND.edited);
    expect(judge("a.ts", RENAMED, { mentioned: "total" })).toBe(KIND.edited);
    expect(judge("a.ts", RENAMED, { mentioned: "amount" })).toBe(KIND.edited);
  });

  it("are an edit where only one use changed, or a number or an operator with them", () => {
    expect(judge("a.ts", [["return a;", "return b;"]])).toBe(KIND.edited);
    expect(judge("a.py", [["if a and b:", "if a or b:"]])).toBe(KIND.edited);
    expect(judge("a.ts", [...RENAMED, ["limit = 1;", "limit = 2;"]])).toBe(KIND.edited);
    expect(judge("a.ts", [...RENAMED, ["a < b;", "a <= b;"]])).toBe(KIND.edited);
    expect(judge("a.ts", [...RENAMED, ['"a";', '"b";']])).toBe(KIND.edited);
  });
});
