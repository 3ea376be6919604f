import type { Node } from "web-tree-sitter";
import type { Definition, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, testBlock, TITLE } from "../parse/test-blocks.ts";

const WORD =
  /^(?:test|testAsync|it|they|describe|property|feature|Feature|scenario|Scenario|suite|suiteAll|ignore|checkProp)$/u;
const SUITE = /^(?:describe|feature|Feature|suite|suiteAll)$/u;
/** Matches the words that connect a title with a group of tests: `"a list" should {…}`. */
const GROUP = /^(?:should|must|can|when|which|that|-|>>)$/u;
const BODIES: ReadonlySet<string> = new Set(["block", "case_block", "colon_argument", "instance_expression"]);

/** The test blocks of ScalaTest, MUnit, specs2, ZIO Test and Weaver. */
export const SCALA_TESTS: TestSyntax = {
  hint: /\b(?:scalatest|munit|specs2|utest|zio\.test|weaver|\w+(?:Suite|Spec|Specification|Tests?))\b/u,
  line: new RegExp(
    `^\\s*(?<word>test|it|describe|property|feature|scenario|suite)\\(\\s*${TITLE}.*[{:(]\\s*$`,
    "u",
  ),
  suite: SUITE,
  rules: {
    call_expression: read(call, { isFunction: true }),
    infix_expression: read(sentence, { isFunction: true }),
  },
};

/** Reads `test("title") {…}` and `suite("title")(…)`. */
function call({ node, text }: Site): Definition | undefined {
  const inner = node.childForFieldName("function");
  if (inner?.type !== "call_expression") return undefined;
  const called = inner.childForFieldName("function");
  const [title] = argumentNodes(inner.childForFieldName("arguments"));
  if (called?.type !== "identifier" || title === undefined) return undefined;
  const word = textOf(called, text);
  if (!WORD.test(word) || !textOf(title, text).includes('"')) return undefined;
  const quoted = stringIn(title) ?? title;
  return testBlock({ kind: SUITE.test(word) ? "suite" : "test", word, title: textOf(quoted, text) });
}

/** Finds the string in a title with options, such as `"title".ignore`. */
function stringIn(node: Node): Node | undefined {
  if (isString(node)) return node;
  const inner = node.type === "field_expression" ? node.childForFieldName("value") : null;
  return inner === null ? undefined : stringIn(inner);
}

function isString({ type }: Node): boolean {
  return type === "string" || type === "interpolated_string_expression";
}

/** Reads `"a list" should "be empty" in {…}`, `it should "…" in {…}` and `"a list" should {…}`. */
function sentence({ node, text }: Site): Definition | undefined {
  const left = node.childForFieldName("left");
  const right = node.childForFieldName("right");
  const operator = node.childForFieldName("operator");
  if (left === null || right === null || operator === null || !BODIES.has(right.type)) return undefined;
  const word = textOf(operator, text);
  const title = textOf(left, text);
  const isTest = /^(?:in|ignore|taggedAs|is|>>|!)$/u.test(word) && title.includes('"');
  const isGroup = GROUP.test(word) && isString(left);
  if (!isTest && !isGroup) return undefined;
  const kind = isGroup && word !== ">>" ? "suite" : "test";
  return testBlock({
    kind,
    word: "",
    title: isString(left) ? title : title.replaceAll('"', ""),
    brackets: ["", ""],
  });
}
