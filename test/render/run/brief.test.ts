import { describe, expect, it } from "vitest";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { briefGroups, countNotes } from "../../../src/render/run/brief.ts";

function one(line: number, message: string): Diagnostic {
  return { tool: "t", severity: "error", code: "E1", message, file: "a.ts", line, help: ["use another"] };
}

describe("the brief form of a list", () => {
  it("keeps the first line of every message and counts the others", () => {
    const groups = groupDiagnostics([
      one(1, "Type 'string' is not assignable.\n  Type 'a' has no 'x'."),
      one(2, "Type 'boolean' is not assignable."),
    ]);
    const brief = briefGroups(groups);
    expect(brief.map(({ message }) => message)).toEqual([
      "Type 'string' is not assignable.",
      "Type 'boolean' is not assignable.",
    ]);
    expect(brief.map(({ help }) => help)).toEqual([undefined, undefined]);
    expect(countNotes({ fresh: groups, others: [] })).toBe(3);
  });

  it("marks a truncated text", () => {
    const [group] = briefGroups(groupDiagnostics([one(1, `expected ${"so much ".repeat(100)}`)]));
    expect(group?.message).toMatch(/^expected (?:so much )+.{0,8}… \(\+409 characters\)$/);
  });
});
