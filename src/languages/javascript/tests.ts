import type { Node } from "web-tree-sitter";
import type { Definition, Rule, Site, TestSyntax } from "../language.ts";
import { read, textOf } from "../parse/rules.ts";
import { argumentNodes, testBlock, TITLE } from "../parse/test-blocks.ts";

const SUITES = "[fx]?describe|ddescribe|[fx]?context|suite|experiment";
const TESTS = "[fx]?it|iit|[fx]?test|[fx]?specify|bench";
const SUITE = new RegExp(`^(?:${SUITES})$`, "u");
const TEST = new RegExp(`^(?:${TESTS})$`, "u");
/** Matches words after `it.` and `describe.` that keep it a test; `test.beforeEach`, for example, is none. */
const MODIFIER =
  /^(?:only|skip|todo|each|for|if|concurrent|sequential|serial|parallel|shuffle|fails?|failing|fixme|slow|skipIf|runIf|todoIf|effect|live|scoped|prop)$/u;

/**
 * Matches the callee of a test block of vitest, jest, mocha, jasmine, node:test, tap, ava, bun, Deno, QUnit or
 * Playwright.
 */
const CALLEE = new RegExp(`(?:[\\w$]+\\.)?(?:${SUITES}|${TESTS}|module)(?=[.(\`\\s])`, "uy");

const testCall: Rule = read(block, { isFunction: true });

/** The test blocks of JavaScript and TypeScript. */
export const SCRIPT_TESTS: TestSyntax = {
  hint: new RegExp(`(?<![\\w$])(?:${SUITES}|${TESTS}|QUnit\\.module)(?:\\.\\w+)*\\s*[(\`]`, "u"),
  line: new RegExp(
    `^\\s*(?:await\\s+)?(?<word>(?:\\w+\\.)?(?:${SUITES}|${TESTS})(?:\\.\\w+)*)\\(\\s*${TITLE}\\s*,`,
    "u",
  ),
  suite: new RegExp(`(?:^|\\.)(?:${SUITES})\\b`, "u"),
  // The patterns leave out most calls, because it takes time to look at each.
  rules: {
    "(call_expression arguments: (arguments . (_) . (_))) @_": testCall,
    "(call_expression arguments: (arguments . (object) .)) @_": testCall,
    "(expression_statement (call_expression arguments: (arguments . [(string) (template_string)] .)) @_)":
      testCall,
  },
};

/** Reads a call such as `it("title", () => …)`, `describe.each(table)("title", …)` or `t.test("title", …)`. */
function block({ node, text }: Site): Definition | undefined {
  CALLEE.lastIndex = node.startIndex;
  if (!CALLEE.test(text)) return undefined;
  const callee = calleeOf(node);
  const words = callee === undefined ? [] : textOf(callee, text).replace(/\s+/gu, "").split(".");
  const kind = kindOf(words);
  const [first, ...rest] = argumentNodes(node.childForFieldName("arguments"));
  if (kind === undefined || callee === undefined || first === undefined) return undefined;
  const title = titleNode(first, text);
  const isBare = SUITE.test(words[0] ?? "") || TEST.test(words[0] ?? "");
  if (title === undefined || !hasBody({ node, kind, first, rest, isBare, words })) return undefined;
  const hasTable = node.childForFieldName("function")?.type === "call_expression";
  return testBlock({
    kind,
    word: words.join("."),
    title: textOf(title, text),
    brackets: [hasTable ? "(…)(" : "(", ")"],
  });
}

/** Follows `it.each(table)` and the like inward to the name that is called. */
function calleeOf(node: Node): Node | undefined {
  let callee = node.childForFieldName("function");
  for (let steps = 0; callee?.type === "call_expression" && steps < 5; steps += 1)
    callee = callee.childForFieldName("function");
  return callee?.type === "identifier" || callee?.type === "member_expression" ? callee : undefined;
}

/** Returns the kind of block that a callee such as `["test", "describe", "only"]` begins. */
function kindOf(words: readonly string[]): "suite" | "test" | undefined {
  if (words.join(".") === "QUnit.module") return "suite";
  const at = words.findLastIndex((word) => SUITE.test(word) || TEST.test(word));
  if (at < 0 || at > 1 || !words.slice(at + 1).every((word) => MODIFIER.test(word))) return undefined;
  return SUITE.test(words[at] ?? "") ? "suite" : "test";
}

/** Returns the node of the title: the first argument, or its `name` if it is an object as in `Deno.test({ name, fn })`. */
function titleNode(first: Node, text: string): Node | undefined {
  if (first.type !== "object") return first.type === "arrow_function" ? undefined : first;
  const named = first.namedChildren.find((pair) => {
    const key = pair.childForFieldName("key");
    return key !== null && textOf(key, text) === "name";
  });
  return named?.childForFieldName("value") ?? undefined;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_expression",
  "generator_function",
]);
const STRINGS: ReadonlySet<string> = new Set(["string", "template_string", "binary_expression"]);

interface Call {
  readonly node: Node;
  readonly kind: "suite" | "test";
  readonly first: Node;
  readonly rest: readonly Node[];
  /** True if the callee begins with the word itself and not with an object, as in `t.test`. */
  readonly isBare: boolean;
  readonly words: readonly string[];
}

/**
 * True if the arguments are those of a test block: a title and a function. A function may be passed by name if the title
 * is a string, and a pending test has only a title.
 */
function hasBody({ node, kind, first, rest, isBare, words }: Call): boolean {
  if (first.type === "object") return kind === "test";
  if (rest.some(({ type }) => FUNCTIONS.has(type))) return true;
  if (!isBare || !STRINGS.has(first.type)) return false;
  if (rest.length > 0)
    return !rest.every(({ type }) => /^(?:string|number|array|regex|template_string)$/u.test(type));
  return kind === "test" && (words.includes("todo") || node.parent?.type === "expression_statement");
}
