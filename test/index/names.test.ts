import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../support/code-index.ts";
import { temporaryRepository } from "../support/git-folder.ts";

const test = createTestIndex();
const folder = temporaryRepository({
  "src/channel.ts": [
    "export class Channel {",
    "  close(): void {",
    "    this.done = true;",
    "  }",
    "  done = false;",
    "}",
    "",
  ].join("\n"),
  "src/aside.ts": [
    "export function openAside(): unknown {",
    "  function close(): void {",
    "    console.log(1);",
    "    console.log(2);",
    "  }",
    "  return close;",
    "}",
    "export function sift(list: number[]): number[] {",
    "  return list;",
    "}",
    "",
  ].join("\n"),
  "test/channel.test.ts":
    "export class Channel {\n  close(): void {}\n}\nexport function makePair(): void {}\n",
  "lib/ring.h": "int ring_push(int value);\nstruct ring {\n  int ring_size;\n};\n",
  "lib/ring.c": '#include "ring.h"\nint ring_push(int value) {\n  return value;\n}\n',
  "lib/queue.rb":
    "module Jobs\n  class Queue\n    def empty?\n      @list.empty?\n    end\n  end\nend\nmodule Mail\n  class Queue\n    def empty?\n      true\n    end\n  end\nend\n",
  "conf/api.yaml": "gadget:\n  ring_push: 1\n",
  "src/parts.go": "package parts\n\ntype Gadget struct {\n\tname string\n}\n",
  "lib/patch.js": "export default (host) => {\n  host.render = function () {\n    return 1;\n  };\n};\n",
  "lib/view.js": "export class View {\n  render() {\n    return 2;\n  }\n}\n",
  "lib/use.js": 'import { View } from "./view.js";\nnew View().render();\n',
  "org/a/java/Maker.java": "package org.a.java;\npublic class Maker {\n  void make() {}\n}\n",
  "lib/Json.cs": "namespace Acme.Json.Linq\n{\n    class Node { }\n}\n",
  "My App/main.py": "def launch_app(name):\n    return name\n",
  "crate/src/lib.rs": "mod token;\nmod reply;\n",
  "crate/src/token.rs": "pub struct Token {\n    kind: u8,\n}\n",
  "crate/src/reply.rs":
    "pub struct Reply {}\nimpl Reply {\n    pub fn json(&self) -> u8 {\n        1\n    }\n}\n",
  "lib/scale.rb": "module Weights\n  class Scale\n    def weigh; end\n  end\nend\n",
  "lib/kitchen.rb": "class Kitchen\n  attr_reader :scale\nend\n",
  "lib/ladder.rb": "class Ladder\n  def up; end\nend\n",
  "lib/climb.rb": "def ladder\n  1\nend\n",
  Rakefile: "def sweep_all\n  puts 1\nend\n",
  "lib/sweep.rb": "def sweep_all\n  puts 2\nend\n",
  "lib/generators/templates/letters_controller.rb": "class LettersController\n  def show; end\nend\n",
  "lib/mail/letters_controller.rb": "class LettersController\n  def show; end\nend\n",
  "packages/web-dist/wire.js": "class Wire {\n  _addToLine() {\n    return 1;\n  }\n}\n",
  "wire/wire.ts": "export class Wire {\n  private _addToLine(): number {\n    return 1;\n  }\n}\n",
  "lib/TestCase.java": "public class TestCase {\n  void runBare() {\n  }\n}\n",
  "lib/order.java":
    "class Order {\n  static final Rule FIRST = new Rule() {\n    public int weighIt() {\n      return 1;\n    }\n  };\n}\nclass Scales {\n  public int weighIt() {\n    return 2;\n  }\n}\n",
  ...Object.fromEntries(
    ["a", "b", "c", "d", "e", "f", "g"].map((name) => [
      `plugins/${name}.py`,
      `class Plugin_${name}:\n    def compile(self):\n        return 1\n`,
    ]),
  ),
  "plugins/words.py": "# A method to compile: every method can compile, a method may compile.\nWORDS = 1\n",
  "src/notes.md": "# launch_app\n\nHow launch_app is called, and why launch_app is there.\n",
});
beforeAll(() => test.index.index({ root: folder.root }));
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

/** Lookup and search must return the same first result for a name. */
describe.each(["locate", "search"] as const)("%s returns first", (tool) => {
  it.each([
    ["a public definition, before one that is local to a function or in a test", "close", "src/channel.ts:2"],
    ["a definition outside tests", "Channel", "src/channel.ts:1"],
    ["a definition in a test, if there is no other", "makePair", "test/channel.test.ts:4"],
    ["the body of a function, before its prototype", "ring_push", "lib/ring.c:2"],
    ["a field, if its name has several parts", "ring_size", "lib/ring.h:3"],
    ["a definition in another case, before a key in a data file", "gadget", "src/parts.go:3"],
    ["a name in another style", "ringPush", "lib/ring.c:2"],
    ["a name in another case", "LAUNCH_APP", "My App/main.py:1"],
    ["the function of a call", "ring_push(3)", "lib/ring.c:2"],
    ["a name in backticks", "`ring_push`", "lib/ring.c:2"],
    ["a type with its arguments", "Channel<string>", "src/channel.ts:1"],
    ["the start of a definition", "export class Channel {", "src/channel.ts:1"],
    ["a definition with its parameters", "def launch_app(name):", "My App/main.py:1"],
    ["a kind and a plain word with one definition", "function sift", "src/aside.ts:8"],
    ["a method by its class", "Channel.close", "src/channel.ts:2"],
    ["a method by its class and module", "Mail::Queue#empty?", "lib/queue.rb:10"],
    ["a method of the same name in another module", "Jobs::Queue#empty?", "lib/queue.rb:3"],
    ["a method of a class, before a property assigned to an object", "render", "lib/view.js:2"],
    ["a name whose package looks like a file", "org.a.java.Maker", "org/a/java/Maker.java:2"],
    ["a namespace by its whole name", "Acme.Json.Linq", "lib/Json.cs:1"],
    ["a class by the last part of its namespace", "Linq.Node", "lib/Json.cs:3"],
    ["a type in another case, before a module declaration", "token", "crate/src/token.rs:1"],
    ["a type with its own file, before a member with its name in lower case", "scale", "lib/scale.rb:2"],
    ["a function in lower case, before a type with its own file", "ladder", "lib/climb.rb:1"],
    ["a method whose name looks like a file extension", "Reply.json", "crate/src/reply.rs:3"],
    ["a name in a file without an extension", "Rakefile:sweep_all", "Rakefile:1"],
    ["a definition outside templates", "LettersController", "lib/mail/letters_controller.rb:1"],
    ["a definition outside build output", "_addToLine", "wire/wire.ts:2"],
    ["a name of several parts in another case, in a file of any name", "runbare", "lib/TestCase.java:2"],
    ["a member, before one of an anonymous class", "weighIt", "lib/order.java:9"],
    ["a kind and a plain word with many definitions", "method compile", "plugins/a.py:2"],
    ["a name in a file", "aside.ts:close", "src/aside.ts:2"],
    ["a name in a folder with a space in its name", "My App/main.py:launch_app", "My App/main.py:1"],
  ])("%s", async (_, asked, place) => {
    const { hits } = await test[tool](folder.root, asked);
    expect(hits.slice(0, 1).map(({ path, lineStart }) => `${path}:${lineStart}`)).toEqual([place]);
  });
});

it("treats a query that merely starts with a kind as a question", async () => {
  const { hits } = await test.search(folder.root, "class loader");
  expect(hits.every(({ name }) => name !== "loader")).toBe(true);
  const { hits: none } = await test.search(folder.root, "struct numbers");
  expect(none[0]?.name).not.toBe("numbers");
  const { hits: found } = await test.search(folder.root, "function returns list of numbers");
  expect(found[0]?.path).toBe("src/aside.ts");
});
