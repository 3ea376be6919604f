import { describe, expect, it } from "vitest";
import { overviewQuestion } from "../../src/index/overview/overview-question.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { makeFolder } from "../support/folder.ts";
import { serve } from "../support/tool-calls.ts";

const FILES = {
  "package.json": '{"name":"shop","bin":{"shop":"dist/cli.js"}}',
  "src/cli.ts": 'import { Cart } from "./cart/cart";\nexport function run() {\n  return new Cart();\n}\n',
  "src/cart/cart.ts":
    'import { money } from "../kernel/money";\nimport { tax } from "./tax";\nexport class Cart {\n  total() {\n    return money(tax());\n  }\n}\n',
  "src/cart/tax.ts":
    'import { money } from "../kernel/money";\nexport function tax() {\n  return money(1);\n}\n',
  "src/kernel/money.ts": "export function money(cents: number) {\n  return cents;\n}\nfunction secret() {}\n",
  "src/mail/mail.ts": 'import { money } from "../kernel/money";\nexport const send = () => money(3);\n',
  "test/cart.test.ts": 'import { Cart } from "../src/cart/cart";\nit("works", () => new Cart());\n',
  "docs/guide.md": "# Guide\n",
};

describe("the map of a repository", () => {
  it("names areas, entry points and what is used most, with their weights", async () => {
    const { text } = await serve(makeFolder(FILES))("get_file_outline", {});
    const lines = text.split("\n");
    expect(lines[0]).toBe(". 8 files, 25 lines: TypeScript 100 %");
    expect(lines[1]).toBe("Areas (share of uses outside tests, files; most used definitions)");
    // Three files use money, one uses tax, one Cart; the test counts nowhere.
    expect(text).toMatch(/^ src\/ 100 % 5$/m);
    expect(text).toMatch(/^   kernel\/ 60 % 1: money$/m);
    expect(text).toMatch(/^   cart\/ 40 % 2: (?:Cart, tax|tax, Cart)$/m);
    expect(text).toMatch(/^ test\/ 0 % 1 \(tests\)$/m);
    expect(text).toContain(" no code: docs/ 1");
    expect(text).toContain("Entry points\n src/cli.ts (bin shop in package.json)");
    const used = lines.slice(
      lines.indexOf("Most used (share of uses; files that use a definition; tests not counted)") + 1,
    );
    expect(used[0]).toBe(" src/kernel/money.ts 60 %");
    expect(used[1]).toBe("  1 export function money(cents: number) (3 files)");
    expect(text).not.toContain("secret");
  });

  it("counts modules that others import as one value or under another name", async () => {
    const { text } = await serve(
      makeFolder({
        "lib/app.js":
          'const context = require("./context");\nconst Thing = require("./store");\nnew Thing(context);\n',
        "lib/context.js": "const proto = module.exports = { inspect() {} };\n",
        "lib/store.js": "module.exports = class Store {};\n",
        "lib/unused.js": "exports.unused = () => {};\n",
      }),
    )("get_file_outline", {});
    expect(text).toContain("lib/context.js 50 %");
    expect(text).toContain("lib/store.js 50 %");
    expect(text).not.toContain("lib/unused.js");
  });

  it("counts the functions of Ruby's modules", async () => {
    const { text } = await serve(
      makeFolder({
        "lib/tax.rb": "module Tax\n  def self.rate(country)\n    0.19\n  end\nend\n",
        "lib/cart.rb": 'require_relative "tax"\n\nclass Cart\n  def total\n    Tax.rate("de")\n  end\nend\n',
      }),
    )("get_file_outline", {});
    expect(text).toContain(" lib/tax.rb 100 %\n  2 def self.rate(country) (1 file)");
  });

  it("lists files that are hardly used only if there are few, and counts the languages that it does not name", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [
        [`src/thing${at}.ts`, `export function makeThing${at}() {}\n`],
        [`src/user${at}.ts`, `import { makeThing${at} } from "./thing${at}";\nmakeThing${at}();\n`],
      ]).flat(),
    );
    const others = ["py", "rb", "go", "php", "c"].map((ending) => [`other.${ending}`, "x\n".repeat(30)]);
    const { text } = await serve(makeFolder({ ...many, ...Object.fromEntries(others) }))(
      "get_file_outline",
      {},
    );
    expect(text.split("\n")[0]).toMatch(/: TypeScript \d+ %, .*, 2 more$/);
    expect(text.match(/thing\d+\.ts <1 %/g)).toHaveLength(12);
    expect(text).toMatch(/… 138 less used files left out: ask for one folder$/);
  });

  it("counts what names refer to, not what they are called, and shows code in no folder as an area", async () => {
    const handler = (name: string): string =>
      `package web\n\nimport "net/http"\n\nfunc ${name}(w http.ResponseWriter) { write(w) }\n`;
    const { text } = await serve(
      makeFolder({
        "go.mod": "module example.com/web\n",
        "response.go": "package web\n\ntype ResponseWriter interface{}\n",
        "write.go": "package web\n\nfunc write(w any) {}\n",
        "a.go": handler("ServeA"),
        "b.go": handler("ServeB"),
        "own.go": "package web\n\nfunc own(w ResponseWriter) { write(w) }\n",
        "ci/gen.go": "package main\n\nfunc main() {}\n",
        "cmd/web/main.go": 'package main\n\nimport "example.com/web"\n\nfunc main() { web.ServeA(nil) }\n',
      }),
    )("get_file_outline", {});
    expect(text).toMatch(/^ \.\/ \d+ % 5: write/m);
    expect(text).toContain("func write(w any) (3 files)");
    expect(text).toContain("type ResponseWriter interface (1 file)");
    expect(text).toContain("Entry points\n cmd/web/main.go:5 (main)\n ci/gen.go:3 (main)");
  });

  it("names the definitions of a folder beside those of the folders inside of it", async () => {
    const files: Record<string, string> = {
      "lib/app/main.ts": 'import { one } from "./core/src/one.ts";\none();\n',
    };
    for (const name of ["one", "two", "three"])
      files[`lib/app/core/src/${name}.ts`] = `export const ${name} = () => 1;\n`;
    files["lib/app/core/src/deep/four.ts"] = 'import { two } from "../two.ts";\nexport const four = two;\n';
    files["lib/app/core/src/five.ts"] = 'import { four } from "./deep/four.ts";\nexport const five = four;\n';
    files["lib/app/core/README.md"] = "# core\n";
    const { text } = await serve(makeFolder(files))("get_file_outline", {});
    expect(text).toContain("\n lib/app/ 100 % 7: one, two\n   core/src/deep/ 33 % 1: four\n");
  });

  it("says the same in JSON and Markdown", async () => {
    const ask = serve(makeFolder(FILES));
    const json: unknown = JSON.parse((await ask("get_file_outline", { response_format: "json" })).text);
    expect(json).toMatchObject({
      path: ".",
      files: 8,
      entry_points: [{ path: "src/cli.ts", why: "bin shop in package.json" }],
      most_used: [
        { path: "src/kernel/money.ts", definitions: [{ name: "money", line: 1, users: 3 }] },
        {},
        {},
      ],
    });
    const { text } = await ask("get_file_outline", { path: ".", response_format: "markdown" });
    expect(text).toContain("# . 8 files");
    expect(text).toContain("## Entry points\n- src/cli.ts (bin shop in package.json)");
  });

  it("shows a folder with what it uses and what uses it, and fits itself to a question", async () => {
    const ask = serve(makeFolder(FILES));
    const { text } = await ask("get_file_outline", { path: "src/cart" });
    expect(text).toContain("src/cart 2 files");
    expect(text).toContain("uses src/kernel 100 %");
    expect(text).toContain("used by src 100 %");
    expect(text).toContain(" src/cart/cart.ts");
    expect(text).not.toContain(" src/kernel/money.ts");
    const weightOfMail = async (args: object): Promise<number> => {
      const map = JSON.parse((await ask("get_file_outline", { ...args, response_format: "json" })).text) as {
        areas: { path: string; weight: number }[];
      };
      return map.areas.find(({ path }) => path === "src/mail")?.weight ?? 0;
    };
    const plain = await weightOfMail({});
    expect(await weightOfMail({ context_focus_question: "send a mail" })).toBeGreaterThan(plain * 1.5);
  });

  it("shows no shares where only tests use something", async () => {
    const files = { "src/a.ts": "export const one = 1;\n", "test/unit/a.test.ts": "it('x');\n" };
    const { text } = await serve(makeFolder({ ...files, "test/b.test.ts": "it('y');\n" }))(
      "get_file_outline",
      {
        path: "test",
      },
    );
    expect(text).toContain(
      "Areas (files; nothing outside tests uses them)\n test/ 1 (tests)\n test/unit/ 1 (tests)",
    );
  });

  it("follows an edit at once, and any ref", async () => {
    const folder = temporaryRepository(FILES);
    const ask = serve(folder.root);
    await ask("get_file_outline", {});
    folder.write("src/mail/mail.ts", "export const send = () => 3;\n");
    expect((await ask("get_file_outline", {})).text).toContain("money(cents: number) (2 files)");
    expect((await ask("get_file_outline", { ref: "HEAD" })).text).toContain("money(cents: number) (3 files)");
    folder.remove("src/cart");
    expect((await ask("get_file_outline", { path: "src/cart", ref: "HEAD" })).text).toContain(
      "src/cart 2 files",
    );
    expect((await ask("get_file_outline", { path: "src/cart" })).error?.code).toBe("file_not_found");
    folder.dispose();
  });

  it("counts the entry points and used files that a map never lists", async () => {
    const files: Record<string, string> = { "all.py": "" };
    for (let i = 0; i < 70; i++) {
      files[`lib/part_${i}.py`] = `def function_of_part_${i}():\n    pass\n`;
      files["all.py"] += `from lib.part_${i} import function_of_part_${i}\nfunction_of_part_${i}()\n`;
    }
    for (let i = 0; i < 15; i++) files[`cmd/c${i}/main.go`] = "package main\n\nfunc main() {}\n";
    const ask = serve(makeFolder(files));
    const { text } = await ask("get_file_outline", { max_tokens: 9_000 });
    expect(text).toContain("… 3 entry points, 10 less used files left out: ");
    const json: unknown = JSON.parse(
      (await ask("get_file_outline", { max_tokens: 9_000, response_format: "json" })).text,
    );
    expect(json).toMatchObject({ entry_points_left_out: 3, files_left_out: 10 });
  });

  it("is what a search for an overview leads to, and no other search", async () => {
    const ask = serve(makeFolder(FILES));
    for (const query of ["overview", "overview of src", "repo map", "give me an overview of this codebase"])
      expect((await ask("search_code", { query })).text, query).toContain("Areas (share of uses");
    expect((await ask("search_code", { query: "overview of taxes" })).text).not.toContain("Areas (share");
    const map = await ask("get_file_outline", { max_tokens: 150 });
    expect(map.text).toMatch(/left out: raise max_tokens, or ask for one folder$/);
    expect((await serve(makeFolder())("get_file_outline", {})).error?.code).toBe("file_not_found");
  });

  it("covers an installed dependency", async () => {
    const files = Object.fromEntries(
      Object.entries(FILES).map(([path, text]) => [`node_modules/shop/${path}`, text]),
    );
    const { text } = await serve(makeFolder(files))("get_file_outline", { path: "dep:shop" });
    expect(text).toContain("dep:shop 8 files");
    expect(text).toContain("dep:shop/src/kernel/money.ts");
  });
});

describe("a question about the whole", () => {
  it.each([
    "overview",
    "Overview?",
    "an overview of the repository",
    "project structure",
    "show me the repo map",
    "could you please give me an overview of the repository?",
    "architecture of this project",
    "how is this codebase organized?",
    "what's in this repo",
  ])("is seen in %j", (text) => {
    expect(overviewQuestion(text)).toEqual({});
  });

  it.each([
    "overview page component",
    "structure of the AST node",
    "map",
    "project settings",
    "code map function",
    "how is the cart organized",
    "architecture decision records",
    "what is in this list",
  ])("is not seen in %j", (text) => {
    expect(overviewQuestion(text)).toBeUndefined();
  });
});
