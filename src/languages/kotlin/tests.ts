import type { Node } from "web-tree-sitter";
import type { Definition, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { testBlock, TITLE } from "../parse/test-blocks.ts";

const SUITES = "[fx]?(?:context|describe|feature|given|when|Given|When|and|And|group)";
const TESTS = "[fx]?(?:test|should|it|then|Then|scenario|expect)";
const WORD = new RegExp(`^(?:${SUITES}|${TESTS})$`, "u");
const SUITE = new RegExp(`^(?:${SUITES})$`, "u");
/** Matches the words that connect the title of a WordSpec with its block: `"a list" should {…}`. */
const CONNECTOR = /^(?:[Ss]hould|[Mm]ust|[Cc]an|[Ww]hen|[Gg]iven)$/u;

/** The test blocks of all styles of Kotest, and of Spek. */
export const KOTLIN_TESTS: TestSyntax = {
  hint: /\bkotest\b|\bspek\b|\b\w*Spec(?:Tests?)?\s*\(\s*\{|\b(?:String|Fun|Should|Describe|Behavior|Word|Free|Feature|Expect)Spec\b/u,
  line: new RegExp(`^\\s*(?:(?<word>${SUITES}|${TESTS})\\()?${TITLE}.*\\{\\s*$`, "u"),
  suite: SUITE,
  rules: {
    call_expression: read(call, { isFunction: true }),
    infix_expression: read(connected, { isFunction: true }),
    binary_expression: read(dashed, { isFunction: true }),
  },
};

/** Reads `test("title") {…}`, `should("title").config(…) {…}` and, in a StringSpec, `"title" {…}`. */
function call({ node, text }: Site): Definition | undefined {
  const body = node.lastNamedChild;
  if (body?.type !== "annotated_lambda") return undefined;
  const called = withoutConfig(node.namedChild(0), text);
  if (called === null) return undefined;
  if (called.type === "string_literal") return titled("test", "", called, text);
  const [callee, list] = called.namedChildren;
  if (called.type !== "call_expression" || callee?.type !== "identifier") return undefined;
  const word = textOf(callee, text).replaceAll("`", "");
  const title = list?.type === "value_arguments" ? list.namedChild(0)?.namedChildren.at(-1) : undefined;
  if (!WORD.test(word) || title === undefined) return undefined;
  if (title.type !== "string_literal" && !/^(?:test|it|describe|context|should)$/u.test(word))
    return undefined;
  return testBlock({ kind: SUITE.test(word) ? "suite" : "test", word, title: textOf(title, text) });
}

/** Follows `x.config(…)` inward to `x`, which has the title. */
function withoutConfig(node: Node | null, text: string): Node | null {
  const inner = node?.type === "call_expression" ? node.namedChild(0) : node;
  if (inner?.type !== "navigation_expression") return node;
  const name = inner.lastNamedChild;
  return name !== null && textOf(name, text) === "config" ? inner.namedChild(0) : node;
}

function titled(kind: "suite" | "test", word: string, title: Node, text: string): Definition {
  return { ...testBlock({ kind, word, title: textOf(title, text), brackets: ["", ""] }) };
}

/** Reads `"a list" should {…}` of a WordSpec; with something else on the right side it is an assertion. */
function connected({ node, text }: Site): Definition | undefined {
  const [title, connector, body] = node.namedChildren;
  if (title?.type !== "string_literal" || body?.type !== "lambda_literal" || connector === undefined)
    return undefined;
  return CONNECTOR.test(textOf(connector, text)) ? titled("suite", "", title, text) : undefined;
}

/** Reads `"a list" - {…}` of a FreeSpec. */
function dashed({ node, text }: Site): Definition | undefined {
  const [title, body] = node.namedChildren;
  if (title?.type !== "string_literal" || body?.type !== "lambda_literal") return undefined;
  const operator = text.slice(title.endIndex, body.startIndex).trim();
  return operator === "-" ? titled("suite", "", title, text) : undefined;
}
