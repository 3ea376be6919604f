import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("keeps each decision to one item of at most 80 words", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/decisions.md"), "utf8");
  const items = page.split("\n").filter((line) => line.startsWith("- "));
  expect(items.length).toBeGreaterThan(20);
  for (const item of items) expect(item.split(/\s+/).length, item).toBeLessThanOrEqual(80);
});
