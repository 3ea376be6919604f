import type { Node } from "web-tree-sitter";
import type { Definition, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, testBlock, TITLE } from "../parse/test-blocks.ts";

const SUITES = "[FPX]?(?:Describe(?:Table|TableSubtree)?|Context|When)";
const TESTS = "[FPX]?(?:It|Specify|Entry)|(?:Skip|Focus)?Convey";
const WORD = new RegExp(`^(?:ginkgo\\.|convey\\.)?(?:${SUITES}|${TESTS})$`, "u");
const SUITE = new RegExp(`(?:^|\\.)(?:${SUITES})$`, "u");
/** Matches the usual names of a test, a benchmark and a suite of testify, on which subtests are run. */
const RUNNER = /^(?:t|b|tb|s|st|tt|suite)\.Run$/u;

/** Go's subtests, and the blocks of Ginkgo and GoConvey. */
export const GO_TESTS: TestSyntax = {
  hint: /"testing"|ginkgo|goconvey|testify/u,
  line: new RegExp(
    `^\\s*(?:var _ = )?(?<word>[tbs]\\.Run|${SUITES}|${TESTS})\\(\\s*${TITLE}\\s*,\\s*func\\b`,
    "u",
  ),
  suite: SUITE,
  rules: { call_expression: read(block, { isFunction: true }) },
};

function block({ node, text }: Site): Definition | undefined {
  const called = node.childForFieldName("function");
  if (called === null || (called.type !== "identifier" && called.type !== "selector_expression"))
    return undefined;
  const word = textOf(called, text);
  const [title, ...rest] = argumentNodes(node.childForFieldName("arguments"));
  if (title === undefined || rest.length === 0) return undefined;
  if (/^\w+\.Run$/u.test(word)) return subtest({ word, title, body: rest.at(-1) }, text);
  if (!WORD.test(word) || !isString(title)) return undefined;
  return testBlock({ kind: SUITE.test(word) ? "suite" : "test", word, title: textOf(title, text) });
}

/** Reads `t.Run("title", func(t *testing.T) {…})`; its full name is the one that `go test -run` takes. */
function subtest(
  { word, title, body }: { readonly word: string; readonly title: Node; readonly body: Node | undefined },
  text: string,
): Definition | undefined {
  const isRunner = RUNNER.test(word);
  const isBody =
    body?.type === "func_literal"
      ? isRunner || /\btesting\.|\*\w*[TB]\)/u.test(textOf(body, text).slice(0, 80))
      : isRunner && (isString(title) || body?.type === "selector_expression" || body?.type === "identifier");
  if (!isBody) return undefined;
  return { ...testBlock({ kind: "test", word, title: textOf(title, text) }), joint: "/" };
}

function isString({ type }: Node): boolean {
  return type.endsWith("string_literal");
}
