import { STOP_WORDS } from "../text/words.ts";

/** Words of a question about a definition that cannot be the name that is asked for. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  `define defined defines definition definitions declare declared declares declaration declarations implement implements
  implemented implementation class function method struct interface trait enum type module constant variable object file code
  source usage usages find show locate explain describe look search see`.split(/\s+/),
);

/**
 * Returns the identifier in a question that contains only one: `Foo` in "where is Foo defined?". A plain word counts as
 * an identifier only in backticks.
 */
export function singleIdentifierIn(text: string): string | undefined {
  let name: string | undefined;
  for (const token of text.split(/\s+/)) {
    const bare = token.replaceAll(/^[("'`]+|[)"'`.,;:?!]+$/g, "");
    const word = bare.toLowerCase();
    if (bare === "" || STOP_WORDS.has(word) || QUESTION_WORDS.has(word)) continue;
    const isName = token.includes("`") || /[\p{Lu}_.:#]/u.test(bare);
    if (name !== undefined || !isName) return undefined;
    name = bare;
  }
  return name;
}
