import { describe, expect, it } from "vitest";
import type { LogLine } from "../../../src/model/run.ts";
import { callsOf } from "../../../src/render/run/run-calls.ts";
import { outputText } from "../../../src/render/run/run-output.ts";
import { makeFolder } from "../../support/folder.ts";
import { runIn, shown } from "../../support/run-service.ts";

function shownOf(texts: readonly string[], tokens: number): string[] {
  const first = texts.map((text, index): LogLine => ({ number: index + 1, stream: "stdout", text }));
  const limits = { calls: callsOf("r1"), tokens, lines: Number.POSITIVE_INFINITY, isWhole: true };
  return outputText({ total: texts.length, first, last: [] }, limits).split("\n");
}

const NOTE = "[to see lines A-B: build action=log runId=r1 startLine=A endLine=B]";
const filesIn = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${folder}/name${index}.ts`);

describe("a list of paths that does not fit", () => {
  it("is shown by folder, with the small folders open", () => {
    const [small, deep] = [filesIn("app", 20), filesIn("lib/deep", 12)];
    const texts = ["README.md", ...small, ...deep, ...filesIn("lib/wide", 700), "tools/run.sh"];
    expect(shownOf(texts, 500)).toEqual([
      "README.md",
      ...small,
      ...deep,
      "… 700 lines in lib/wide/: lines 34-733",
      "tools/run.sh",
      NOTE,
    ]);
  });

  it("keeps the states and the titles of `git status`", () => {
    const changed = [
      "On branch main",
      "Changes not staged for commit:",
      "\tmodified:   src/cart.ts",
      "\tdeleted:    src/old.ts",
    ];
    const texts = [
      ...changed,
      "",
      ...filesIn("src", 20).map((path) => `\tmodified:   ${path}`),
      ...filesIn("out", 400).map((path) => `\t${path}`),
    ];
    expect(shownOf(texts, 400)).toEqual([...texts.slice(0, 25), "… 400 lines in out/: lines 26-425", NOTE]);
    const short = [
      ...filesIn("src", 20).map((path) => ` M ${path}`),
      ...filesIn("out", 400).map((path) => `?? ${path}`),
    ];
    expect(shownOf(short, 400)).toEqual([...short.slice(0, 20), "… 400 lines in out/: lines 21-420", NOTE]);
  });

  it("keeps the folders of `ls -R`", () => {
    const names = Array.from({ length: 300 }, (_, index) => `file${index}`);
    const texts = [
      ".:",
      "a",
      "b",
      "c",
      "",
      "./a:",
      ...names,
      "",
      "./b:",
      "one",
      "two",
      "three",
      "",
      "./c:",
      ...names,
    ];
    const text = shownOf(texts, 150);
    expect(text).toEqual([
      ".:",
      "a",
      "b",
      "c",
      "",
      "… 302 lines in ./a/: lines 6-307",
      "./b:",
      "one",
      "two",
      "three",
      "",
      "… 301 lines in ./c/: lines 313-613",
      NOTE,
    ]);
  });

  it("is cut like other output where it is no list of paths", () => {
    const texts = Array.from({ length: 500 }, (_, index) => `GET /api/users/${index} took ${index} ms: done`);
    expect(shownOf(texts, 300).join("\n")).not.toContain("lines in");
  });

  it("is not replaced by the last lines that a lower verbosity shows", async () => {
    const files = Object.fromEntries(filesIn("lib", 600).map((path) => [path, ""]));
    const own = Object.fromEntries(filesIn("src/some/folder", 30).map((path) => [path, ""]));
    const report = await runIn(makeFolder({ ...files, ...own }), "find lib src -type f", {
      verbosity: "full",
    });
    expect(shown(report, "text", 500)).toContain("… 600 lines in lib/: lines ");
  });
});
