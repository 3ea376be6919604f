import { expect, it } from "vitest";
import { isRuntimeSpent } from "../../src/languages/grammar.ts";
import { outlineOf } from "../../src/languages/outline.ts";

/** Makes a grammar take all the memory that it gets, which ends this thread's parser. */
const GREEDY = "a=>".repeat(3000);

/** Classes; so many that the parser looks at its memory while it reads them. */
const LONG = 500;

it("reads the texts that wait while another one uses up this thread's parser", async () => {
  const names = Array.from({ length: 6 }, (_, n) => `Waiting${n}`);
  const [greedy, ...others] = await Promise.all([
    outlineOf(GREEDY, "java"),
    ...names.map((name) => outlineOf(`class ${name} { }\n`.repeat(LONG), "java")),
  ]);
  expect(greedy).toMatchObject({ symbols: [], hasErrors: true });
  expect(others.map(({ symbols }) => symbols.map(({ name }) => name))).toEqual(
    names.map((name) => Array.from({ length: LONG }, () => name)),
  );
  expect(isRuntimeSpent()).toBe(true);
});
