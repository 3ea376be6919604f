import { expect, it } from "vitest";
import { termFilter } from "../../../src/index/tests/term-filter.ts";
import { termsOf } from "../../../src/index/tests/test-text.ts";

const WORDS = [
  "parseHeader",
  "parse_header",
  "HTTPServer",
  "XMLHttpRequest",
  "_private",
  "$value",
  "utf8Decode",
  "A",
  "aB",
  "ID",
  "userId",
  "getX1",
  "übergröße",
  "naïveBayes",
  "日本語",
  "SCREAMING_CASE",
  "__init__",
  "iOSVersion",
  "v2beta1",
];

it("lets every word through that has a wanted stem", () => {
  for (const word of WORDS)
    for (const term of termsOf(word)) expect(termFilter([term])(word), `${term} in ${word}`).toBe(true);
});

it("holds back words whose parts begin otherwise", () => {
  const mayHold = termFilter(["pars", "id"]);
  expect(["header", "sparse", "valid", "getName"].map(mayHold)).toEqual([false, false, false, false]);
});
