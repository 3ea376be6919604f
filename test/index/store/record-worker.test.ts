import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { BINARY } from "../../support/client.ts";

/** Returns all built files that a file loads at startup. */
function loadedBy(file: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(file)) return found;
  const text = readFileSync(file, "utf8");
  found.set(file, text);
  for (const [, path = ""] of text.matchAll(/(?:from|import) ?"(\.\/[^"]+)"/g))
    loadedBy(join(dirname(file), path), found);
  return found;
}

it("does not use zlib in a worker, because terminating a worker inside zlib crashes the process", () => {
  const worker = join(dirname(BINARY), "record-worker.js");
  const loaded = [...loadedBy(worker)];
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.filter(([, text]) => text.includes("deflateRaw")).map(([file]) => file)).toEqual([]);
});
