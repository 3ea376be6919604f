import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { namedMatchers, workspaceMatchers } from "../../../src/diagnostics/fallback/problem-matchers.ts";

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

  it("are ignored if their regular expression is invalid", () => {
    for (const regexp of ["(unclosed", 7, null])
      expect(found({ owner: "x", pattern: { regexp, message: 0 } }, "aaaa\n")).toEqual([]);
    for (const text of ["", "[]", "{", '{"tasks":[null,{"problemMatcher":{"pattern":[{}]}}]}'])
      expect(parseText("x\n", { tasksJson: text }).diagnostics).toEqual([]);
  });

  it("are ignored if the file is nested too deep", () => {
    expect(workspaceMatchers(`{ "problemMatcher": ${"[".repeat(200_000)}`)).toBeUndefined();
    expect(namedMatchers(`{ "problemMatcher": ${'{"a":'.repeat(200_000)}`, "a")).toBeUndefined();
  });

  it("may use look-around and back references", () => {
    const matcher = { owner: "x", pattern: { regexp: "^(?!ok)(['\"])(.*)\\1: (.*)$", file: 2, message: 3 } };
    expect(found(matcher, "'a.src': bad\n")).toMatchObject([{ file: "a.src", message: "bad" }]);
  });

  it.each(["^(?:a?){50}a{50}$", "^(?=(a+)+$)b", "(a*)*\\1b", "^(?:a{1,60}){1,60}$", "(a+)+$"])(
    "cannot hang a run, whatever their regular expression: %s",
    (regexp) => {
      const slow = { owner: "slow", pattern: { regexp, message: 0 } };
      const good = { owner: "good", pattern: { regexp: "^(\\S+) is bad$", message: 1 } };
      const tasksJson = JSON.stringify({ tasks: [{ problemMatcher: [slow, good] }] });
      const text = `${`${"a".repeat(60)}!\n`.repeat(20)}x.src is bad\n`;
      expect(parseText(text, { tasksJson }).diagnostics).toMatchObject([{ tool: "good", message: "x.src" }]);
    },
  );

  it("reports a matcher that was turned off because it takes too long", () => {
    const tasksJson = JSON.stringify({
      tasks: [{ problemMatcher: { pattern: { regexp: "^(?:a{1,60}){1,60}$", message: 0 } } }],
    });
    const { advice } = parseText(`${"a".repeat(60)}!\n`.repeat(3), { tasksJson });
    expect(advice.join()).toContain("turned off");
  });
});
