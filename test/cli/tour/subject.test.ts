import { expect, it } from "vitest";
import { mostUsed } from "../../../src/cli/tour/subject.ts";
import type { SymbolKind } from "../../../src/model/symbol.ts";

function used(path: string, weight: number, ...definitions: [SymbolKind, string, number][]) {
  const shown = definitions.map(([kind, name, users]) => ({ kind, name, users, line: 1, signature: "" }));
  return { path, weight, definitions: shown };
}

it("the tour prefers much used functions that can be asked for in words", () => {
  const overview = {
    used: [
      used("a.ts", 0.4, ["class", "HttpClient", 9], ["fn", "run", 9], ["const", "MAX_SIZE", 90]),
      used("b.py", 0.2, ["fn", "send_from_directory", 3]),
      used("c.go", 0.1, ["method", "writeJSON", 8]),
    ],
  };
  expect(mostUsed(overview).map(({ name }) => name)).toEqual([
    "writeJSON",
    "send_from_directory",
    "HttpClient",
    "run",
  ]);
  expect(mostUsed(undefined)).toEqual([]);
});
