import { expect, it } from "vitest";
import { addToGroup, groupBy } from "../../src/kernel/group-by.ts";

it("groups items by a key, both in the order of first appearance", () => {
  const groups = groupBy(["bee", "ant", "bat", "cow", "ape"], ([first]) => first);
  expect([...groups]).toEqual([
    ["b", ["bee", "bat"]],
    ["a", ["ant", "ape"]],
    ["c", ["cow"]],
  ]);
  addToGroup(groups, "a", "asp");
  addToGroup(groups, "d", "dog");
  expect(groups.get("a")).toEqual(["ant", "ape", "asp"]);
  expect(groups.get("d")).toEqual(["dog"]);
});
