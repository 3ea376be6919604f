import { expect, it } from "vitest";
import { isRuntimeExhausted } from "../../src/languages/parse/grammar.ts";
import { outlineOf } from "../../src/languages/outline.ts";

/** Makes a grammar use all its memory, which aborts the parser of this thread. */
const GREEDY = "a=>".repeat(3000);

/** Number of classes per text, enough for the parser to check its memory while it reads them. */
const LONG = 500;

it("parses the queued texts in a fallback pool after a text has exhausted the parser of this thread", async () => {
  const names = Array.from({ length: 6 }, (_, n) => `Waiting${n}`);
  const [greedy, ...others] = await Promise.all([
    outlineOf(GREEDY, "java"),
    ...names.map((name) => outlineOf(`class ${name} { }\n`.repeat(LONG), "java")),
  ]);
  expect(greedy).toMatchObject({ symbols: [], hasErrors: true });
  expect(others.map(({ symbols }) => symbols.map(({ name }) => name))).toEqual(
    names.map((name) => Array.from({ length: LONG }, () => name)),
  );
  expect(isRuntimeExhausted()).toBe(true);
});
