import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import type { TestIndex } from "../../support/code-index.ts";
import { definitionsIn } from "./definitions.ts";
import { judge } from "./judge.ts";
import { questionsOf } from "./questions.ts";
import { createTally } from "./tally.ts";

/**
 * The committed score: how often the definition of a name comes first, by type of query. `UPDATE_SCORES=1` writes it.
 */
const scoreFile = join(import.meta.dirname, "../names.txt");
const home = resolve(import.meta.dirname, "../../..");
/** Packages pinned by package-lock.json, so that the names are the same everywhere. */
const PACKAGES = ["node_modules/zod/src", "node_modules/knip/dist/util"];
const NAMES = 12;
const FEW_NAMES = 10;

async function scoreOf(
  test: TestIndex,
  folders: readonly string[],
  names: number,
  heading: (tool: string, way: string) => string,
) {
  const tally = createTally();
  for (const folder of folders) {
    const root = resolve(home, folder);
    await test.index.index({ root });
    for (const question of questionsOf(definitionsIn(root), names, 1))
      for (const tool of ["locate", "search"] as const) {
        const { hits } = await test[tool](root, question.text, { limit: 1, level: "location" });
        tally.add([heading(tool, question.way)], judge(question, hits[0]));
      }
  }
  return tally.table();
}

/** Checks how often the definition of a name comes first. */
export function checkNames(test: TestIndex): void {
  it("returns the definition of a name first in pinned packages at least as often as the committed score", async () => {
    const table = `${(await scoreOf(test, PACKAGES, NAMES, (tool, way) => `${tool} by ${way}`)).join("\n")}\n`;
    if (process.env["UPDATE_SCORES"] !== undefined) writeFileSync(scoreFile, table);
    const committed = rowsOf(readFileSync(scoreFile, "utf8"));
    const now = rowsOf(table);
    expect([...now.keys()]).toEqual([...committed.keys()]);
    for (const [heading, { asked, first, own }] of committed) {
      expect(now.get(heading)?.asked, heading).toBe(asked);
      expect(now.get(heading)?.first, `${heading}: first`).toBeGreaterThanOrEqual(first);
      expect(now.get(heading)?.own, `${heading}: own`).toBeGreaterThanOrEqual(own);
    }
  }, 300_000);

  it("returns the definition of a name first in Pith's own sources", async () => {
    // The sources, and with them the queried names, change with every commit.
    const table = (await scoreOf(test, ["src/index/query"], FEW_NAMES, (tool) => tool)).join("\n");
    for (const [tool, { first, own }] of rowsOf(table)) {
      expect(first, `${tool}: first`).toBeGreaterThanOrEqual(0.97);
      expect(own, `${tool}: own`).toBeGreaterThanOrEqual(0.97);
    }
  }, 300_000);
}

function rowsOf(table: string): Map<string, { asked: number; first: number; own: number }> {
  return new Map(
    table
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => {
        const [, heading = "", asked, first, , own] =
          /^(.*?)\s+(\d+)\s+([\d.]+)\s+(\d+)\s+([\d.]+)$/u.exec(row) ?? [];
        return [heading, { asked: Number(asked), first: Number(first), own: Number(own) }];
      }),
  );
}
