import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { editedFiles } from "../../src/hook/undo-edits.ts";
import { makeFolder } from "../support/folder.ts";

function before(text: string, exchanges: readonly { old: string; now: string; all?: boolean }[]) {
  const folder = makeFolder();
  writeFileSync(join(folder, "a.ts"), text);
  const edits = exchanges.map(({ old, now, all = false }) => ({ path: "a.ts", exchange: { old, now, all } }));
  return editedFiles(edits, folder)[0]?.before;
}

it("undoes edits from the last to the first", () => {
  expect(
    before("c d", [
      { old: "a", now: "b" },
      { old: "b", now: "c" },
    ]),
  ).toBe("a d");
  expect(before("n + n", [{ old: "m", now: "n", all: true }])).toBe("m + m");
});

it.each([
  ["a text that is there twice", "x x", { old: "y", now: "x" }],
  ["a text that was removed", "x", { old: "y", now: "" }],
  ["a text that is not there", "x", { old: "y", now: "z" }],
])("does not guess: %s", (_, text, exchange) => {
  expect(before(text, [exchange])).toBeUndefined();
});

it("knows nothing about a file that was written whole, or is gone", () => {
  const folder = makeFolder({ "a.ts": "x" });
  expect(editedFiles([{ path: "a.ts" }, { path: "gone.ts" }], folder)).toEqual([
    { path: join(folder, "a.ts") },
    { path: join(folder, "gone.ts") },
  ]);
});
