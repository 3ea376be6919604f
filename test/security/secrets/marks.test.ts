import { expect, it } from "vitest";
import { anyOf, groupByMarks, leadingText } from "../../../src/security/secrets/marks.ts";
import { BODY_START, type SecretKind } from "../../../src/security/secrets/secret-kind.ts";

it.each([
  ["github_pat_[\\w]{16}", "github_pat_"],
  ["gh[pousr]_", "gh"],
  ["s\\.[A-Za-z]", "s."],
  [":\\/\\/[\\w.]", "://"],
  ["colou?r", "colo"],
  ["a\\.{0,2}b", "a"],
  ["curl\\s", "curl"],
  ["[Aa]pi-[Kk]ey", ""],
  ["(?:AZDO)", ""],
])("finds the fixed text with which %s begins", (source, text) => {
  expect(leadingText(source)).toBe(text);
});

it("tries marks of words only where a token may begin, and others everywhere", () => {
  const marked = anyOf([`tok_${BODY_START}`, "Login\\s", "(?:_end)"]);
  const body = "0123456789abcdef";
  for (const line of [
    `tok_${body}`,
    `"tok_${body}"`,
    `\\ntok_${body}`,
    `%3Dtok_${body}`,
    "a Login ",
    "word_end",
  ])
    expect(line).toMatch(marked);
  for (const line of [`mytok_${body}`, "tok_0123456789abcde", "aLogin ", "end"])
    expect(line).not.toMatch(marked);
});

it("tests kinds with the same marks once, and needs only one of their marks", () => {
  const kind = (marks: readonly string[]): SecretKind => ({
    name: "",
    marks,
    shape: /x/dg,
    isReal: () => true,
  });
  const groups = groupByMarks([kind(["key=", "pin="]), kind(["e[wy]"]), kind(["key=", "pin="])]);
  expect(groups.map(({ kinds }) => kinds.length)).toEqual([2, 1]);
  expect(groups.map((group) => group.mayBeIn("a pin=1"))).toEqual([true, false]);
  expect(groups.map((group) => group.mayBeIn("a keyhole"))).toEqual([false, false]);
});
