import type { Node } from "web-tree-sitter";
import type { Definition, Site, TestSyntax } from "../language.ts";
import { blankRanges } from "../repair/blank-ranges.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, testBlock, TITLE } from "../parse/test-blocks.ts";

/** Matches macros whose two arguments name a suite and a test, as in GoogleTest, CppUTest and Criterion. */
const PAIR = "(?:GTEST_)?(?:TYPED_)?TEST(?:_[FP])?|IGNORE_TEST|Test|ParameterizedTest|Theory";
/** Matches macros whose first argument is the name of a test, as in Boost.Test and doctest. */
const NAME =
  "BOOST_(?:AUTO|FIXTURE|DATA|PARAM|AUTO_PARAM)_TEST_CASE(?:_TEMPLATE|_F)?|BOOST_(?:AUTO|FIXTURE)_TEST_SUITE|TEST_GROUP(?:_BASE)?";
/** Matches macros with a title in quotes, as in Catch2 and doctest. */
const TITLED =
  "(?:CATCH_)?(?:(?:TEMPLATE_(?:PRODUCT_|LIST_)?)?TEST_CASE(?:_METHOD|_PERSISTENT_FIXTURE|_FIXTURE|_TEMPLATE(?:_DEFINE)?|_SIG|_METHOD_SIG|_CLASS)?|SCENARIO(?:_METHOD|_TEMPLATE)?|TEST_SUITE|SECTION|DYNAMIC_SECTION|SUBCASE|(?:AND_)?(?:GIVEN|WHEN|THEN)|(?:METHOD_AS|REGISTER)_TEST_CASE)";
const MACRO = new RegExp(`(?:${PAIR}|${NAME}|${TITLED})(?=\\s*\\()`, "uy");
const WORD = new RegExp(`^(?:${PAIR}|${NAME}|${TITLED})$`, "u");
const IS_PAIR = new RegExp(`^(?:${PAIR})$`, "u");
const IS_TITLE = new RegExp(`^(?:${TITLED})$`, "u");
const SUITE = /_SUITE$|^TEST_GROUP/u;

/** The test macros of C++ and C that the grammar reads as calls; those that it reads as functions have no rule here. */
export const C_TESTS: TestSyntax = {
  hint: new RegExp(`^[ \\t]*(?:${PAIR}|${NAME}|${TITLED})\\s*\\(`, "mu"),
  line: new RegExp(
    `^\\s*(?:(?<word>${TITLED})\\s*\\(\\s*${TITLE}|(?<pair>${PAIR}|${NAME})\\s*\\(\\s*(?<names>\\w+(?:\\s*,\\s*\\w+)?)\\s*\\))`,
    "u",
  ),
  suite: SUITE,
  rules: { call_expression: read(called, { isFunction: true }) },
};

/** Reads a test such as `TEST(Suite, name) {…}`, which the grammar takes for a function without a type. */
export function testFunction({ node, text }: Site): Definition | undefined {
  MACRO.lastIndex = node.startIndex;
  const word = MACRO.exec(text)?.[0];
  const declarator = node.childForFieldName("declarator");
  if (word === undefined || declarator === null) return undefined;
  const list = declarator.childForFieldName("parameters") ?? declarator;
  return macroTest(word, argumentNodes(list), text);
}

/** Reads a call such as `TEST_CASE("title")`; its body is the block after it. */
function called({ node, text }: Site): Definition | undefined {
  const callee = node.childForFieldName("function");
  const word = callee === null ? "" : textOf(callee, text);
  if (!WORD.test(word)) return undefined;
  const found = macroTest(word, argumentNodes(node.childForFieldName("arguments")), text);
  return found === undefined ? undefined : { ...found, end: bodyAfter(node) };
}

/** Returns the statement after a macro, which is the body of the test; a macro with a semicolon has none. */
function bodyAfter(node: Node): Node | undefined {
  const statement = node.parent?.type === "expression_statement" ? node.parent : node;
  if (statement.lastChild?.type === ";" && !statement.lastChild.isMissing) return undefined;
  let next = statement.nextNamedSibling;
  while (next?.type === "comment") next = next.nextNamedSibling;
  return next?.type === "compound_statement" || next?.type === "try_statement" ? next : undefined;
}

function macroTest(word: string, args: readonly Node[], text: string): Definition | undefined {
  const kind = SUITE.test(word) ? "suite" : "test";
  const quoted = IS_TITLE.test(word) ? args.find(({ type }) => /string/u.test(type)) : undefined;
  if (quoted !== undefined) return testBlock({ kind, word, title: joinedString(textOf(quoted, text)) });
  const names = args.slice(0, IS_PAIR.test(word) ? 2 : 1).map((one) => textOf(one, text));
  if (IS_PAIR.test(word) && names.length < 2) return undefined;
  if (names.length === 0) return testBlock({ kind, word, title: `${word}()`, brackets: ["", ""] });
  const found = testBlock({ kind, word, title: names.join(".") });
  return { ...found, signature: `${word}(${names.join(", ")})` };
}

/** Joins adjacent string literals, which the compiler reads as one. */
function joinedString(source: string): string {
  return source.replace(/"\s+"/gu, "");
}

/** Matches a test macro with a title up to the end of the title; before the title there may be a fixture. */
const TITLED_CALL =
  /\b[A-Z_]{0,40}TEST_CASE[A-Z_]{0,40}\s*\((?:[^"();{}]|\([^"();{}]*\)){0,200}"(?:[^"\\\n]|\\.)*"/gu;

/**
 * Replaces the arguments after the title of a test with spaces: they may be types, which the grammar does not accept in
 * a call.
 */
export function withoutTestArguments(text: string): string {
  if (!text.includes("TEST_CASE")) return text;
  const ranges: [number, number][] = [];
  for (const { index, 0: head } of text.matchAll(TITLED_CALL)) {
    const start = index + head.length;
    const end = closingParenthesis(text, start);
    if (end > start) ranges.push([start, end]);
  }
  return blankRanges(text, ranges);
}

/** Maximum length of the arguments of a test macro; the search for their end stops there. */
const MAX_ARGUMENTS = 2_000;

/** Returns the offset of the parenthesis that closes the one before `start`, or -1 if a statement begins first. */
function closingParenthesis(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_ARGUMENTS);
  let depth = 1;
  for (let at = start; at < limit; at += 1) {
    const char = text[at];
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    else if (char === "{" || char === ";") return -1;
    else if (char === '"') {
      const end = /(?:[^"\\\n]|\\.)*"/uy;
      end.lastIndex = at + 1;
      if (!end.test(text)) return -1;
      at = end.lastIndex - 1;
    }
    if (depth === 0) return at;
  }
  return -1;
}
