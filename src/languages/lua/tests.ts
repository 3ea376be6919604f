import type { Definition, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, testBlock, TITLE } from "../parse/test-blocks.ts";

const WORDS = "x?describe|context|insulate|expose|x?it|spec|test|pending";
const CALLEE = new RegExp(`^(?:busted\\.)?(?:${WORDS})$`, "u");
const SUITE = /(?:^|\.)(?:x?describe|context|insulate|expose)$/u;

/** The test blocks of busted, which plenary and MiniTest also understand. */
export const LUA_TESTS: TestSyntax = {
  hint: new RegExp(`(?<![\\w.])(?:busted\\.)?(?:${WORDS})\\s*[("'\\[]`, "u"),
  line: new RegExp(`^\\s*(?<word>(?:busted\\.)?(?:${WORDS}))\\s*\\(\\s*${TITLE}\\s*,`, "u"),
  suite: SUITE,
  rules: { function_call: read(block, { isFunction: true }) },
};

/** Reads a call such as `it("title", function() … end)`; a pending test may have no function. */
function block({ node, text }: Site): Definition | undefined {
  const called = node.childForFieldName("name");
  const [title, ...rest] = argumentNodes(node.childForFieldName("arguments"));
  if (called === null || title === undefined) return undefined;
  const word = textOf(called, text);
  if (!CALLEE.test(word)) return undefined;
  const hasBody = rest.some(({ type }) => type === "function_definition");
  const isPending = title.type === "string" && /(?:pending|it)$/u.test(word);
  const isNamed = title.type === "string" && rest.length === 1 && rest[0]?.type === "identifier";
  if (!hasBody && !isNamed && !(isPending && rest.length === 0)) return undefined;
  return testBlock({ kind: SUITE.test(word) ? "suite" : "test", word, title: textOf(title, text) });
}
