import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it, onTestFinished } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import type { FileOutline } from "../../../src/model/index-report.ts";
import type { CodeSymbol } from "../../../src/model/symbol.ts";
import { getFileOutlineTool } from "../../../src/app/tools/get-file-outline.ts";
import { renderOutline } from "../../../src/render/code/outline.ts";
import { createTestIndex } from "../../support/code-index.ts";
import { temporaryRepository } from "../../support/git-folder.ts";

function outline(symbols: readonly CodeSymbol[], more: Partial<FileOutline> = {}): FileOutline {
  return {
    path: "src/app.py",
    language: "python",
    symbols,
    imports: [],
    symbolCount: symbols.length,
    lineCount: 3_000,
    hasErrors: false,
    parsed: true,
    stale: false,
    metadata: {
      freshness_status: "fresh",
      indexing_status: "ready",
      result_completeness: "complete",
      ref: "live",
    },
    ...more,
  };
}

const CLASS: CodeSymbol = {
  kind: "class",
  name: "App",
  qualifiedName: "App",
  signature: "class App(Base)",
  lineStart: 3,
  lineEnd: 90,
};
const METHOD: CodeSymbol = {
  kind: "method",
  name: "run",
  qualifiedName: "App.run",
  signature: "async def run(self, port: int) -> None",
  lineStart: 5,
  lineEnd: 9,
  parent: 0,
  visibility: "public",
};

function render(data: FileOutline, format: "text" | "json" | "markdown" = "text", maxTokens = 3_000): string {
  const reply = { outline: data, offset: 0, cursorAfter: (shown: number) => `after-${shown}` };
  return renderOutline(reply, { format, budget: new Budget(maxTokens) }).text;
}

describe("an outline", () => {
  it("has one line per symbol, nested by indentation", () => {
    expect(render(outline([CLASS, METHOD]))).toBe(
      "src/app.py python 3000 lines\n3 class App(Base)\n 5 async run(port: int) -> None",
    );
  });

  it("is a tree as JSON", () => {
    expect(JSON.parse(render(outline([CLASS, METHOD]), "json"))).toEqual({
      file_path: "src/app.py",
      language: "python",
      symbols: [
        {
          kind: "class",
          name: "App",
          line_start: 3,
          line_end: 90,
          signature: "class App(Base)",
          children: [
            {
              kind: "method",
              name: "run",
              line_start: 5,
              line_end: 9,
              visibility: "public",
              signature: "async def run(self, port: int) -> None",
            },
          ],
        },
      ],
      metadata: {
        pith_protocol_version: "1.0",
        freshness_status: "fresh",
        indexing_status: "ready",
        ref: "live",
        symbol_count: 2,
      },
    });
  });

  it("keeps the structure of the file in a small budget, and counts what is left out", () => {
    const methods = Array.from({ length: 400 }, (_, i) => ({
      ...METHOD,
      name: `run_${i}`,
      lineStart: 5 + i,
      signature: `def run_${i}(self, port)`,
    }));
    const second = { ...CLASS, name: "Last", signature: "class Last", lineStart: 2_000 };
    const text = render(outline([CLASS, ...methods, second]), "text", 400);
    expect(text).toContain("3 class App\n 5 run_0\n");
    expect(text).toContain("2000 Last");
    const [, more = ""] = /… (\d+) more of 402 symbols \(\1 method\): cursor=after-\d+$/.exec(text) ?? [];
    expect(text.split("\n").length - 2 + Number(more)).toBe(402);
    expect(encode(text).length).toBeLessThanOrEqual(400);
    const json = render(outline([CLASS, ...methods, second]), "json", 400);
    expect(encode(json).length).toBeLessThanOrEqual(400);
    const { symbols, symbols_left_out: left } = JSON.parse(json) as {
      symbols: { name: string; children?: unknown[] }[];
      symbols_left_out: number;
    };
    expect(symbols.map(({ name }) => name)).toEqual(["App", "Last"]);
    expect(2 + (symbols[0]?.children?.length ?? 0) + left).toBe(402);
  });

  it("keeps types and functions before their parts, and counts the rest by kind", () => {
    const of = (kind: CodeSymbol["kind"], count: number, more: Partial<CodeSymbol> = {}): CodeSymbol[] =>
      Array.from({ length: count }, (_, i) => {
        const name = `${kind}_${i}`;
        return { ...CLASS, kind, name, qualifiedName: name, signature: `${kind} ${name}`, ...more };
      });
    const symbols = [
      ...of("macro", 200),
      ...of("struct", 1),
      ...of("field", 60, { parent: 200 }),
      ...of("fn", 20),
    ];
    const text = render(outline(symbols), "text", 400);
    for (const { name } of [...of("struct", 1), ...of("fn", 20)]) expect(text).toContain(` ${name}\n`);
    expect(text).toMatch(/more of 281 symbols \(\d+ macro, \d+ field\): cursor=after-\d+$/);
  });

  it("names the parent of a symbol if that is on another page", () => {
    const reply = { outline: outline([CLASS, METHOD]), offset: 1, cursorAfter: () => "" };
    const page = (format: "text" | "json" | "markdown"): string =>
      renderOutline(reply, { format, budget: new Budget(500) }).text;
    expect(page("text")).toBe(
      "src/app.py python 3000 lines\n(symbols 2-2 of 2)\n5 async run(port: int) -> None in App",
    );
    expect(page("markdown")).toContain("- method **run** (5-9) in App `async def");
    expect(JSON.parse(page("json"))).toMatchObject({ symbols: [{ name: "run", parent: "App" }] });
  });

  it("costs 2,100 tokens at most for a real file of 25,000", async () => {
    // The file has nearly 800 symbols, which is as dense as sources get.
    const source = readFileSync(
      join(import.meta.dirname, "../../../node_modules/zod/src/v4/classic/schemas.ts"),
      "utf8",
    );
    expect(encode(source).length).toBeGreaterThan(25_000);
    const folder = temporaryRepository({ "schemas.ts": source });
    const index = createTestIndex();
    onTestFinished(async () => {
      await index.dispose();
      folder.dispose();
    });
    const data = await index.index.outline({ root: folder.root, path: "schemas.ts", depth: "all" });
    for (const format of ["text", "markdown", "json"] as const)
      expect(encode(render(data, format, getFileOutlineTool.maxTokens)).length).toBeLessThanOrEqual(2_100);
  });

  it("shows only names if signatures do not fit", () => {
    const long = Array.from({ length: 60 }, (_, i) => ({
      ...METHOD,
      name: `run_${i}`,
      lineStart: 5 + i,
      signature: `def run_${i}(self, port: int, host: str, timeout: float)`,
    }));
    const text = render(outline([CLASS, ...long]), "text", 500);
    expect(text).toContain("\n3 class App\n 5 run_0\n 6 run_1\n");
    expect(text).not.toContain("left out");
  });

  it("notes a missing grammar, syntax errors and stale content", () => {
    expect(render(outline([], { parsed: false }))).toContain("no grammar");
    expect(render(outline([CLASS], { hasErrors: true, stale: true }))).toMatch(/syntax errors[\s\S]*stale/);
  });
});
