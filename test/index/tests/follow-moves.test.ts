import { expect, it } from "vitest";
import { followMoves } from "../../../src/index/tests/follow-moves.ts";

const FILES = [
  "core/src/main/java/shop/Cart.java",
  "core/src/test/java/shop/CartTest.java",
  "test/request/length.test.js",
  "test/response/length.test.js",
  "a/index.js",
  "b/index.js",
];

function follow(path: string, folder = ""): string {
  return followMoves({ folder, files: FILES })(path);
}

it.each([
  ["src/main/java/shop/Cart.java", FILES[0]],
  ["src/test/java/shop/CartTest.java", FILES[1]],
  ["test/response/length.js", FILES[3]],
])("follows %s to where it is now", (before, now) => {
  expect(follow(before)).toBe(now);
});

it.each(["test/length.js", "c/index.js", "src/Order.java", "test/request/length.test.js"])(
  "leaves %s",
  (path) => {
    expect(follow(path)).toBe(path);
  },
);

it("leaves files outside of the folder", () => {
  expect(follow("src/main/java/shop/Cart.java", "core/")).toBe("src/main/java/shop/Cart.java");
});
