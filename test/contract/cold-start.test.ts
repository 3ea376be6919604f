import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const dist = join(import.meta.dirname, "../../dist");
const STATIC_IMPORT = /(?:import|export)\s*(?:[^"();]*?from)?\s*"\.\/([^"]+\.js)"/g;

/** The files that Node reads before the first line of a program runs: its static imports, and theirs. */
function loadedAtStart(file: string, loaded = new Map<string, string>()): Map<string, string> {
  if (loaded.has(file)) return loaded;
  const text = readFileSync(join(dist, file), "utf8");
  loaded.set(file, text);
  for (const [, name = ""] of text.matchAll(STATIC_IMPORT)) loadedAtStart(name, loaded);
  return loaded;
}

it("loads little code at start: no parsers of build tools, no index", () => {
  const texts = [...loadedAtStart("pith.js").values()];
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  // 190 KB loaded in about 255 ms of processor time; the parsers alone are 500 KB.
  expect(bytes).toBeLessThan(300_000);
});
