import { expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";

it.each([
  ["tests/cart.c", "tests/cart.c"],
  ["../tests/cart.c", "../tests/cart.c"],
  ["./cart.c", "./cart.c"],
  ["..tests/cart.c", "tests/cart.c"],
  ["....../tests/cart.c", "../tests/cart.c"],
  ["../../tests/cart.c", "../../tests/cart.c"],
])("a failure at %s is in %s", (printed, file) => {
  const { tests } = parseText(
    `${printed}:12:test_empty:FAIL: Expected 1 Was 2\n\n-----------------------\n1 Tests 1 Failures 0 Ignored \nFAIL\n`,
  );
  expect(tests.flatMap(({ failures }) => failures.map((one) => one.file))).toEqual([file]);
});
