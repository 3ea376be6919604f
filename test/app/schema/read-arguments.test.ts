import { describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import {
  byDefault,
  choice,
  flag,
  hidden,
  integer,
  path,
  record,
  required,
  text,
  texts,
  words,
} from "../../../src/app/schema/field.ts";
import { readArguments } from "../../../src/app/schema/read-arguments.ts";

const fields = {
  query: required(text("what to find")),
  limit: byDefault(integer("results", [1, 50]), 10),
  format: choice(["text", "json"]),
  compact: flag(),
  globs: texts(undefined, 3),
  secret: hidden(text()),
};
const aliases = { max_results: "limit", q: "query" };

function read(received: Record<string, unknown>): Record<string, unknown> {
  return readArguments("search", { fields, aliases }, received);
}

function problems(received: Record<string, unknown>): string {
  try {
    read(received);
  } catch (error) {
    if (error instanceof PithError && error.code === "invalid_input") return error.message;
    throw error;
  }
  return "no problem";
}

describe("readArguments", () => {
  it("fills in defaults and leaves absent arguments out", () => {
    expect(read({ query: "x" })).toEqual({ query: "x", limit: 10 });
  });

  it("accepts what models send in place of the exact type", () => {
    expect(read({ query: "x", limit: "7", compact: "true", globs: '["a","b"]', format: null })).toMatchObject(
      {
        limit: 7,
        compact: true,
        globs: ["a", "b"],
      },
    );
    expect(read({ query: "x", globs: "[a-z]+" })).toMatchObject({ globs: ["[a-z]+"] });
  });

  it("accepts environment variables as models send them, and refuses invalid names", () => {
    const run = { env: record() };
    const env = (value: unknown): unknown => readArguments("run", { fields: run }, { env: value })["env"];
    expect(env({ PORT: 3000, CI: true, A: "b=c" })).toEqual({ PORT: "3000", CI: "true", A: "b=c" });
    expect(env('{"A":"b"}')).toEqual({ A: "b" });
    for (const wrong of [{ "A=B": "x" }, { "": "x" }, { A: "x\0" }, { A: {} }, "A=b", ["A"], 3])
      expect(() => env(wrong), JSON.stringify(wrong)).toThrow(/env is .*; allowed: an object of names/);
  });

  it("suggests the argument whose name or alias is nearest to an unknown one", () => {
    expect(problems({ query: "x", max_result: 3 })).toContain("did you mean limit?");
  });

  it("accepts a list with one path, and no other list", () => {
    const place = { file: path() };
    expect(readArguments("look", { fields: place }, { file: ["a.ts"] })).toEqual({ file: "a.ts" });
    for (const wrong of [["a.ts", "b.ts"], [""], [1]])
      expect(() => readArguments("look", { fields: place }, { file: wrong })).toThrow("allowed: one path");
  });

  it("accepts aliases", () => {
    expect(read({ q: "x", max_results: 3 })).toMatchObject({ query: "x", limit: 3 });
    expect(problems({ q: "x", query: "y" })).toBe("search: query is given twice (also as query)");
  });

  it("lists every invalid argument at once, with its value and what is allowed", () => {
    expect(problems({ limit: 0, format: "xml", globs: [1], compact: "maybe", limmit: 4 })).toBe(
      [
        "search: limmit is no argument; did you mean limit?",
        "query is missing (a text)",
        "limit is 0; allowed: a whole number 1..50",
        'format is "xml"; allowed: text, json',
        'compact is "maybe"; allowed: true or false',
        "globs is [1]; allowed: a list of at most 3 texts",
      ].join("; "),
    );
  });

  it("lists the known arguments where no name is near", () => {
    expect(problems({ query: "x", zzz: 1 })).toBe(
      "search: zzz is no argument; known: query, limit, format, compact, globs",
    );
  });

  it("counts problems beyond the first ones", () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`limit_${at}`, at]));
    expect(problems({ query: "x", ...many })).toMatch(/; and 984 more$/);
    expect(problems({ query: "x", ["z".repeat(10_000)]: 1 }).length).toBeLessThan(300);
  });

  it("does not repeat a huge value", () => {
    expect(problems({ query: "x", limit: "9".repeat(100_000) }).length).toBeLessThan(200);
  });

  it("refuses names that every JavaScript object has", () => {
    expect(problems({ query: "x", constructor: 1 })).toContain("constructor is no argument");
    expect(problems(JSON.parse('{"query":"x","__proto__":{"limit":1}}'))).toContain(
      "__proto__ is no argument",
    );
  });

  it("refuses a blank text where words are needed", () => {
    const needed = { name: required(words()) };
    expect(() => readArguments("find", { fields: needed }, { name: " \n" })).toThrow(
      'name is " \\n"; allowed: a text that is not empty',
    );
  });

  it("refuses NUL characters in texts", () => {
    expect(problems({ query: "a\0b" })).toContain(
      'query is "a\\u0000b"; allowed: a text, without NUL characters',
    );
    expect(problems({ query: 5 })).not.toContain("NUL");
  });
});
