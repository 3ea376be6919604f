import { describe, expect, it } from "vitest";
import { groupDiagnostics } from "../../src/diagnostics/group.ts";
import { Budget } from "../../src/kernel/budget.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { renderDiagnostics } from "../../src/render/diagnostics.ts";

function one(file: string, part: Partial<Diagnostic> = {}): Diagnostic {
  return { tool: "t", severity: "error", code: "E1", message: "bad", file, line: 1, ...part };
}

function rendered(diagnostics: readonly Diagnostic[], tokens = 2_000): string {
  return renderDiagnostics(groupDiagnostics(diagnostics), new Budget(tokens)).text;
}

describe("a list of diagnostics", () => {
  it("names a folder once, and lines in a row as a range", () => {
    const lines = [3, 4, 5, 9].map((line) => one("src/a.ts", { line }));
    expect(rendered([...lines, one("src/b.ts", { line: 7 }), one("lib/c.ts", { line: 2 })])).toBe(
      "E E1: bad\n src/: a.ts:3-5,9; b.ts:7\n lib/c.ts:2",
    );
  });

  it("names files without lines as a shell would take them", () => {
    const files = ["src/ast.ts", "src/emit.ts", "src/ast.test.ts", "src/emit.test.ts", "src/x.js", "README"];
    const plain = files.map((file): Diagnostic => ({
      tool: "t",
      severity: "error",
      code: "E1",
      message: "bad",
      file,
    }));
    expect(rendered(plain)).toBe(
      "E E1: bad\n src/{ast,emit}.ts\n src/{ast,emit}.test.ts\n src/x.js\n README",
    );
  });

  it("puts the folder that all share before the list where that saves much", () => {
    const folder = "packages/server/src/main/java/com/example/shop/";
    const many = Array.from({ length: 12 }, (_, i) =>
      one(`${folder}${i % 2 === 0 ? "cart" : "stock"}/File${i}.java`, {
        code: `E${i}`,
        message: `bad ${i} `,
      }),
    );
    const text = rendered(many);
    expect(text).toMatch(/^in packages\/server\/src\/main\/java\/com\/example\/shop\/\n/);
    expect(text.match(/com\/example/g)).toHaveLength(1);
    for (const { file = "" } of many) expect(text).toContain(file.slice(folder.length));
  });

  it("keeps help of one line beside its place where it differs, and says the same help once", () => {
    const helped = (line: number, help: string, code = "E1"): Diagnostic =>
      one("a.sh", { line, help: [help], code, message: "quote this" });
    expect(rendered([helped(1, "use $a"), helped(2, "use $b")])).toBe(
      "E E1: quote this\n a.sh:1 (use $a), 2 (use $b)",
    );
    const same = ["x is odd", "y is odd", "z is even"].map((message, line) =>
      one("a.sh", { line: line + 1, message, help: ["see the manual"] }),
    );
    expect(rendered(same).match(/see the manual/g)).toHaveLength(1);
  });

  it("shows of what a diagnostic points to only what is not its own place", () => {
    const related = [
      { file: "a.c", line: 1, message: "note" },
      { file: "a.c", line: 9, message: "declared here" },
      { file: "b.h", line: 2 },
    ];
    expect(rendered([one("a.c", { related })])).toBe("E E1: bad\n a.c:1 (note; :9 declared here; b.h:2)");
  });

  it("puts what names begin with into the message once", () => {
    const method = (name: string, line: number): Diagnostic =>
      one("Cart.php", { line, message: `Method Acme\\Shop\\Cart::${name}() has no type` });
    expect(rendered([method("add", 3), method("total", 9)])).toBe(
      String.raw`E E1: Method Acme\Shop\Cart::…() has no type` + "\n Cart.php:3 add, 9 total",
    );
  });
});
