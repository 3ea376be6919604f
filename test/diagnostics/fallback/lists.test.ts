import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";

/** Returns what is found in a text of an unknown tool. */
function found(text: string): unknown[] {
  return parseText(text, { tools: [] }).diagnostics.map(({ tool: _tool, ...rest }) => rest);
}

describe("lists of places and messages", () => {
  it.each<[string, object]>([
    [
      "src/app.js:12 Unexpected console statement",
      { severity: "error", file: "src/app.js", line: 12, message: "Unexpected console statement" },
    ],
    [
      "src/app.js:12\tMissing return type",
      { severity: "error", file: "src/app.js", line: 12, message: "Missing return type" },
    ],
    [
      "src/app.js\t12\t5\twarning\tno-console\tUnexpected console statement",
      {
        severity: "warning",
        file: "src/app.js",
        line: 12,
        column: 5,
        code: "no-console",
        message: "Unexpected console statement",
      },
    ],
    [
      "lib/cart.rb\t40\tC0301\tLine is too long",
      { severity: "error", file: "lib/cart.rb", line: 40, code: "C0301", message: "Line is too long" },
    ],
    [
      "[ 33%] src/lexer.foo:3:5: error: unknown type name 'foo'",
      { severity: "error", file: "src/lexer.foo", line: 3, column: 5, message: "unknown type name 'foo'" },
    ],
  ])("reads %j", (line, expected) => {
    expect(found(line)).toEqual([expected]);
  });

  it.each([
    "server.js:12 listening on port 3000",
    "src/cart.py:12 INFO request finished",
    "total\t12\t5\tpassed",
    "src/app.js\t12\t100%\tcovered",
    "config.yml is missing a trailing newline, which is fine",
    "3 packages have a missing optional dependency",
  ])("finds no error in %j", (line) => {
    expect(parseText(line).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("warnings", () => {
  it("takes a warning of rolldown for no error", () => {
    const log = [
      "[UNRESOLVED_IMPORT] Warning: Could not resolve 'foo' in src/index.ts",
      "   ╭─[ src/index.ts:1:17 ]",
      " 1 │ import foo from 'foo';",
      "   │                 ──┬──",
      "   │                   ╰──── Module not found, treating it as an external dependency",
      "───╯",
    ];
    expect(parseText(log.join("\n")).diagnostics.map(({ severity }) => severity)).toEqual(["warning"]);
  });
});
