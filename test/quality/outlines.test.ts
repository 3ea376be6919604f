import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { languageOf } from "../../src/languages/detect.ts";
import { scoreBroken } from "./outlines/broken.ts";

/**
 * The committed score: how much of the fixtures' outlines remains when they are damaged. `PITH_WRITE_SCORE=1` writes
 * it.
 */
const scoreFile = join(import.meta.dirname, "outlines.json");
const room = resolve(import.meta.dirname, "../../src/languages");
/** Minimum share of symbols kept above and below a fault, over all languages and faults. */
const MIN_KEPT = { above: 0.97, below: 0.85 };

it("keeps at least as many symbols of a damaged file as the committed score", async () => {
  const now: Record<string, { above: number; below: number }> = {};
  for (const [language, files] of fixtures()) {
    const [id = language] = language.split(" ");
    const kept = [...(await scoreBroken(files, id, [0.52])).values()];
    const sum = (read: (one: (typeof kept)[number]) => number): number =>
      kept.reduce((all, one) => all + read(one), 0);
    if (kept.length === 0) continue;
    now[language] = {
      above: share(
        sum((one) => one.aboveKept),
        sum((one) => one.above),
      ),
      below: share(
        sum((one) => one.belowKept),
        sum((one) => one.below),
      ),
    };
  }
  if (process.env["PITH_WRITE_SCORE"] !== undefined)
    writeFileSync(scoreFile, `${JSON.stringify(now, null, 2)}\n`);
  const committed: typeof now = JSON.parse(readFileSync(scoreFile, "utf8"));
  for (const [language, { above, below }] of Object.entries(committed)) {
    expect(now[language]?.above, language).toBeGreaterThanOrEqual(above);
    expect(now[language]?.below, language).toBeGreaterThanOrEqual(below);
  }
  const all = Object.values(now);
  expect(all.reduce((sum, { above }) => sum + above, 0) / all.length).toBeGreaterThanOrEqual(MIN_KEPT.above);
  expect(all.reduce((sum, { below }) => sum + below, 0) / all.length).toBeGreaterThanOrEqual(MIN_KEPT.below);
});

/** Rounds to three digits, which is enough to see a change. */
function share(kept: number, all: number): number {
  return Math.round((1000 * kept) / Math.max(1, all)) / 1000;
}

/**
 * Returns the fixtures of all languages that are parsed by a grammar or a code scanner. Those with tests have scores of
 * their own, such as `go tests`.
 */
function fixtures(): Map<string, string[]> {
  const byLanguage = new Map<string, string[]>();
  for (const folder of readdirSync(room, { withFileTypes: true })) {
    const captured = join(room, folder.name, "fixtures");
    if (!existsSync(captured)) continue;
    for (const name of readdirSync(captured)) {
      const language = languageOf(name)?.id;
      if (language === undefined || name.endsWith(".outline") || name.includes("broken")) continue;
      const group = /^test.blocks/.test(name) ? `${language} tests` : language;
      byLanguage.set(group, [...(byLanguage.get(group) ?? []), join(captured, name)]);
    }
  }
  return byLanguage;
}
