import { expect, it } from "vitest";
import { codeUnitsOf } from "../../../src/languages/code-units.ts";
import { addToHash, internName } from "../../../src/languages/uses/intern-name.ts";

function hashOf(text: string): number {
  return Array.from(text, (character) => character.charCodeAt(0)).reduce(addToHash, 0);
}

function intern(text: string, start: number, end: number): string {
  return internName(codeUnitsOf(text), start, end, hashOf(text.slice(start, end)));
}

it("returns every part of a text as it is, also after its table was emptied", () => {
  for (let at = 0; at < 150_000; at++) {
    const name = at % 3 === 0 ? `größe${at}` : `name_of_${at}`;
    expect(intern(`${name} `, 0, name.length) === name).toBe(true);
  }
  expect(intern("", 0, 0)).toBe("");
  expect(intern("ab", 0, 1)).toBe("a");
  expect(intern("日本語", 1, 3)).toBe("本語");
});

it("tells names with equal hashes apart", () => {
  const [one, other] = ["b______a", "c______i"];
  expect(hashOf(one)).toBe(hashOf(other));
  expect([intern(one, 0, 8), intern(other, 0, 8)]).toEqual([one, other]);
});
