import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const dist = join(import.meta.dirname, "../../dist");
const STATIC_IMPORT = /(?:import|export)\s*(?:[^"();]*?from)?\s*"\.\/([^"]+\.js)"/g;

/** The files that Node loads before a program starts: its static imports, recursively. */
function loadedAtStart(file: string, loaded = new Map<string, string>()): Map<string, string> {
  if (loaded.has(file)) return loaded;
  const text = readFileSync(join(dist, file), "utf8");
  loaded.set(file, text);
  for (const [, name = ""] of text.matchAll(STATIC_IMPORT)) loadedAtStart(name, loaded);
  return loaded;
}

it("loads little code before the first reply of a server: no index, no parsers, no renderers", () => {
  const serve = readdirSync(dist).find((name) => /^serve-\w+\.js$/.test(name)) ?? "";
  const texts = [...loadedAtStart(serve, loadedAtStart("pith.js")).values()];
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  // A server loads about 540 KB, of which the MCP SDK is 300 and the masking of errors 27: a call that has used up the file descriptors
  // must still mask its error. The code that runs commands and renders replies would add 300, the parsers 500.
  expect(bytes).toBeLessThan(560_000);
});
