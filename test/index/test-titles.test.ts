import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryRepository } from "../support/git-folder.ts";

const test = createTestIndex();
const folder = temporaryRepository({
  "src/cart.ts": "export function roundTotal(total: number): number {\n  return Math.round(total);\n}\n",
  "test/cart.test.ts": [
    'describe("cart", () => {',
    "  function makeCart(): number {",
    "    return 1;",
    "  }",
    '  it("rounds the total to cents", () => {',
    "    makeCart();",
    "  });",
    '  describe("when empty", () => {',
    '    it("roundTotal", () => {});',
    '    it("has no items", () => {});',
    "  });",
    "});",
    "",
  ].join("\n"),
  "spec/order_spec.rb": 'RSpec.describe "Order" do\n  it "has no items" do\n  end\nend\n',
});
beforeAll(() => test.index.index({ root: folder.root }));
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

describe("the titles of tests", () => {
  it.each([
    ["a whole title", "rounds the total to cents", "test/cart.test.ts:5-7"],
    ["a part of a title in another case", "Total To", "test/cart.test.ts:5-7"],
    ["a title after that of the block around it", "when empty > has no items", "test/cart.test.ts:10-10"],
    ["the title of a group", "when empty", "test/cart.test.ts:8-11"],
    ["a title in quotes", '"has no items"', "spec/order_spec.rb:2-3"],
  ])("are found by %s", async (_what, title, place) => {
    const { hits } = await test.locate(folder.root, title);
    expect(hits.map(({ path, lineStart, lineEnd }) => `${path}:${lineStart}-${lineEnd}`)).toContain(place);
    expect(hits.every(({ kind }) => kind === "test" || kind === "suite")).toBe(true);
  });

  it("are found by a single word only if nothing is defined under it", async () => {
    const { hits } = await test.locate(folder.root, "cents");
    expect(hits.map(({ name }) => name)).toEqual(["rounds the total to cents"]);
    const named = await test.locate(folder.root, "roundTotal");
    expect(named.hits.map(({ path }) => path)).toEqual(["src/cart.ts"]);
  });

  it("are the only results if tests are asked for", async () => {
    const { hits } = await test.locate(folder.root, "roundTotal", { kind: "test" });
    expect(hits.map(({ name, kind }) => [name, kind])).toEqual([["roundTotal", "test"]]);
  });

  it("do not come before a definition in a search", async () => {
    for (const query of ["roundTotal", "round total", "rounds the total"]) {
      const { hits } = await test.search(folder.root, query);
      expect(hits[0], query).toMatchObject({ path: "src/cart.ts", name: "roundTotal" });
    }
  });

  it("are the place that a search shows in a test file", async () => {
    const { hits } = await test.search(folder.root, "no items", { path: "spec" });
    expect(hits[0]).toMatchObject({ kind: "test", name: "has no items", lineStart: 2 });
  });

  it("do not qualify the functions inside them", async () => {
    const { hits } = await test.locate(folder.root, "makeCart");
    expect(hits[0]).toMatchObject({ qualifiedName: "makeCart", lineStart: 2 });
  });
});
