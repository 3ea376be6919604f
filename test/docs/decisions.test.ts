import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const folder = join(import.meta.dirname, "../../docs/decisions");
const pages = readdirSync(folder).filter((name) => name !== "README.md");

it("keeps each decision to a page of at most 200 words that the index links", () => {
  const index = readFileSync(join(folder, "README.md"), "utf8");
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const [, ...body] = readFileSync(join(folder, page), "utf8").split("\n");
    expect(index).toContain(`(${page})`);
    expect(body.join(" ").trim().split(/\s+/).length, page).toBeLessThanOrEqual(200);
  }
});
