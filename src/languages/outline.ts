import type { Outline } from "../model/symbol.ts";
import { parserFor } from "./grammar.ts";
import type { Grammar } from "./language.ts";
import { languageById } from "./registry.ts";
import { walkTree } from "./walk.ts";

export interface OutlineOptions {
  /** A hostile text is given up after this time; its outline is then empty and marked with errors. */
  readonly deadlineMs?: number;
}

/** Ten times what the slowest real file of 1 MB takes. */
const DEFAULT_DEADLINE_MS = 5000;

/** The symbols and imports of a text. A text that does not parse gives what can be read of it. */
export async function outlineOf(
  text: string,
  languageId: string,
  options: OutlineOptions = {},
): Promise<Outline> {
  const language = languageById(languageId);
  const empty: Outline = { language: languageId, symbols: [], imports: [], hasErrors: false };
  if (language === undefined || text === "") return empty;
  const deadline = performance.now() + (options.deadlineMs ?? DEFAULT_DEADLINE_MS);
  if (language.outline.by === "scanner") throw new Error("later");
  return parseOutline(text, { languageId, grammar: language.outline, deadline });
}

async function parseOutline(
  text: string,
  { languageId, grammar, deadline }: { languageId: string; grammar: Grammar; deadline: number },
): Promise<Outline> {
  const { parser, compiled } = await parserFor(grammar);
  const isLate = (): boolean => performance.now() > deadline;
  parser.setLanguage(compiled.language);
  const tree = parser.parse(text, null, { progressCallback: isLate });
  if (tree === null) {
    parser.reset();
    return { language: languageId, symbols: [], imports: [], hasErrors: true };
  }
  try {
    const { symbols, imports } = walkTree(tree, text, compiled, isLate);
    return { language: languageId, symbols, imports, hasErrors: tree.rootNode.hasError };
  } finally {
    tree.delete();
  }
}
