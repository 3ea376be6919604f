import { expect, it } from "vitest";
import { importStrength, moduleParts, testTextReader } from "../../../src/index/tests/test-text.ts";

function strength(text: string, test: string, source: string): number {
  const { imports } = testTextReader([])(text);
  return Math.max(0, ...imports.map((one) => importStrength(one, test, moduleParts(source))));
}

it.each([
  ['import { cart } from "../src/cart.js";', "test/cart.test.ts", "src/cart.ts"],
  ['import {\n  cart,\n  total,\n} from "../src/cart";', "test/a.test.ts", "src/cart.ts"],
  ['const { cart } = require("../lib/cart");', "test/a.js", "lib/cart.js"],
  ['const cart = await import("../src/cart/index.ts");', "test/a.ts", "src/cart/index.ts"],
  ["from shop.cart import Cart", "tests/test_a.py", "shop/cart.py"],
  ["from shop import cart", "tests/test_a.py", "src/shop/cart.py"],
  ["from shop import (\n    user,\n    cart,\n)", "tests/test_a.py", "shop/cart.py"],
  ["import shop.cart as c", "tests/test_a.py", "shop/cart.py"],
  ["from ..cart import Cart", "shop/tests/test_cart.py", "shop/cart.py"],
  ["use shop::cart::Cart;", "tests/a.rs", "shop/cart.rs"],
  ["import com.shop.Cart;", "src/test/java/com/shop/ATest.java", "src/main/java/com/shop/Cart.java"],
  [
    "import static com.shop.Cart.total;",
    "src/test/java/com/shop/ATest.java",
    "src/main/java/com/shop/Cart.java",
  ],
  ["use Shop\\Cart\\Item;", "tests/ATest.php", "src/Shop/Cart/Item.php"],
  ["require 'shop/cart'", "test/a_test.rb", "lib/shop/cart.rb"],
  ['#include "shop/cart.h"', "test/a_test.cc", "include/shop/cart.h"],
])("finds that %j leads to a file", (text, test, source) => {
  expect(strength(text, test, source)).toBe(1);
});

it.each([
  ['import { cart } from "../src/cart.js";', "test/a.test.ts", "src/order.ts"],
  ['import { cart } from "./cart.js";', "test/a.test.ts", "src/cart.ts"],
  ["# from shop.order import Order", "tests/test_a.py", "shop/order.py"],
  ["print('import shop.cart')", "tests/test_a.py", "shop/cart.py"],
])("does not find that %j leads to another file", (text, test, source) => {
  expect(strength(text, test, source)).toBeLessThan(1);
});

it("reads a hostile text in linear time and keeps only the words that are wanted", () => {
  const text = `${"import ".repeat(20_000)}\n${"{".repeat(20_000)}\n"${"a/".repeat(20_000)}"\ncart order`;
  const read = testTextReader(["cart"])(text);
  expect([read.has("cart"), read.has("order")]).toEqual([true, false]);
});

it("counts the parts of wanted names by their stems, and finds names that are no words of code", () => {
  const read = testTextReader(["parseHeaders", "global-setup"])(
    'header_parser(HEADER); other(); run("global-setup.js")',
  );
  expect([read.count("head"), read.count("pars"), read.count("other")]).toEqual([2, 1, 0]);
  expect(read.has("global-setup")).toBe(true);
});
