import { expect, it } from "vitest";
import { relationQuestion } from "../../../src/index/uses/relation-question.ts";

const asked = (text: string): string => {
  const found = relationQuestion(text);
  return found === undefined ? "search" : `${found.relation} ${found.name}`;
};

it.each([
  ["who calls parseQuery", "callers parseQuery"],
  ["what calls `parseQuery()`?", "callers parseQuery"],
  ["Where is Model.save called?", "callers Model.save"],
  ["Show me all callers of `Foo.bar`", "callers Foo.bar"],
  ["which functions call send_email", "callers send_email"],
  ["where do we call parseQuery", "callers parseQuery"],
  ["where is parseQuery used", "uses parseQuery"],
  ["find all references to AppContext", "uses AppContext"],
  ["usages of the class Foo", "uses Foo"],
  ["is parseQuery used anywhere?", "uses parseQuery"],
  ["what breaks if parseQuery changes", "uses parseQuery"],
  ["what breaks if I rename parseQuery", "uses parseQuery"],
  ["impact of changing Foo::bar", "uses Foo::bar"],
  ["what does loadConfig call?", "callees loadConfig"],
  ["functions called by main", "callees main"],
  ["what implements IndexStore", "implementations IndexStore"],
  ["what implements ModuleRules", "implementations ModuleRules"],
  ["subclasses of Base", "implementations Base"],
  ["tests of parseQuery", "tests parseQuery"],
  ["which tests cover foo_bar", "tests foo_bar"],
  ["show me all usages of parseQuery in src/index", "uses parseQuery"],
  ["classes that implement the Router interface", "implementations Router"],
  ["where is HonoRequest instantiated?", "callers HonoRequest"],
  ["references: parseQuery", "uses parseQuery"],
  ["where is parseQuery used in our code base", "uses parseQuery"],
  ["who calls Foo.bar in the tests folder", "callers Foo.bar"],
  ["where is the config loaded", "search"],
  ["where is User", "search"],
  ["where is User defined", "search"],
  ["where do we use retry logic", "search"],
  ["how does auth work", "search"],
  ["who uses this", "search"],
  ["TypeError: x is not a function", "search"],
])("reads %s as %s", (text, expected) => expect(asked(text)).toBe(expected));

it("takes linear time on long texts", () => {
  expect(asked(`who calls ${"a.".repeat(90)}(`)).toBe("search");
});
