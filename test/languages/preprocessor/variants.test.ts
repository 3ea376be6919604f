import { describe, expect, it } from "vitest";
import { outlineOf } from "../../../src/languages/outline.ts";
import { readVariants } from "../../../src/languages/preprocessor/variants.ts";

async function names(text: string, language = "csharp"): Promise<string[]> {
  const { symbols, hasErrors } = await outlineOf(text, language);
  expect(hasErrors).toBe(false);
  return symbols.map(({ qualifiedName, lineStart }) => `${qualifiedName}:${lineStart}`);
}

const inClass = (...lines: string[]): string => ["class A {", ...lines, "  int Last;", "}", ""].join("\n");

describe("preprocessor branches", () => {
  it("are all read together if each is complete", async () => {
    const text = inClass("#if X", "  void F() {}", "#elif Y", "  void G() {}", "#else", "  int h;", "#endif");
    expect(await names(text)).toEqual(["A:1", "A.F:3", "A.G:5", "A.h:7", "A.Last:9"]);
  });

  it("are read one after the other if they contain the head of a method", async () => {
    const text = inClass(
      "#if X",
      "  void F(int a)",
      "#elif Y",
      "  int G(int a)",
      "#else",
      "  void H(long a)",
      "#endif",
      "  {",
      "  }",
    );
    expect(await names(text)).toEqual(["A:1", "A.F:3", "A.G:5", "A.H:7", "A.Last:11"]);
  });

  it("are chosen consistently where they open and close a block", async () => {
    const text = inClass(
      "  void F() {",
      "#if X",
      "    if (a) {",
      "#else",
      "    using (b) {",
      "#endif",
      "      G();",
      "#if !X",
      "    } // b",
      "#else",
      "    }",
      "#endif",
      "  }",
      "  void G() {}",
    );
    expect(await names(text)).toEqual(["A:1", "A.F:2", "A.G:15", "A.Last:16"]);
  });

  it("leave a single list of parameters in the signature", async () => {
    const text = inClass(
      "  void F(int a",
      "#if X",
      "    , int b",
      "#else",
      "    , long b",
      "#endif",
      "  ) {}",
    );
    const { symbols } = await outlineOf(text, "csharp");
    expect(symbols[1]?.signature).toBe("void F(int a, int b)");
  });

  it("leave conditional attributes out of the signature", async () => {
    const text = inClass("#if X", '  [Old("#if")]', "#endif", "  public void F() {}");
    const { symbols } = await outlineOf(text, "csharp");
    expect(symbols[1]).toMatchObject({ signature: "public void F()", lineStart: 5 });
  });

  it("may contain the beginning of one type and the end of another", async () => {
    const text =
      "#if X\nclass A : B {\n#else\nclass A : C {\n#endif\n  void F() {}\n#if X\n  void G() {}\n}\n#else\n}\n#endif\n";
    expect(await names(text)).toEqual(["A:2", "A:4", "A.F:6", "A.G:8"]);
  });

  it("may be nested", async () => {
    const text = inClass(
      "#if X",
      "#if Y",
      "  void F(int a)",
      "#else",
      "  void F(long a)",
      "#endif",
      "  {}",
      "#else",
      "#if 0",
      "  void Never() {}",
      "#endif",
      "  void G() {}",
      "#endif",
    );
    expect(await names(text)).toEqual(["A:1", "A.F:4", "A.F:6", "A.G:13", "A.Last:15"]);
  });

  it("are not recognised in strings, comments and regions", async () => {
    const text = inClass(
      "#region One",
      '  string a = @"',
      "#if X",
      '  { ""',
      '  ";',
      '  string b = """',
      "#else {",
      '  """;',
      "/*",
      "#endif",
      "*/",
      "#endregion",
      "#pragma warning disable 1",
    );
    expect(await names(text)).toEqual(["A:1", "A.a:3", "A.b:7", "A.Last:15"]);
    expect(readVariants(text, "csharp")).toEqual([{ text, code: text, lines: new Set(), macros: [] }]);
  });

  it("keep the length and the lines of the text", () => {
    const text = inClass("#if X // 𝒳", "  void F(", "#else\r", "  void G(", "#endif", "  ) {}");
    for (const { text: variant } of readVariants(text, "csharp")) {
      expect(variant).toHaveLength(text.length);
      expect(variant.split("\n")).toHaveLength(text.split("\n").length);
    }
  });

  it("may lack an #endif", async () => {
    expect(await names("class A {}\n#if X\nclass B {}\n#else\nclass C {}\n")).toEqual(["A:1", "B:3", "C:5"]);
    expect(readVariants("#if X\n".repeat(50_000), "c")).toHaveLength(1);
    expect(readVariants("#if X\n(\n#else\n{\n#endif\n".repeat(20_000), "c").length).toBeGreaterThan(0);
    expect(readVariants("#else\n#endif\n#if\n#endif", "c")).toHaveLength(1);
  });
});
