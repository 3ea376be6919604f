import { describe, expect, it } from "vitest";
import { outlineOf } from "../../src/languages/outline.ts";
import { chunkText, embeddedText, type Chunk } from "../../src/semantic/chunk-text.ts";
import { decodeSlices, encodeSlices } from "../../src/semantic/slices.ts";

async function chunksOf(text: string, language: string): Promise<Chunk[]> {
  return chunkText(text, await outlineOf(text, language));
}

/** Formats the line range of every chunk as `from-to`. */
function rangesOf(chunks: readonly Chunk[]): string[] {
  return chunks.map(({ lineStart, lineEnd }) => `${lineStart}-${lineEnd}`);
}

const body = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, i) => `  const ${name}${i} = compute_${name}(${i}, "some text");`).join(
    "\n",
  );

describe("chunking a text for embedding", () => {
  it("keeps a small file whole", async () => {
    const text = "import x from 'y';\n\nexport function a() {}\n\nexport function b() {}\n";
    expect(rangesOf(await chunksOf(text, "typescript"))).toEqual(["1-5"]);
  });

  it("cuts at definitions, keeps the comment above each, and merges small neighbours", async () => {
    const text = [
      "import x from 'y';",
      "",
      "/** Says what one does. */",
      "// And more.",
      "export function one() {",
      body("one", 30),
      "}",
      "",
      "export function two() {",
      body("two", 30),
      "}",
      "",
      "export const a = 1;",
      "export const b = 2;",
      "export const c = 3;",
      "export const d = 'a text that is a little longer than the others are';",
    ].join("\n");
    const chunks = await chunksOf(text, "typescript");
    expect(rangesOf(chunks)).toEqual(["1-36", "38-69", "71-74"]);
    expect(chunks[0]?.text).toContain("/** Says what one does. */\n// And more.\nexport function one() {");
    expect(chunks[1]?.text.startsWith("export function two() {")).toBe(true);
  });

  it("cuts a long function between blocks and labels the pieces with the enclosing headers", async () => {
    const blocks = Array.from(
      { length: 8 },
      (_, i) => `    // step ${i}\n${body(`step${i}`, 12).replaceAll(/^/gm, "  ")}\n`,
    );
    const text = ["class Machine {", "  run(input: string): void {", ...blocks, "  }", "}"].join("\n");
    const chunks = await chunksOf(text, "typescript");
    expect(chunks.length).toBeGreaterThanOrEqual(3);
    for (const chunk of chunks.slice(1)) {
      expect(chunk.text).toMatch(/^class Machine > run\(input: string\): void\n/);
      expect(text.split("\n")[chunk.lineStart - 1]).toMatch(/\/\/ step|^ {2}\}/);
    }
    const covered = chunks.flatMap(({ lineStart, lineEnd }) =>
      Array.from({ length: lineEnd - lineStart + 1 }, (_, i) => lineStart + i),
    );
    expect(new Set(covered).size).toBe(covered.length);
    const missing = text.split("\n").filter((line, i) => /\w/.test(line) && !covered.includes(i + 1));
    expect(missing).toEqual([]);
  });

  it("cuts Markdown by section and labels each chunk with the headings above it", async () => {
    const prose = (topic: string) =>
      Array.from({ length: 40 }, (_, i) => `Sentence number ${i} about ${topic} stands here.`).join("\n");
    const text = `# Guide\n\n## Install\n${prose("install")}\n\n## Use\n\n### Fast\n${prose("fast")}\n\n### Slow\n${prose("slow")}\n`;
    const chunks = await chunksOf(text, "markdown");
    expect(chunks.map(({ text: shown }) => shown.split("\n").slice(0, 2))).toEqual([
      ["Guide", "# Guide"],
      ["Guide > Use", "## Use"],
      ["Guide > Use", "### Slow"],
    ]);
    expect(rangesOf(chunks)).toEqual(["1-43", "45-87", "89-129"]);
  });

  it("derives the id of a chunk from its content, not from its position or file name", async () => {
    const fn = `function same() {\n${body("same", 40)}\n}\n`;
    const other = `function other() {\n${body("other", 40)}\n}\n`;
    const [first] = await chunksOf(`${fn}\n${other}`, "javascript");
    const moved = await chunksOf(`${other}\n\n\n${fn}`, "javascript");
    expect(moved.map(({ chunk }) => chunk)).toContain(first?.chunk);
    const [unlike] = await chunksOf(`${fn.replace("same0", "same_0")}\n${other}`, "javascript");
    expect(unlike?.chunk).not.toBe(first?.chunk);
    expect(embeddedText("src/a.js", first ?? { chunk: "", lineStart: 1, lineEnd: 1, text: "" })).toMatch(
      /^src\/a\.js\nfunction same/,
    );
  });

  it.each([
    ["nothing", ""],
    ["braces", "{\n}\n\n{}\n"],
    ["one line without end", "x".repeat(500_000)],
    ["broken text", "\u0000\ud800 function (((((\n".repeat(2_000)],
    ["Windows line ends", "one line here\r\n".repeat(4_000)],
    ["deep nesting", `${"{".repeat(20_000)}deep${"}".repeat(20_000)}`],
    [
      "deep nesting on lines",
      Array.from({ length: 3_000 }, (_, i) => `${" ".repeat(i % 300)}if (x${i}) {`).join("\n"),
    ],
  ])("accepts %s", (_name, text) => {
    const chunks = chunkText(text, undefined);
    for (const { text: piece, lineStart, lineEnd } of chunks) {
      expect(piece.length).toBeLessThanOrEqual(3_000);
      expect(lineEnd).toBeGreaterThanOrEqual(lineStart);
    }
    expect(decodeSlices(encodeSlices(chunks))).toEqual(
      chunks.map(({ chunk, lineStart, lineEnd }) => ({ chunk, lineStart, lineEnd })),
    );
  });
});
