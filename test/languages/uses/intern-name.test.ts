import { expect, it } from "vitest";
import { internName } from "../../../src/languages/uses/intern-name.ts";

it("returns every part of a text as it is, also after its table was emptied", () => {
  const names = Array.from({ length: 150_000 }, (_, at) => (at % 3 === 0 ? `größe${at}` : `name_of_${at}`));
  const text = names.join(" ");
  let at = 0;
  const read = names.map(({ length }) => {
    const name = internName(text, at, at + length);
    at += length + 1;
    return name;
  });
  expect(read.join(" ") === text).toBe(true);
  expect(internName("", 0, 0)).toBe("");
  expect(internName("ab", 0, 1)).toBe("a");
  expect(internName("日本語", 1, 3)).toBe("本語");
});
