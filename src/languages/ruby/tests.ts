import type { Node } from "web-tree-sitter";
import type { Definition, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, shortText, testBlock, TITLE } from "../parse/test-blocks.ts";

/** Words that begin a group of tests or a test. */
const SUITES = "[fx]?describe|[fx]?context|[fx]?feature|shared_examples(?:_for)?|shared_context";
const TESTS = "[fx]?it|its|[fx]?specify|[fx]?example|[fx]?scenario|focus|pending|test|should";
const WORD = new RegExp(`^(?:${SUITES}|${TESTS})$`, "u");
const SUITE = new RegExp(`^(?:${SUITES})$`, "u");
/** Matches words that name tests only with a title in quotes; without one they are ordinary methods. */
const NEEDS_STRING = /^(?:focus|pending|test|should|[fx]?feature)$/u;
const CALLEE = new RegExp(`(?:RSpec\\s*\\.\\s*)?(?:${SUITES}|${TESTS})(?=[\\s({])`, "uy");

/** The test blocks of RSpec, minitest/spec, Rails and shoulda. */
export const RUBY_TESTS: TestSyntax = {
  hint: new RegExp(`^[ \\t]*(?:RSpec\\s*\\.\\s*)?(?:${SUITES}|${TESTS})(?:[ \\t]*[("'{:]|[ \\t]+\\S)`, "mu"),
  line: new RegExp(
    `^\\s*(?<word>(?:RSpec\\.)?(?:${SUITES}|${TESTS}))[ (]\\s*${TITLE}.*(?:\\bdo\\b|\\{)`,
    "u",
  ),
  suite: new RegExp(`(?:^|\\.)(?:${SUITES})$`, "u"),
  // The patterns leave out most calls, because it takes time to look at each.
  rules: {
    "(call block: (_)) @_": read(block),
    "(call !block arguments: (argument_list . (string))) @_": read(block),
  },
};

/** Reads a call such as `it "title" do`, `describe Foo, "#bar" do` or `it { … }`. */
function block({ node, text }: Site): Definition | undefined {
  CALLEE.lastIndex = node.startIndex;
  if (!CALLEE.test(text)) return undefined;
  const method = node.childForFieldName("method");
  const receiver = node.childForFieldName("receiver");
  if (method === null || (receiver !== null && textOf(receiver, text) !== "RSpec")) return undefined;
  const word = textOf(method, text);
  if (!WORD.test(word)) return undefined;
  const kind = SUITE.test(word) ? "suite" : "test";
  const body = node.childForFieldName("block");
  const titles = titleNodes(argumentNodes(node.childForFieldName("arguments")));
  const isQuoted = titles[0]?.type === "string";
  if (body === null && !(isQuoted && kind === "test" && isStatement(node))) return undefined;
  if (NEEDS_STRING.test(word) && !isQuoted) return undefined;
  const called = receiver === null ? word : `RSpec.${word}`;
  if (titles.length > 0) {
    const title = titles.map((one) => textOf(one, text)).join(" ");
    const whole = titles.length === 1 ? title : title.replace(/["']/gu, "");
    return testBlock({ kind, word: called, title: whole, brackets: [" ", ""] });
  }
  const content = body?.childForFieldName("body");
  if (kind === "suite" || content === null || content === undefined) return undefined;
  return testBlock({ kind, word: called, title: shortText(content, text), brackets: [" { ", " }"] });
}

/** Returns the leading arguments that make up the title; options such as `:focus` or `type: :model` follow them. */
function titleNodes(args: readonly Node[]): readonly Node[] {
  const end = args.findIndex(({ type }, index) => type === "pair" || (index > 0 && type !== "string"));
  return end < 0 ? args : args.slice(0, end);
}

function isStatement({ parent }: Node): boolean {
  return parent !== null && /^(?:program|body_statement|block_body|then|do_block|block)$/u.test(parent.type);
}
