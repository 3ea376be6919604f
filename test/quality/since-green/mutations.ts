import type { Random } from "./random.ts";

/** A small fault in one line, as people make it. */
export interface Mutation {
  /** Counted from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Texts that are swapped for others; the first that applies to a place is taken. */
const SWAPS: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/(?<=\s)[!=]==?(?=\s)/g, (found) => (found.startsWith("!") ? `=${found.slice(1)}` : `!${found.slice(1)}`)],
  [/(?<=\s)[<>]=?(?=\s)/g, (found) => (found.endsWith("=") ? found.slice(0, -1) : `${found}=`)],
  [/(?<=\s)(?:&&|\|\|)(?=\s)/g, (found) => (found === "&&" ? "||" : "&&")],
  [/(?<=\s)(?:and|or)(?=\s)/g, (found) => (found === "and" ? "or" : "and")],
  [/(?<=\s)[+-](?=\s)/g, (found) => (found === "+" ? "-" : "+")],
  [/\b(?:true|false)\b/g, (found) => (found === "true" ? "false" : "true")],
  [/\b(?:True|False)\b/g, (found) => (found === "True" ? "False" : "True")],
  [/(?<=\bif )not |(?<=[( ])!(?=[\w(])/g, () => ""],
  [/(?<![\w.])\d{1,4}(?![\w.])/g, (found) => String(Number(found) + 1)],
  [/(?<=(["'])[\w -]{1,40})[\w](?=\1)/g, (found) => `${found}x`],
];

const NOT_CODE =
  /^\s*(?:\/\/|\/?\*|#|--|import\b|from\b|export \*|export type|use\b|package\b|@|"""|''')|^\s*$/;

/** All mutations of a text, in the order of its lines. Comments and imports are left as they are. */
function mutationsOf(text: string): Mutation[] {
  const found: Mutation[] = [];
  let isInDocstring = false;
  for (const [index, before] of text.split("\n").entries()) {
    const quotes = before.split('"""').length - 1;
    if (quotes % 2 === 1) isInDocstring = !isInDocstring;
    if (quotes > 0 || isInDocstring || NOT_CODE.test(before) || before.length > 300) continue;
    for (const [pattern, swap] of SWAPS)
      for (const match of before.matchAll(pattern)) {
        const after =
          before.slice(0, match.index) + swap(match[0]) + before.slice(match.index + match[0].length);
        found.push({ line: index + 1, before, after });
      }
  }
  return found;
}

/** Chooses one mutation of a text; undefined if it has none. */
export function chooseMutation(text: string, random: Random): Mutation | undefined {
  return random.choose(mutationsOf(text));
}

export function mutate(text: string, { line, after }: Mutation): string {
  const lines = text.split("\n");
  lines[line - 1] = after;
  return lines.join("\n");
}
