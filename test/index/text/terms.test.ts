import { expect, it } from "vitest";
import { termsOfAscii, termsOfWord } from "../../../src/index/text/terms.ts";
import { numbers } from "../../support/numbers.ts";

function asciiTerms(identifier: string): readonly string[] | undefined {
  const characters = Uint16Array.from(identifier, (character) => character.charCodeAt(0));
  const terms = termsOfAscii(characters, 0, characters.length);
  if (terms === undefined) return undefined;
  const text = String.fromCharCode(...terms.characters);
  return Array.from({ length: terms.count }, (_, at) => text.slice(terms.ends[at - 1] ?? 0, terms.ends[at]));
}

it("splits a name of ASCII characters into the terms of every name", () => {
  expect(asciiTerms("HTTPServer2_fooBAR$x")).toEqual(["http", "server", "foo", "bar", "httpserver2foobarx"]);
  const next = numbers(7);
  for (let round = 0; round < 3_000; round++) {
    const length = 1 + Math.floor(next() * (round % 100 === 0 ? 200 : 12));
    const name = Array.from({ length }, () => "aabzAABZ019_$".charAt(Math.floor(next() * 13))).join("");
    expect(asciiTerms(name)).toEqual(termsOfWord(name));
  }
});

it("leaves names with other characters to the slower way", () => {
  expect(asciiTerms("größe")).toBeUndefined();
  expect(asciiTerms("日本")).toBeUndefined();
});
