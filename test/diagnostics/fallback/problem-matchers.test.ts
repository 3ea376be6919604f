import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { isSafe } from "../../../src/diagnostics/fallback/problem-matchers.ts";

function found(matcher: object, text: string): unknown[] {
  const tasksJson = `// tasks\n{ "version": "2.0.0", "tasks": [{ "label": "lint", "problemMatcher": ["$tsc", ${JSON.stringify(matcher)}], }] }`;
  return parseText(text, { tasksJson }).diagnostics.map((one) => ({ ...one }));
}

describe("problem matchers defined by the workspace", () => {
  it("match a single line", () => {
    const matcher = {
      owner: "acme",
      severity: "warning",
      pattern: {
        regexp: "^(\\S+) @ (\\d+)/(\\d+) (\\w+) (\\w+) (.*)$",
        file: 1,
        line: 2,
        column: 3,
        severity: 4,
        code: 5,
        message: 6,
      },
    };
    expect(found(matcher, "noise\nsrc/a.acme @ 12/5 error A100 it is broken\n")).toEqual([
      {
        tool: "acme",
        severity: "error",
        file: "src/a.acme",
        line: 12,
        column: 5,
        code: "A100",
        message: "it is broken",
      },
    ]);
  });

  it("match several lines with a loop", () => {
    const matcher = {
      owner: "style",
      pattern: [
        { regexp: "^([^\\s].*)\\.src$", file: 1 },
        {
          regexp: "^\\s+(\\d+):(\\d+)\\s+(error|warning)\\s+(.*?)\\s\\s(.*)$",
          line: 1,
          column: 2,
          severity: 3,
          message: 4,
          code: 5,
          loop: true,
        },
      ],
    };
    const text =
      "one.src\n  1:2  error  bad name  r1\n  3:4  warning  long line  r2\n\ntwo.src\n  5:6  error  bad name  r1\n";
    expect(found(matcher, text)).toMatchObject([
      { tool: "style", severity: "error", file: "one", line: 1, column: 2, message: "bad name", code: "r1" },
      { severity: "warning", file: "one", line: 3 },
      { severity: "error", file: "two", line: 5 },
    ]);
  });

  it("do not match lines that a known tool accepts", () => {
    const matcher = { owner: "greedy", pattern: { regexp: "^(.*)$", message: 1 } };
    const [first] = found(matcher, "src/a.ts(1,7): error TS2322: Type 'a' is not 'b'.\n");
    expect(first).toMatchObject({ tool: "tsc" });
  });

  it("are ignored if their regular expression is invalid or could take exponential time", () => {
    for (const source of ["(a+)+$", "(?:(?:a|b)*c*)*", "(x{2,})+", "^(.*)*$"])
      expect(isSafe(source), source).toBe(false);
    for (const source of [
      "^(.*):(\\d+):(\\d+): (warning|error): (.*)$",
      "^\\s*([\\w./-]+)\\((\\d+)(?:,(\\d+))?\\)",
    ])
      expect(isSafe(source), source).toBe(true);
    for (const regexp of ["(a+)+$", "(unclosed", 7, null])
      expect(found({ owner: "x", pattern: { regexp, message: 0 } }, "aaaa\n")).toEqual([]);
    for (const text of ["", "[]", "{", '{"tasks":[null,{"problemMatcher":{"pattern":[{}]}}]}'])
      expect(parseText("x\n", { tasksJson: text }).diagnostics).toEqual([]);
  });
});
