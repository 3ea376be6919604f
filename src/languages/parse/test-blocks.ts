import type { Node } from "web-tree-sitter";
import type { Definition } from "../language.ts";
import { textOf } from "./rules.ts";

/** Separates the titles of nested tests in the qualified name of a test. */
export const TITLE_JOINT = " > ";
/** Maximum length of a title; longer ones are truncated, because a title only identifies its test. */
const MAX_TITLE = 200;

/** Matches a string in quotes on one line, the usual title of a test. */
export const TITLE = String.raw`(?<title>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;

export interface TestBlock {
  readonly kind: "suite" | "test";
  /** The word or words that begin the block, such as `it.skip`. */
  readonly word: string;
  /** The source text of the title. */
  readonly title: string;
  /** What stands between the word and the title in the signature, and after the title. */
  readonly brackets?: readonly [open: string, close: string];
  /** The node that ends the block, if its body follows the node of the call. */
  readonly end?: Node | undefined;
}

/** Creates the symbol of a test block; its name is the title, and its signature the call without its body. */
export function testBlock({ kind, word, title, brackets = ["(", ")"], end }: TestBlock): Definition {
  const [open, close] = brackets;
  const source = clip(title.replace(/\s+/gu, " ").trim());
  return {
    kind,
    name: clip(titleOf(source)),
    signature: `${word}${open}${source}${close}`,
    joint: TITLE_JOINT,
    ...(end !== undefined && { end }),
  };
}

const QUOTED = /^[a-zA-Z@$]{0,3}("""|"|'|`)([^]*)\1$/u;

/** Returns the text of a title: the content of a string, or the source of another expression. */
function titleOf(source: string): string {
  const [, , content] = QUOTED.exec(source) ?? [];
  const title = content?.replace(/\\(["'`\\])/gu, "$1").trim();
  return title === undefined || title === "" ? source : title;
}

function clip(text: string): string {
  return text.length <= MAX_TITLE ? text : `${text.slice(0, MAX_TITLE - 1)}…`;
}

/** Returns the source texts of the arguments of a call, which are its named children except comments. */
export function argumentNodes(list: Node | null): Node[] {
  return list === null ? [] : list.namedChildren.filter(({ type }) => !type.includes("comment"));
}

/** Returns the text of a node on one line, shortened to a length that is still readable as a title. */
export function shortText(node: Node, text: string, length = 80): string {
  const line = textOf(node, text).replace(/\s+/gu, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
