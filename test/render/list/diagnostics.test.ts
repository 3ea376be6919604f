import { describe, expect, it } from "vitest";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { Budget } from "../../../src/kernel/budget.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { renderDiagnostics } from "../../../src/render/list/diagnostics.ts";

function one(file: string, part: Partial<Diagnostic> = {}): Diagnostic {
  return { tool: "t", severity: "error", code: "E1", message: "bad", file, line: 1, ...part };
}

function rendered(diagnostics: readonly Diagnostic[], tokens = 2_000): string {
  return renderDiagnostics(groupDiagnostics(diagnostics), new Budget(tokens)).text;
}

describe("a list of diagnostics", () => {
  it("writes a message about several files once, with one line per file below it", () => {
    const lines = [3, 4, 5, 9].map((line) => one("src/a.ts", { line }));
    expect(rendered([...lines, one("src/b.ts", { line: 7 }), one("lib/c.ts", { line: 2 })])).toBe(
      "error E1: bad\n src/a.ts:3,4,5,9\n src/b.ts:7\n lib/c.ts:2",
    );
  });

  it("lists messages about one file below that file, and a single one on its own line", () => {
    const list = [
      one("src/a.ts", { line: 3 }),
      one("src/a.ts", { line: 7, code: "E2", message: "worse" }),
      one("src/a.ts", { line: 9, code: "E2", message: "worse" }),
      one("src/b.ts", { line: 1, code: "E3", message: "other" }),
      one("src/a.ts", { line: 5, severity: "warning", message: "odd" }),
    ];
    expect(rendered(list)).toBe(
      "src/a.ts\n 3 error E1: bad\n 7,9 error E2: worse\nsrc/b.ts:1 error E3: other\nsrc/a.ts:5 warning E1: odd",
    );
  });

  it("never shortens a message, whatever it has in common with others", () => {
    const unused = (line: number, name: string): Diagnostic =>
      one("a.ts", { line, message: `'${name}' is defined but never used.` });
    expect(rendered([unused(3, "first"), unused(9, "second")])).toBe(
      "a.ts\n 3 error E1: 'first' is defined but never used.\n 9 error E1: 'second' is defined but never used.",
    );
  });

  it("indents further lines of a message, and its help and link below them", () => {
    const wrong = one("a.rs", {
      message: "mismatched types\nexpected u8",
      help: ["use a cast", "note: or not"],
    });
    expect(rendered([{ ...wrong, url: "https://example.org/E1" }])).toBe(
      "a.rs:1 error E1: mismatched types\n expected u8\n help: use a cast\n note: or not\n see https://example.org/E1",
    );
    expect(rendered([wrong, one("a.rs", { line: 2 })])).toBe(
      "a.rs\n 1 error E1: mismatched types\n  expected u8\n  help: use a cast\n  note: or not\n 2 error E1: bad",
    );
  });

  it("keeps different help at its place, and writes the help of a rule once", () => {
    const helped = (line: number, help: string): Diagnostic =>
      one("a.sh", { line, help: [help], message: "quote this" });
    expect(rendered([helped(1, "$a"), helped(2, "$b")])).toBe(
      "error E1: quote this\n a.sh:1 help: $a\n a.sh:2 help: $b",
    );
    const same = ["x is odd", "y is odd", "z is even"].map((message, line) =>
      one("a.sh", { line: line + 1, message, help: ["see the manual"] }),
    );
    expect(rendered(same).match(/see the manual/g)).toHaveLength(1);
  });

  it("writes related places on lines of their own", () => {
    const related = [
      { file: "a.c", line: 1, message: "in this call" },
      { file: "a.c", line: 9, message: "declared here" },
      { file: "b.h", line: 2 },
    ];
    expect(rendered([one("a.c", { related })])).toBe(
      "a.c:1 error E1: bad\n note: in this call\n note at line 9: declared here\n see b.h:2",
    );
    expect(rendered([one("a.c", { related }), one("d.c", { related: related.slice(1, 2) })])).toBe(
      "error E1: bad\n a.c:1\n  note: in this call\n  note at line 9: declared here\n  see b.h:2\n d.c:1 note at a.c:9: declared here",
    );
  });

  it("distinguishes a message about a whole file from the same message about a line", () => {
    const { line: _, ...whole } = one("a.ts");
    expect(rendered([whole, one("a.ts", { line: 298 }), one("a.ts", { code: "E2" })])).toBe(
      "a.ts\n error E1: bad\n  whole file\n  298\n 1 error E2: bad",
    );
    expect(rendered([whole])).toBe("a.ts: error E1: bad");
    expect(rendered([whole, one("b.ts")])).toBe("error E1: bad\n a.ts\n b.ts:1");
  });

  it("counts repeated diagnostics, and writes a column only to tell two of one line apart", () => {
    expect(rendered([one("a.ts", { column: 3 }), one("a.ts", { column: 9 }), one("a.ts", { line: 4 })])).toBe(
      "a.ts:1:3,1:9,4 error E1: bad",
    );
    expect(rendered([one("a.ts"), one("a.ts")])).toBe("a.ts:1 (2 times) error E1: bad");
    const { line: _line, file: _file, ...placeless } = one("a.ts");
    expect(rendered([placeless, placeless])).toBe("error E1: bad (2 times)");
    expect(rendered([placeless, { ...placeless, line: 7 }, one("a.ts")])).toBe(
      "error E1: bad\n no file\n line 7\n a.ts:1",
    );
  });

  it("quotes a file name that a reader could take for a name and a line", () => {
    expect(rendered([one("c:1.ts")])).toBe('"c:1.ts":1 error E1: bad');
    expect(rendered([one("a b.ts", { line: 7 })])).toBe("a b.ts:7 error E1: bad");
  });

  it("leaves out the place at the beginning of a message if it is the diagnostic's own", () => {
    expect(rendered([one("a.go", { line: 3, message: "a.go:3: Line contains TODO" })])).toBe(
      "a.go:3 error E1: Line contains TODO",
    );
    expect(rendered([one("a.go", { line: 9, message: "a.go:3: declared here" })])).toContain(
      "a.go:3: declared",
    );
  });

  it("truncates the first diagnostic if not even that fits", () => {
    const long = one("src/a.ts", { line: 7, message: `Type '${"Deep<Foo> & ".repeat(100)}' is wrong` });
    const { text, shown, total } = renderDiagnostics(groupDiagnostics([long, long]), new Budget(60));
    expect(text).toMatch(/^src\/a\.ts:7 error E1: Type 'Deep<Foo> & .*… \(\+\d+ characters\)$/);
    expect([shown, total]).toEqual([1, 2]);
    expect(renderDiagnostics(groupDiagnostics([long]), new Budget(5)).text).toBe("");
  });
});
