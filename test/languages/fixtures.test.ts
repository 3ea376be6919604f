import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { languageOf } from "../../src/languages/detect.ts";
import { outlineOf } from "../../src/languages/outline.ts";
import { LANGUAGES } from "../../src/languages/registry.ts";
import { outlineText } from "./outline-text.ts";

const ROOM = resolve(import.meta.dirname, "../../src/languages");

describe("outlines of the fixtures", () => {
  const fixtures = readdirSync(ROOM)
    .map((folder) => join(ROOM, folder, "fixtures"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => !path.endsWith(".outline"));

  it.each(LANGUAGES.map(({ id }) => id))("%s has a fixture and a broken one", (id) => {
    const own = fixtures.filter((path) => languageOf(path)?.id === id);
    expect(own.length).toBeGreaterThan(0);
    // TSX is TypeScript with another grammar, so one broken file serves both.
    if (id !== "tsx") expect(own.some((path) => /(?:^|\/|\.)broken\b/u.test(path))).toBe(true);
  });

  it.each(fixtures)("%s", async (path) => {
    const language = languageOf(path);
    const outline = await outlineOf(readFileSync(path, "utf8"), language?.id ?? "");
    await expect(outlineText(outline)).toMatchFileSnapshot(`${path}.outline`);
  });

  it("are the same with CRLF line endings", async () => {
    for (const path of fixtures) {
      const id = languageOf(path)?.id ?? "";
      const text = readFileSync(path, "utf8");
      const crlf = await outlineOf(text.replaceAll("\n", "\r\n"), id);
      expect(outlineText(crlf), path).toBe(outlineText(await outlineOf(text, id)));
    }
  });
});
