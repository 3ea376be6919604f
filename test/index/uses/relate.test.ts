import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Relation } from "../../../src/model/relation.ts";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { temporaryRepository } from "../../support/git-folder.ts";
import { relatedPlaces } from "./related-places.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

const related = (root: string, name: string, relation: Relation = "uses", more: object = {}) =>
  relatedPlaces(test.index, root, name, { relation, ...more });

describe("relations in TypeScript", () => {
  const files = {
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], } } } // comment',
    "package.json": '{ "name": "root", "workspaces": ["packages/*"] }',
    "packages/core/package.json": '{ "name": "@x/core", "exports": { ".": "./dist/index.js" } }',
    "packages/core/src/index.ts": 'export * from "./save.ts";\nexport { save as store } from "./save.ts";\n',
    "packages/core/src/save.ts":
      "export function save(a: number) { return a; }\nexport default class Store { put() { return this.put; } }\n",
    "lib/other.ts": "export function save() {}\n",
    "app/a.ts": 'import { save } from "@x/core";\nexport const run = () => save(1);\n',
    "app/b.ts": 'import { store } from "../packages/core/src/index";\nfunction go() { store(2); }\n',
    "app/c.ts": 'import * as core from "@x/core";\ncore.save(3);\ncore.other.save();\n',
    "app/d.ts": 'import Thing from "../packages/core/src/save.js";\nnew Thing().put();\n',
    "app/e.ts": 'import { save } from "@lib/other";\nsave();\n',
    "app/f.ts": 'import { save } from "./nowhere";\nsave();\n',
    "app/g.ts": 'import { save } from "@x/core";\nfunction own(save: () => void) { save(); }\nsave(4);\n',
    "app/h.test.ts":
      'import { save } from "@x/core";\nit("saves a number", () => { expect(save(5)).toBe(5); });\n',
    "app/i.ts": 'import { save } from "lodash";\nsave(6);\n',
    "app/j.ts":
      "class Child extends Base { put() {} }\nclass Base { put() {} }\nconst f = (thing) => thing.put();\n",
  };

  it("follows imports, aliases, re-exports and workspace packages, and nothing else", async () => {
    const root = makeFolder(files);
    const found = await related(root, "save", "uses", { path: "packages" });
    expect(found.places).toEqual([
      "app/a.ts:2 run",
      "app/b.ts:2 go",
      "app/c.ts:2 -",
      "app/g.ts:3 -",
      "packages/core/src/index.ts:2 -",
      'app/h.test.ts:2 "saves a number"',
    ]);
    expect(found.unresolved).toBe(2);
    expect((await related(root, "save", "uses", { path: "lib" })).places).toEqual(["app/e.ts:2 -"]);
    expect((await related(root, "save", "tests", { path: "packages" })).places).toEqual([
      'app/h.test.ts:2 "saves a number"',
    ]);
    expect((await related(root, "Store", "callers")).places).toEqual(["app/d.ts:2 -"]);
  });

  it("takes a folder with a package.json for the file that it names", async () => {
    const root = makeFolder({
      "package.json": '{ "name": "app", "main": "lib/app.js" }',
      "lib/app.js": "module.exports = class App { start() {} };\n",
      "test/deep/app.test.js": 'const App = require("../..");\nit("starts", () => { new App().start(); });\n',
      "index.js": "module.exports = class Other {};\n",
    });
    expect((await related(root, "start", "tests")).places).toEqual(['test/deep/app.test.js:2 "starts"']);
    expect((await related(root, "Other")).places).toEqual([]);
  });

  it("tells the headers of types from other places where a type extends another", async () => {
    const root = makeFolder({
      "core.ts": "export class Gamma<T> {}\nexport abstract class Abs { abstract hook(): void }\n",
      "use.ts": [
        'import { Abs, Gamma } from "./core"; import * as core from "./core";',
        "type Cond<T> = T extends Gamma<infer U> ? U : never;",
        "type Some<T extends Abs = Abs> = T;",
        "class K<T extends Abs> extends Gamma<T> {}",
        "interface Two extends Abs, Gamma<1> {}",
        "class Three implements Two, Abs { hook() {} }",
        "const made = (B: unknown) => class extends Abs { hook() {} };",
        "function f<T extends Gamma<1>>(t: T) {}",
        "class Path extends core.Gamma<1> {}",
      ].join("\n"),
    });
    expect((await related(root, "Gamma", "implementations")).places).toEqual([
      "use.ts:4 K",
      "use.ts:5 Two",
      "use.ts:6 Three",
      "use.ts:9 Path",
    ]);
    expect((await related(root, "Abs", "implementations")).places).toEqual([
      "use.ts:5 Two",
      "use.ts:6 Three",
      "use.ts:7 anonymous in hook",
    ]);
  });

  it("takes the file of Node.js, not that of another platform, for a folder and a package", async () => {
    const root = makeFolder({
      "package.json":
        '{ "name": "app", "main": "index.js", "exports": { ".": { "browser": "./browser.js", "import": "./wrapper.mjs", "require": "./index.js" } } }',
      "index.js": 'const App = require("./lib/app");\nmodule.exports = App;\n',
      "lib/app.js": "class App {}\nmodule.exports = App;\n",
      "browser.js": 'module.exports = function () { throw new Error("not here"); };\n',
      "wrapper.mjs": 'import App from "./lib/app.js";\nexport { App };\nexport default App;\n',
      "test/folder.js": 'const App = require("..");\nnew App();\n',
      "test/package.mjs": 'import App from "app";\nnew App();\n',
    });
    expect((await related(root, "App", "uses", { path: "lib" })).places).toEqual(
      expect.arrayContaining(["test/folder.js:2 -", "test/package.mjs:2 -"]),
    );
  });

  it("takes the file that a package has for the way in which a file loads it", async () => {
    const root = makeFolder({
      "package.json":
        '{ "name": "app", "type": "module", "exports": { ".": { "types": { "require": "./app.d.cts", "default": "./app.d.ts" }, "require": "./app.cjs", "default": "./app.js" } } }',
      "app.d.cts": "export declare class App { a: 1 }\n",
      "app.d.ts": "export declare class App { b: 2 }\n",
      "app.js": "export class App {}\n",
      "app.cjs": "exports.App = class App {};\n",
      "test/one.js": 'import { App } from "app";\nnew App();\n',
      "test/two.cjs": 'const { App } = require("app");\nnew App();\n',
      "test/four.ts": 'import app = require("app");\nnew app.App();\n',
      "old/package.json": "{}",
      "old/three.js": 'const { App } = require("app");\nnew App();\n',
    });
    expect((await related(root, "App", "uses", { path: "app.d.ts" })).places).toEqual(["test/one.js:2 -"]);
    expect((await related(root, "App", "uses", { path: "app.d.cts" })).places).toEqual([
      "old/three.js:2 -",
      "test/four.ts:2 -",
      "test/two.cjs:2 -",
    ]);
  });

  it("knows global declarations, and that a declaration file describes the file of JavaScript beside it", async () => {
    const root = makeFolder({
      "types/global.d.ts":
        "declare const __DEV__: boolean;\ndeclare module '*.vue' {\n  export default {};\n}\n",
      "types/module.d.ts": "export declare const __OTHER__: boolean;\n",
      "lib/send.js": "exports.send = send;\nfunction send() {}\n",
      "lib/send.d.ts": "export interface Options {}\nexport function send(options: Options): void;\n",
      "a.ts":
        'import { send, type Options } from "./lib/send.js";\nif (__DEV__ && __OTHER__) send({} as Options);\n',
    });
    expect((await related(root, "__DEV__")).places).toEqual(["a.ts:2 -"]);
    expect((await related(root, "__OTHER__")).places).toEqual([]);
    expect((await related(root, "Options")).places).toEqual(["a.ts:2 -", "lib/send.d.ts:2 send"]);
    expect((await related(root, "send", "callers", { path: "lib/send.js" })).places).toEqual(["a.ts:2 -"]);
  });

  it("says of members only what the class proves", async () => {
    const root = makeFolder(files);
    const found = await related(root, "Store.put");
    expect(found.places).toContain("packages/core/src/save.ts:2 Store.put");
    expect(found.places).toContain("app/d.ts:2 -");
    expect(found.places).toContain("app/j.ts:3? f");
    expect((await related(root, "Base", "implementations")).places).toEqual(["app/j.ts:1 Child"]);
    expect((await related(root, "run", "callees")).places).toEqual(["packages/core/src/save.ts:1 save"]);
  });

  it("sees an edit at once", async () => {
    const root = makeFolder(files);
    await related(root, "save");
    writeFileSync(join(root, "app/new.ts"), 'import { save } from "@x/core";\n\nsave(9);\n');
    writeFileSync(join(root, "app/a.ts"), "export const run = 1;\n");
    const { places } = await related(root, "save", "callers", { path: "packages" });
    expect(places).toContain("app/new.ts:3 -");
    expect(places.join()).not.toContain("app/a.ts");
  });
});

describe("relations in Python", () => {
  it("follows packages, relative imports, star imports and submodules", async () => {
    const root = makeFolder({
      "src/pkg/__init__.py": "from .core import load as loader\nfrom .star import *\n",
      "src/pkg/core.py":
        "def load(x):\n    return x\n\nclass Base:\n    def run(self):\n        return self.run\n",
      "src/pkg/star.py": "def shine():\n    pass\n",
      "src/pkg/sub/deep.py":
        "from ..core import Base, load\n\nclass Child(Base):\n    def go(self):\n        self.run()\n        return load(1)\n",
      "tests/test_it.py":
        "import pkg.core\nfrom pkg import loader, shine\n\ndef test_it():\n    pkg.core.load(2)\n    loader(3)\n    shine()\n    (lambda thing: thing.run())(1)\n",
      "other/core.py": "def load():\n    load2()\n",
    });
    expect((await related(root, "load", "uses", { path: "src" })).places).toEqual([
      "src/pkg/sub/deep.py:6 Child.go",
      "tests/test_it.py:5 test_it",
      "tests/test_it.py:6 test_it",
    ]);
    expect((await related(root, "shine", "callers")).places).toEqual(["tests/test_it.py:7 test_it"]);
    expect((await related(root, "Base.run")).places).toEqual([
      "src/pkg/core.py:6 Base.run",
      "src/pkg/sub/deep.py:5 Child.go",
      "tests/test_it.py:8? test_it",
    ]);
    expect((await related(root, "Base", "implementations")).places).toEqual(["src/pkg/sub/deep.py:3 Child"]);
  });

  it("looks up the base of a class in a method outside of that class", async () => {
    const root = makeFolder({
      "tests/test_spy.py":
        "class Base:\n    pass\n\nclass TestSpy:\n    Spied = Base\n\n    def test_it(self):\n        class Spy(self.Spied):\n            def run(self):\n                return self.Spied\n",
    });
    expect((await related(root, "TestSpy.Spied")).places).toEqual([
      "tests/test_spy.py:8 Spy",
      "tests/test_spy.py:10? Spy.run",
    ]);
  });
});

describe("relations in languages without rules", () => {
  it("says that uses are found by name only", async () => {
    const root = makeFolder({ "a.lua": "function draw() end\n", "b.lua": "draw()\n" });
    const found = await related(root, "draw");
    expect(found.places).toEqual(["b.lua:1? -"]);
    expect(found.isByName).toBe(true);
  });
});

describe("relations of a repository that changes", () => {
  it("are those of the files as they are, after an edit, a rename, a checkout, and of another ref or worktree", async () => {
    const folder = temporaryRepository({
      "src/save.ts": "export function save() {}\n",
      "src/a.ts": 'import { save } from "./save";\nsave();\n',
    });
    const { root } = folder;
    const places = async (more: object = {}) => (await related(root, "save", "callers", more)).places;
    expect(await places()).toEqual(["src/a.ts:2 -"]);
    folder.write("src/a.ts", 'import { save } from "./save";\n\n\nsave();\n');
    expect(await places()).toEqual(["src/a.ts:4 -"]);
    expect(await places({ ref: "HEAD" })).toEqual(["src/a.ts:2 -"]);
    folder.write("src/a.ts", 'import { save } from "./store";\nsave();\n');
    expect(await places()).toEqual([]);
    folder.git("mv", "src/save.ts", "src/store.ts");
    expect(await places()).toEqual(["src/a.ts:2 -"]);
    folder.git("add", "-A");
    folder.git("commit", "-q", "-m", "second");
    folder.git("worktree", "add", "-q", "tree", "HEAD~1");
    writeFileSync(join(root, "tree/src/a.ts"), 'import { save } from "./save";\n\nsave();\n');
    expect(await places({ root: join(root, "tree") })).toEqual(["src/a.ts:3 -"]);
    folder.git("worktree", "remove", "--force", "tree");
    folder.git("checkout", "-q", "--detach", "HEAD~1");
    expect(await places()).toEqual(["src/a.ts:2 -"]);
    expect((await related(root, "save", "callers")).definitions[0]?.path).toBe("src/save.ts");
    folder.dispose();
  });
});

it("finds uses in lines that are longer than those people write", async () => {
  const names = Array.from({ length: 300 }, (_, i) => `thingNumber${i}`);
  const root = makeFolder({
    "a.ts": names.map((name, i) => `export const ${name} = ${i};\n`).join(""),
    "b.ts": `import { ${names.join(", ")} } from "./a";\n${"// x\n".repeat(40)}use(${names.join(", ")});\n`,
  });
  expect((await related(root, "thingNumber299")).places).toEqual(["b.ts:42 -"]);
});

it("counts the lines with a name for which no place is found, and names a qualifier that nothing fits", async () => {
  const root = makeFolder({
    "a.py": "class Store:\n    def save(self): pass\n    def gone(self): pass\n",
    "b.py": "# save is called by name\nHOOKS = {'save': 1}\n",
  });
  const none = await related(root, "save", "callers");
  expect([none.places, none.occurrences]).toEqual([[], { lines: 3, files: 2, pattern: "\\bsave\\b" }]);
  expect((await related(root, "gone")).occurrences).toBeUndefined();
  expect((await related(root, "Store.save")).isElsewhere).toBeUndefined();
  expect((await related(root, "Shop.save")).isElsewhere).toBe(true);
});

it("counts the definitions in tests and of fields that a plain name less likely means", async () => {
  const root = makeFolder({
    "src/a.py": "def client():\n    return 1\n\nclient()\n",
    "tests/test_a.py": "def client():\n    return 2\n\nclient()\n",
  });
  const found = await related(root, "client");
  expect([found.places, found.unsearchedDefinitions]).toEqual([["src/a.py:4 -"], 1]);
  expect((await related(root, "client", "uses", { path: "tests" })).unsearchedDefinitions).toBeUndefined();
});
