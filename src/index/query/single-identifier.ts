import { STOP_WORDS } from "../text/words.ts";

/** Words that ask for a definition, or say what it is, beside its name. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  `define defined defines definition definitions declare declared declares declaration declarations implement implements
  implemented implementation class function method struct interface trait enum type module constant variable object file code
  source usage usages find show locate explain describe look search see`.split(/\s+/),
);

/** The one name that a question is about: `Foo` in "where is Foo defined?". A plain word is none unless it is marked as code. */
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
