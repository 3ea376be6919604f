import type { CommentSyntax } from "./language.ts";
import { skipAnnotations } from "./signature.ts";

/** Maximum number of characters that are kept of the first sentence of a comment. */
const MAX_SENTENCE = 200;
/** Maximum number of attribute lines that may stand between a comment and the declaration it describes. */
const MAX_LINES = 60;
/** Maximum number of lines that are searched upwards for the beginning of a comment, where its first sentence is. */
const MAX_COMMENT_LINES = 1000;

/** Returns the first sentence of the comment directly above the given offset, if there is one. */
export function docAbove(text: string, at: number, comments: CommentSyntax): string | undefined {
  let end = text.lastIndexOf("\n", at - 1);
  if (end < 0 || text.slice(end + 1, at).trim() !== "") return undefined;
  for (let steps = 0; steps < MAX_LINES && end > 0; steps += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line === "") return undefined;
    if (isLineComment(line, comments)) return firstSentence(lineComments(text, end, comments));
    const block = comments.block;
    if (block !== undefined && line.endsWith(block[1])) return blockComment(text, end, block);
    if (!isAttributes(text, start, end)) return undefined;
    end = start - 1;
  }
  return undefined;
}

const STRING_START = /\s*[rRuUbB]{0,2}("""|'''|"|')/uy;

/** Returns the first sentence of the documentation string that begins a function or class body, as in Python. */
export function docstring(text: string, bodyStart: number): string | undefined {
  STRING_START.lastIndex = bodyStart;
  const quote = STRING_START.exec(text)?.[1];
  if (quote === undefined) return undefined;
  const start = STRING_START.lastIndex;
  const end = text.indexOf(quote, start);
  return end < 0 ? undefined : firstSentence(text.slice(start, Math.min(end, start + 2000)));
}

/** True if a line contains only attributes, optionally followed by a comment. */
function isAttributes(text: string, start: number, end: number): boolean {
  const first = start + text.slice(start, end).search(/\S/u);
  if (!/^(?:@|#?\[)/u.test(text.slice(first, first + 2))) return false;
  const behind = skipAnnotations(text, first, true);
  return behind > first && (behind >= end || text.startsWith("//", behind) || text.startsWith("/*", behind));
}

function isLineComment(line: string, comments: CommentSyntax): boolean {
  return (
    comments.line.some((mark) => line.startsWith(mark)) && !line.startsWith("#[") && !line.startsWith("#!")
  );
}

function lineComments(text: string, lastEnd: number, comments: CommentSyntax): string {
  const lines: string[] = [];
  for (let end = lastEnd; end > 0 && lines.length < MAX_COMMENT_LINES;) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (!isLineComment(line, comments)) break;
    lines.push(line.replace(/^(?:\/\/[/!]?|#+|-{2,3}|;+)\s?/u, ""));
    end = start - 1;
  }
  return lines.reverse().join("\n");
}

function blockComment(text: string, end: number, block: readonly [string, string]): string | undefined {
  const open = text.lastIndexOf(block[0], end - 1);
  if (open < 0) return undefined;
  const lineStart = text.lastIndexOf("\n", open) + 1;
  if (text.slice(lineStart, open).trim() !== "") return undefined;
  return firstSentence(text.slice(open + block[0].length, end).replace(block[1], ""));
}

/**
 * Matches comment lines that do not describe the code: instructions to tools such as linters, and rows of punctuation.
 */
const NOT_PROSE =
  /^(?:eslint|prettier|@ts-|tslint|istanbul|c8 |noqa|pylint|pragma|type:|nolint|go:|rubocop|shellcheck|clang-format|NOLINT|biome|oxlint|region|endregion|#)|^[^\p{L}]*$/iu;

/** Matches links to a name inside a comment: `{@link Name}` as in Javadoc and `<see cref="Name"/>` as in C#. */
const MARKUP =
  /\{@(?:link|linkplain|code|literal|value)\s+([^{}]*)\}|<(?:see|seealso|paramref|typeparamref)\s+\w+="(?:[A-Z]:)?([^"]*)"\s*\/>/gu;

/** Matches the end of a sentence, but not a full stop after a common abbreviation. */
const SENTENCE_END =
  /(?<!\b(?:e\.g|i\.e|etc|vs|cf|al|approx|resp|incl|viz|ca|Dr|Mr|Mrs|Ms|Prof|St|No|Fig|Sec|Eq|[A-Z]))[.!?](?=\s)/u;

/** Extracts the first sentence of a comment without markup; undefined if no prose is left. */
export function firstSentence(comment: string): string | undefined {
  const words: string[] = [];
  for (const raw of comment.split("\n")) {
    const line = raw
      .trim()
      .replace(/^(?:\*+|!|<(?=\s))\s?/u, "")
      .replace(MARKUP, "$1$2")
      .replace(/<\/?(?:summary|p|para|remarks|b|i|code|c|tt)>/giu, "")
      .replace(/^@brief\s+|^\\brief\s+/u, "")
      .trim();
    const isBreak = line === "" || /^[@\\:]\w/u.test(line);
    if (isBreak && words.length > 0) break;
    if (isBreak || NOT_PROSE.test(line)) continue;
    words.push(line);
    if (/[.!?:]$/u.test(line) || words.length > 8) break;
  }
  const prose = words.join(" ").replace(/\s+/gu, " ").trim();
  const end = SENTENCE_END.exec(prose);
  const sentence = end === null ? prose : prose.slice(0, end.index + 1);
  if (sentence === "") return undefined;
  return sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE)}…` : sentence;
}
