import { execFileSync } from "node:child_process";
import { onTestFinished, expect, it } from "vitest";
import { chooseTests, type ChosenTests } from "../../../src/index/tests/choose-tests.ts";
import { type GitFolder, temporaryRepository } from "../../support/git-folder.ts";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";

const SHOP: Record<string, string> = {
  "src/cart.ts": "export function cartTotal(items) {\n  return items.length;\n}\n",
  "src/order.ts": "export function place(order) {\n  return order;\n}\n",
  "src/rate.ts": "export const RATE = 1;\n",
  "test/cart.test.ts": 'import { cartTotal } from "../src/cart.ts";\ntest("a", () => cartTotal([]));\n',
  "test/order.test.ts": 'import { place } from "../src/order.ts";\ntest("b", () => place(1));\n',
  "test/mail.test.ts": 'test("c", () => 1);\n',
  "test/user.test.ts": 'test("d", () => 1);\n',
  "test/support/mail.ts": "export const mail = 1;\n",
};

function makeShop(files: Record<string, string> = SHOP): GitFolder {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder;
}

function choose(root: string, ref?: string, failed = new Map<string, string>()): Promise<ChosenTests> {
  const { signal } = new AbortController();
  const opened = createTestIndex();
  onTestFinished(() => opened.dispose());
  const since = ref === undefined ? {} : { ref };
  const usingChanges = () => opened.index.testsByUse({ root, signal, ...since });
  return chooseTests({ root, scope: root, failed, usingChanges, signal, ...since });
}

function pathsOf({ chosen }: ChosenTests): string[] {
  return chosen.map(({ path }) => path);
}

function commit(folder: GitFolder, subject: string): void {
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", subject);
}

it("chooses nothing where nothing changed", async () => {
  expect(await choose(makeShop().root)).toMatchObject({ changedFiles: 0, chosen: [], testFiles: 4 });
});

it("chooses the test of a changed file by its name and import, and says so", async () => {
  const folder = makeShop();
  folder.write("src/cart.ts", "export function cartTotal(items) {\n  return items.length + 1;\n}\n");
  const found = await choose(folder.root);
  expect(found.chosen[0]).toMatchObject({
    path: "test/cart.test.ts",
    reasons: expect.arrayContaining([
      { kind: "name", file: "src/cart.ts" },
      { kind: "uses", name: "cartTotal" },
    ]),
  });
});

it("chooses a test by what changed together in history", async () => {
  const folder = makeShop();
  for (const rate of [2, 3, 4]) {
    folder.write("src/rate.ts", `export const RATE = ${rate};\n`);
    folder.write("test/user.test.ts", `test("d", () => ${rate});\n`);
    commit(folder, `rate ${rate}`);
  }
  folder.write("src/rate.ts", "export const RATE = 5;\n");
  const [first] = (await choose(folder.root)).chosen;
  expect(first).toMatchObject({ path: "test/user.test.ts" });
  expect(first?.reasons).toContainEqual({ kind: "history", file: "src/rate.ts", count: 3 });
});

it("follows a file that was moved in the history, and a change to what was changed with it", async () => {
  const folder = makeShop();
  const write = (path: string, [first, second]: readonly [number, number]): void =>
    folder.write(
      path,
      `export const base = () => {\n  return ${first};\n};\nexport const zone = () => {\n  return ${second};\n};\n`,
    );
  write("old/rate.ts", [1, 1]);
  commit(folder, "add");
  write("old/rate.ts", [2, 1]);
  folder.write("test/user.test.ts", 'test("d", () => 2);\n');
  commit(folder, "base");
  write("old/rate.ts", [2, 2]);
  folder.write("test/mail.test.ts", 'test("c", () => 2);\n');
  commit(folder, "zone");
  folder.git("rm", "-q", "src/rate.ts");
  folder.git("mv", "old/rate.ts", "src/rate.ts");
  commit(folder, "move");
  write("src/rate.ts", [3, 2]);
  expect(pathsOf(await choose(folder.root))[0]).toBe("test/user.test.ts");
  write("src/rate.ts", [2, 3]);
  expect(pathsOf(await choose(folder.root))[0]).toBe("test/mail.test.ts");
});

it("puts changed and new test files first, and adds tests that failed when they last ran", async () => {
  const folder = makeShop();
  folder.write("test/new.test.ts", 'test("e", () => 1);\n');
  folder.write("src/order.ts", "export function place(order) {\n  return [order];\n}\n");
  const found = await choose(folder.root, undefined, new Map([["test/mail.test.ts", "r1"]]));
  expect(pathsOf(found).slice(0, 2)).toEqual(["test/new.test.ts", "test/order.test.ts"]);
  expect(found.chosen.find(({ path }) => path === "test/mail.test.ts")?.reasons).toContainEqual({
    kind: "failed",
    run: "r1",
  });
});

it("chooses tests that use what changed through another definition", async () => {
  const folder = makeShop({
    ...SHOP,
    "lib/tax.ts": "export function tax(sum: number) {\n  return sum;\n}\n",
    "src/bill.ts":
      'import { tax } from "../lib/tax.ts";\nexport class Bill {\n  total(sum: number) {\n    return tax(sum);\n  }\n}\n',
    "test/user.test.ts":
      'import { Bill } from "../src/bill.ts";\ntest("d", () => { const bill = new Bill(); bill.total(1); });\n',
    "test/mail.test.ts": 'function total() {}\ntest("c", () => total());\n',
  });
  folder.write("lib/tax.ts", "export function tax(sum: number) {\n  return sum * 2;\n}\n");
  const { chosen } = await choose(folder.root);
  expect(chosen[0]?.path).toBe("test/user.test.ts");
  expect(chosen[0]?.reasons[0]).toEqual({
    kind: "uses",
    name: "tax",
    through: "total",
  });
  expect(chosen.flatMap(({ reasons }) => reasons).filter(({ kind }) => kind === "uses")).toHaveLength(1);
});

it("compares with the point where a branch was left, with commits and edits", async () => {
  const folder = makeShop();
  folder.git("branch", "base");
  folder.write("src/cart.ts", "export function cartTotal() {\n  return 0;\n}\n");
  commit(folder, "cart");
  expect((await choose(folder.root)).changedFiles).toBe(0);
  const found = await choose(folder.root, "base");
  expect([found.changedFiles, pathsOf(found)[0]]).toEqual([1, "test/cart.test.ts"]);
  await expect(choose(folder.root, "nosuch")).rejects.toMatchObject({ code: "ref_not_found" });
});

it("works in a shallow clone, and says that it needs a commit elsewhere", async () => {
  const folder = makeShop();
  folder.write("src/order.ts", "export const later = 1;\n");
  commit(folder, "later");
  const clone = makeFolder({});
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${folder.root}`, clone]);
  const shallow = { path: clone };
  execFileSync("sh", ["-c", "echo 'export const RATE = 2;' > src/cart.ts"], { cwd: shallow.path });
  expect(pathsOf(await choose(shallow.path))[0]).toBe("test/cart.test.ts");
  const before = choose(shallow.path, "HEAD~1");
  await expect(before).rejects.toThrow(/^What is before \w+ was not fetched: a shallow clone/);
  await expect(choose(makeFolder({ "a.ts": "1" }))).rejects.toMatchObject({ code: "invalid_input" });
});

it("chooses tests of the folder that was asked for, also inside a larger repository", async () => {
  const inner = Object.fromEntries(
    Object.entries(SHOP).map(([path, text]) => [`packages/shop/${path}`, text]),
  );
  const folder = makeShop({ ...inner, "packages/other/cart.test.ts": 'test("z", () => 1);\n' });
  folder.write("packages/shop/src/cart.ts", "export function cartTotal() {\n  return 9;\n}\n");
  const root = `${folder.root}/packages/shop`;
  const found = await choose(root);
  expect([found.testFiles, pathsOf(found)[0]]).toEqual([4, "test/cart.test.ts"]);
});

it("chooses files of Rust whose own tests use what changed, and leaves out others", async () => {
  const tests = (name: string): string =>
    `#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn works() {\n        assert_eq!(${name}(2), 4);\n    }\n}\n`;
  const folder = makeShop({
    "Cargo.toml": "[package]\nname = 'shop'\n",
    "src/lib.rs": "pub mod cart;\npub mod order;\npub mod price;\npub mod user;\n",
    "src/price.rs": "pub fn price(value: i32) -> i32 {\n    value * 2\n}\n",
    "src/cart.rs": `use crate::price::price;\npub fn cart(value: i32) -> i32 {\n    price(value)\n}\n${tests("cart")}`,
    "src/order.rs": `pub fn order(value: i32) -> i32 {\n    value * 2\n}\n${tests("order")}`,
    "src/user.rs": "use crate::price::price;\npub fn user(value: i32) -> i32 {\n    price(value)\n}\n",
  });
  folder.write("src/price.rs", "pub fn price(value: i32) -> i32 {\n    value * 3\n}\n");
  const found = await choose(folder.root);
  expect(pathsOf(found)).toEqual(["src/cart.rs"]);
  expect(found.chosen[0]?.reasons[0]).toEqual({ kind: "uses", name: "price", through: "cart" });
});

it("chooses no test file that was deleted or renamed, staged or not", async () => {
  const folder = makeShop();
  const text = SHOP["test/user.test.ts"] ?? "";
  folder.remove("test/user.test.ts");
  expect(await choose(folder.root)).toMatchObject({ chosen: [], testFiles: 3 });
  folder.write("test/person.test.ts", text);
  expect(pathsOf(await choose(folder.root))).toEqual(["test/person.test.ts"]);
  folder.git("add", "-A");
  expect(pathsOf(await choose(folder.root))).toEqual(["test/person.test.ts"]);
});

it("names changed files on which every test may depend", async () => {
  const folder = makeShop({ ...SHOP, "package.json": "{}\n", "README.md": "# Shop\n" });
  folder.write("README.md", "# The shop\n");
  expect(await choose(folder.root)).toMatchObject({ chosen: [], shared: [] });
  folder.write("package.json", '{ "type": "module" }\n');
  folder.write("package-lock.json", "{}\n");
  expect((await choose(folder.root)).shared).toEqual(["package.json", "package-lock.json"]);
});

it("chooses a changed file that contains its own tests", async () => {
  const folder = makeShop({
    "Cargo.toml": "[package]\n",
    "src/cart.rs": "pub fn total() -> u8 { 1 }\n#[cfg(test)]\nmod tests {}\n",
    "src/plain.rs": "pub fn plain() {}\n",
    "tests/shop.rs": "#[test]\nfn works() {}\n",
  });
  folder.write("src/plain.rs", "pub fn plain() -> u8 { 2 }\n");
  expect(pathsOf(await choose(folder.root))).not.toContain("src/plain.rs");
  folder.write("src/cart.rs", "pub fn total() -> u8 { 2 }\n#[cfg(test)]\nmod tests {}\n");
  const found = await choose(folder.root);
  expect(found.chosen[0]).toEqual({ path: "src/cart.rs", reasons: [{ kind: "changed" }] });
  expect(found.testFiles).toBe(2);
});
