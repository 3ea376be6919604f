const CART = `import { taxFor } from "./tax.js";

/** One customer's basket. */
export class Cart {
  #lines = [];

  constructor(country) {
    this.country = country;
  }

  /** Adds an article, or more of one that is there already. */
  add(sku, price, quantity = 1) {
    const known = this.#lines.find((line) => line.sku === sku);
    if (known) known.quantity += quantity;
    else this.#lines.push({ sku, price, quantity });
  }

  remove(sku) {
    this.#lines = this.#lines.filter((line) => line.sku !== sku);
  }

  /** What is to be paid, tax included, in cents. */
  total() {
    const net = this.#lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
    return net + taxFor(this.country, net);
  }
}

/** Takes a share off a price; a coupon never makes it negative. */
export function applyCoupon(price, coupon) {
  if (coupon.expires < Date.now()) return price;
  return Math.max(0, price - Math.round(price * coupon.share));
}
`;

const TAX = `const RATES = { de: 0.19, fr: 0.2, jp: 0.1 };

/** The tax on a net price, rounded to the cent. */
export function taxFor(country, net) {
  const rate = RATES[country];
  if (rate === undefined) throw new Error(\`no tax rate for \${country}\`);
  return Math.round(net * rate);
}
`;

const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { applyCoupon, Cart } from "../src/cart.js";

test("adds up with tax", () => {
  const cart = new Cart("de");
  cart.add("tea", 500, 2);
  assert.equal(cart.total(), 1190);
});

test("a coupon takes its share", () => {
  assert.equal(applyCoupon(1000, { share: 0.25, expires: Infinity }), 740);
});
`;

/** Output of a type check of the shop, with many irrelevant lines around it. */
const LOG = [
  "> shop@1.0.0 build",
  "> tsc --noEmit",
  ...Array.from({ length: 40 }, (_, i) => `[${i + 1}/40] checked src/page${i + 1}.ts`),
  "src/checkout.ts(14,9): error TS2322: Type 'string' is not assignable to type 'number'.",
  "src/checkout.ts(31,5): error TS2322: Type 'string' is not assignable to type 'boolean'.",
  "src/order.ts(8,17): error TS2304: Cannot find name 'Invoice'.",
  "",
].join("\n");

/** A small shop used in the documentation's examples. One of its tests fails. */
export const SHOP: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  "src/cart.js": CART,
  "src/tax.js": TAX,
  "test/cart.test.js": TESTS,
  "ci.log": LOG,
};
