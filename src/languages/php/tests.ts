import type { Definition, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, testBlock, TITLE } from "../parse/test-blocks.ts";

const WORD = /^(?:describe|it|test|todo|arch)$/u;
const STRING = /string$/u;

/** The test blocks of Pest. */
export const PHP_TESTS: TestSyntax = {
  hint: /(?<![\w>:$])(?:describe|it|test|todo|arch)\(\s*["']/u,
  line: new RegExp(`^\\s*(?<word>describe|it|test|todo|arch)\\(\\s*${TITLE}\\s*,`, "u"),
  suite: /^describe$/u,
  rules: { "(function_call_expression function: (name)) @_": read(block, { isFunction: true }) },
};

/** Reads a call such as `it("title", function () {…})`; a call without a function may be completed by a chain. */
function block({ node, text }: Site): Definition | undefined {
  const called = node.childForFieldName("function");
  const [title, ...rest] = argumentNodes(node.childForFieldName("arguments"));
  if (called === null || title === undefined || !STRING.test(title.namedChild(0)?.type ?? ""))
    return undefined;
  const word = textOf(called, text);
  const hasBody = rest.some((one) => /function/u.test(one.namedChild(0)?.type ?? ""));
  const isStatement = /^(?:expression_statement|member_call_expression)$/u.test(node.parent?.type ?? "");
  if (!WORD.test(word) || !(hasBody || (rest.length === 0 && isStatement))) return undefined;
  return testBlock({ kind: word === "describe" ? "suite" : "test", word, title: textOf(title, text) });
}
