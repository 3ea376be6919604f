import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { relatedPlaces } from "./related-places.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

/** Returns a function that lists the places of a name in these files. */
function project(files: Readonly<Record<string, string>>) {
  const root = makeFolder(files);
  return async (name: string, more: object = {}): Promise<string[]> =>
    (await relatedPlaces(test.index, root, name, more)).places;
}

describe("relations in PHP", () => {
  it("follow namespaces, aliases, groups, traits and global functions", async () => {
    const related = project({
      "src/Models/User.php":
        "<?php\nnamespace App\\Models;\nclass User extends Base {\n  use HasName;\n  public static function find($id) { return new self($id); }\n  public function save() { $this->touch(); self::find(1); }\n}\nfunction helper() {}\n",
      "src/Models/Base.php": "<?php\nnamespace App\\Models;\nabstract class Base { function touch() {} }\n",
      "src/Models/HasName.php": "<?php\nnamespace App\\Models;\ntrait HasName { function label() {} }\n",
      "src/Http/Page.php":
        "<?php\nnamespace App\\Http;\nuse App\\Models\\User;\nuse App\\Models\\{Base as Root, HasName};\nuse function App\\Models\\helper;\nclass Page extends Root {\n  use HasName;\n  function show(User $user) { $user->save(); User::find(2); helper(); $this->touch(); $this->label(); }\n  function full() { return \\App\\Models\\User::find(3) ?? Models\\User::find(4); }\n}\n",
      "src/Http/User.php":
        "<?php\nnamespace App\\Http;\nclass User { function f() { return User::class; } }\n",
      "lib.php": "<?php\nfunction helper() {}\nhelper();\nnew \\App\\Models\\User(1);\n",
      "other.php": "<?php\nnamespace Other;\nuse Vendor\\User;\nhelper(); new User();\n",
    });
    expect(await related("User", { path: "src/Models" })).toMatchInlineSnapshot(`
      [
        "lib.php:4 -",
        "src/Http/Page.php:8 Page.show",
        "src/Http/Page.php:9 Page.full",
      ]
    `);
    expect(await related("User.find")).toMatchInlineSnapshot(`
      [
        "src/Http/Page.php:8 Page.show",
        "src/Http/Page.php:9 Page.full",
        "src/Models/User.php:6 User.save",
      ]
    `);
    expect(await related("User.save")).toMatchInlineSnapshot(`
      [
        "src/Http/Page.php:8? Page.show",
      ]
    `);
    expect(await related("Base.touch")).toMatchInlineSnapshot(`
      [
        "src/Http/Page.php:8 Page.show",
        "src/Models/User.php:6 User.save",
      ]
    `);
    expect(await related("HasName.label")).toMatchInlineSnapshot(`
      [
        "src/Http/Page.php:8 Page.show",
      ]
    `);
    expect(await related("helper", { path: "src" })).toMatchInlineSnapshot(`
      [
        "src/Http/Page.php:8 Page.show",
      ]
    `);
    expect(await related("helper", { path: "lib.php" })).toMatchInlineSnapshot(`
      [
        "lib.php:3 -",
        "other.php:4 -",
      ]
    `);
    expect(await related("Base", { relation: "implementations" })).toMatchInlineSnapshot(`
      [
        "src/Http/Page.php:6 Page",
        "src/Models/User.php:3 User",
      ]
    `);
  });

  it("tell a method from a property with the same name", async () => {
    const related = project({
      "Ftp.php":
        "<?php\nclass Ftp {\n  private $link;\n  private function link() { return $this->link; }\n  public function go(Ftp $other) {\n    $this->link()->close();\n    return $other->link();\n  }\n}\n",
    });
    expect(await related("Ftp.link", { kind: "method" })).toEqual(["Ftp.php:6 Ftp.go", "Ftp.php:7? Ftp.go"]);
    expect(await related("Ftp.link", { kind: "property" })).toEqual(["Ftp.php:4 Ftp.link"]);
  });
});

describe("relations in C#", () => {
  it("follow namespaces, using directives, partial classes, attributes and aliases", async () => {
    const related = project({
      "App/App.csproj": "<Project />\n",
      "App/Usings.cs": "global using Shop.Tools;\n",
      "App/Store.cs":
        "namespace Shop.Data;\npublic partial class Store : Base\n{\n    public void Put(int x) { Log(); this.Put(Limit); Start(); Outside(); }\n    public static Store Open() => new Store();\n}\n",
      "App/Store.Log.cs":
        "namespace Shop.Data\n{\n    public partial class Store { private const int Limit = 1; void Log() { } }\n    public class Base { protected void Start() { } }\n}\n",
      "App/Tools.cs":
        "namespace Shop.Tools { public class MarkAttribute : System.Attribute { } public static class Text { public static string Trim2(this string s) => s; } }\n",
      "App/User.cs":
        'using Shop.Data;\nusing S = Shop.Data.Store;\nnamespace Web\n{\n    [Mark]\n    class User\n    {\n        Store Store { get; set; }\n        void Go(Store s) { s.Put(1); Store.Open(); S.Open(); Shop.Data.Store.Open(); "a".Trim2(); Text.Trim2("b"); nameof(Store); }\n    }\n}\n',
      "App/Inner.cs": "namespace Shop.Data.Deep;\nclass Inner { Store s; void F(int Store) { } }\n",
      "App/Other.cs": "namespace Elsewhere;\nclass Other { Store s; }\nclass Store { }\n",
    });
    expect(await related("Store", { path: "App/Store.cs" })).toMatchInlineSnapshot(`
      [
        "App/Inner.cs:2 Inner.F",
        "App/Store.cs:5 Store.Open",
        "App/User.cs:8 User",
        "App/User.cs:9 User.Go",
      ]
    `);
    expect(await related("Store.Open")).toMatchInlineSnapshot(`
      [
        "App/User.cs:9 User.Go",
      ]
    `);
    expect(await related("Store.Log")).toMatchInlineSnapshot(`
      [
        "App/Store.cs:4 Store.Put",
      ]
    `);
    expect(await related("Base.Start")).toMatchInlineSnapshot(`
      [
        "App/Store.cs:4 Store.Put",
      ]
    `);
    expect(await related("Store.Put")).toMatchInlineSnapshot(`
      [
        "App/Store.cs:4 Store.Put",
        "App/User.cs:9? User.Go",
      ]
    `);
    expect(await related("MarkAttribute")).toMatchInlineSnapshot(`
      [
        "App/User.cs:5 -",
      ]
    `);
    expect(await related("Text.Trim2")).toMatchInlineSnapshot(`
      [
        "App/User.cs:9 User.Go",
      ]
    `);
  });
});

describe("relations in Ruby", () => {
  it("follow the nesting of constants, ancestors and singleton methods", async () => {
    const related = project({
      "lib/bank/account.rb":
        "module Bank\n  class Account < Base\n    include Store\n    LIMIT = 1\n    def open(size)\n      log(size)\n      keep\n      LIMIT\n      missing\n    end\n    def self.load(id)\n      new(id)\n    end\n    class << self\n      def reload\n        load(1)\n      end\n    end\n    def again\n      load(2)\n    end\n  end\nend\n",
      "lib/bank/base.rb":
        "module Bank\n  class Base\n    def log(text)\n      log = text\n      log\n    end\n  end\n  module Store\n    def keep; end\n  end\nend\n",
      "lib/bank/teller.rb":
        "require_relative 'account'\nmodule Bank\n  class Teller\n    def go(account)\n      Account.load(1).open(2)\n      ::Bank::Account::LIMIT\n      account.log 'x'\n      send(:keep)\n    end\n  end\nend\n",
      "app/other.rb":
        "class Other\n  Account = 1\n  def go\n    Account\n    Bank::Account.load(2)\n    helper\n  end\nend\ndef helper; end\nhelper\n",
      "app/account.rb": "class Account\nend\nAccount.new\n",
    });
    expect(await related("Account", { path: "lib" })).toMatchInlineSnapshot(`
      [
        "app/other.rb:5 Other.go",
        "lib/bank/teller.rb:5 Teller.go",
        "lib/bank/teller.rb:6 Teller.go",
      ]
    `);
    expect(await related("Account.load")).toMatchInlineSnapshot(`
      [
        "app/other.rb:5 Other.go",
        "lib/bank/account.rb:16 Account.reload",
        "lib/bank/account.rb:20? Account.again",
        "lib/bank/teller.rb:5 Teller.go",
      ]
    `);
    expect(await related("Account.LIMIT")).toMatchInlineSnapshot(`
      [
        "lib/bank/account.rb:8 Account.open",
        "lib/bank/teller.rb:6 Teller.go",
      ]
    `);
    expect(await related("Base.log")).toMatchInlineSnapshot(`
      [
        "lib/bank/account.rb:6 Account.open",
        "lib/bank/teller.rb:7? Teller.go",
      ]
    `);
    expect(await related("Store.keep")).toMatchInlineSnapshot(`
      [
        "lib/bank/account.rb:7 Account.open",
        "lib/bank/teller.rb:8? Teller.go",
      ]
    `);
    expect(await related("helper")).toMatchInlineSnapshot(`
      [
        "app/other.rb:6 Other.go",
        "app/other.rb:10 -",
      ]
    `);
    expect(await related("Account", { path: "app/account.rb" })).toMatchInlineSnapshot(`
      [
        "app/account.rb:3 -",
      ]
    `);
  });
});

describe("implementations in Ruby", () => {
  it("are the classes and modules that include a module, and their methods", async () => {
    const related = project({
      "a.rb":
        "module Priced\n  def price; end\nend\nmodule Shown\n  include Priced\nend\nclass Cart\n  include Shown\n  def price; 1; end\nend\nclass Big < Cart\nend\n",
    });
    expect(await related("Priced", { relation: "implementations" })).toEqual([
      "a.rb:4 Shown",
      "a.rb:7 Cart",
      "a.rb:11 Big",
    ]);
    expect(await related("Priced.price", { relation: "implementations" })).toEqual(["a.rb:9 Cart.price"]);
  });

  it("are also the classes that a call creates or extends", async () => {
    const related = project({
      "a.rb":
        "class Base; end\nmodule Help; end\nSub = Class.new(Base)\nOther = Class.new(Base) do\nend\nclass Deep < Sub; end\nBase.include(Help)\ndef make\n  run(Class.new(Base))\n  Other.prepend Help\nend\n",
    });
    expect(await related("Base", { relation: "implementations" })).toEqual([
      "a.rb:3 Sub",
      "a.rb:4 Other",
      "a.rb:6 Deep",
      "a.rb:9 anonymous in make",
    ]);
    expect(await related("Help", { relation: "implementations" })).toEqual([
      "a.rb:7 anonymous",
      "a.rb:10 anonymous in make",
    ]);
  });
});

describe("implementations in PHP", () => {
  it("are also classes without a name", async () => {
    const related = project({
      "a.php":
        "<?php\nnamespace App;\ninterface Shape {}\nclass Base {}\nfunction make() {\n  return new class(1) extends Base implements Shape {\n  };\n}\n",
    });
    expect(await related("Base", { relation: "implementations" })).toEqual(["a.php:6 anonymous in make"]);
    expect(await related("Shape", { relation: "implementations" })).toEqual(["a.php:6 anonymous in make"]);
  });
});

it("finds uses of a module that very many files open", async () => {
  const opened = (name: string): string =>
    `module Shop\n  module Cart\n    module Item\n      class ${name}\n        def total; end\n      end\n    end\n  end\nend\n`;
  const files = Array.from({ length: 70 }, (_, at) => [`lib/part${at}.rb`, opened(`Part${at}`)] as const);
  const related = project({
    ...Object.fromEntries(files),
    "spec/part_spec.rb": "describe Shop::Cart::Item::Part7 do\n  Shop::Cart::Item::Part7.new\nend\n",
  });
  expect(await related("Part7")).toEqual([
    'spec/part_spec.rb:1 "Shop::Cart::Item::Part7"',
    'spec/part_spec.rb:2 "Shop::Cart::Item::Part7"',
  ]);
});
