import { describe, expect, it } from "vitest";
import { groupClosely } from "../../../src/diagnostics/summarize/group.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { briefGroups } from "../../../src/render/run/brief.ts";

function one(line: number, message: string): Diagnostic {
  return { tool: "t", severity: "error", code: "E1", message, file: "a.ts", line, help: ["use another"] };
}

describe("the brief form of a list", () => {
  it("keeps the first line of every message with its values", () => {
    const types = [
      ["string", "number", "Type 'a' has no 'x'."],
      ["boolean", "Date", "Type 'b' has no 'y'."],
    ];
    const groups = groupClosely(
      types.map(([from, to, why], at) =>
        one(at + 1, `Type '${from}' is not assignable to type '${to}'.\n  ${why}`),
      ),
    );
    const [group, ...others] = briefGroups(groups);
    expect(others).toEqual([]);
    expect(group?.template).toBe("Type '…' is not assignable to type '…'.");
    expect(group?.help).toBeUndefined();
    expect(group?.files[0]?.places.map(({ values }) => values)).toEqual([
      ["string", "number"],
      ["boolean", "Date"],
    ]);
  });

  it("marks a truncated text", () => {
    const [group] = briefGroups(groupClosely([one(1, `expected ${"so much ".repeat(100)}`)]));
    expect(group?.template).toMatch(/^expected (?:so much )+.{0,8}\[\+409 characters\]$/);
  });
});
