import { scanWords } from "../text/terms.ts";
import { enclosingLines } from "./enclosing-lines.ts";

/** The parts of a change that name what it is about. */
export interface ChangedPart {
  /** The line that begins the definition around the change, as git finds it; empty if there is none. */
  readonly heading: string;
  /** The number of the first changed line in the new text. */
  readonly start?: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Weights by where a name stands: the definition around a change, a definition in it, or elsewhere in it. */
const WEIGHTS = { heading: 3, definition: 3, line: 1 } as const;
/** More names than this belong to a rewrite, of which any part says enough. */
const MAX_NAMES = 200;
const DEFINITION =
  /\b(?:def|class|function|func|fn|struct|enum|trait|interface|type|module|impl|const|let|var|val|fun|public|private|protected|static|export)\b/;
/** Words of most languages, which name nothing. */
const COMMON = new Set(
  `and any args array assert async await bool boolean break case catch char class const continue def default del delete do
  double elif else end enum err error except export extends false final finally float for foreach from fun func function
  get global if impl implements import include in instanceof int integer interface is isinstance kwargs lambda len let list
  long map match mod module mut namespace new nil none None not null number object of or override package pass print private
  protected pub public raise range require require_relative rescue return self set static str string String struct super
  switch template this throw throws trait true True False try tuple type typedef typename typeof undefined union unless
  unsigned until use using val value var virtual void when where while with yield the that data name result key index item`.split(
    /\s+/,
  ),
);

/** Collects the names of a change with their weights. The new text of the file tells which definitions enclose it. */
export function changedNames(parts: readonly ChangedPart[], text = ""): ReadonlyMap<string, number> {
  const lines = text === "" ? [] : text.split("\n");
  const names = new Map<string, number>();
  const add = (text: string, weight: number): void =>
    scanWords(text, 0, text.length, (word) => {
      if (word.length < 3 || COMMON.has(word)) return;
      const known = names.get(word);
      if (known === undefined && names.size >= MAX_NAMES) return;
      names.set(word, Math.max(weight, known ?? 0));
    });
  for (const { heading, start } of parts)
    for (const line of [
      ...(start === undefined || lines.length === 0 ? [] : enclosingLines(lines, start)),
      heading,
    ])
      add(nameIn(line), WEIGHTS.heading);
  for (const { removed, added } of parts)
    for (const line of [...removed, ...added])
      if (DEFINITION.test(line)) add(nameIn(line), WEIGHTS.definition);
  for (const { removed, added } of parts)
    for (const line of [...removed, ...added]) add(withoutComment(line), WEIGHTS.line);
  return names;
}

/** The text of a line up to its parameters or its value, where the name of a definition stands. */
function nameIn(line: string): string {
  return line.split(/[({=:]/, 1)[0] ?? "";
}

function withoutComment(line: string): string {
  return line.replace(/^\s*(?:\/\/|#(?!include|\[)|\*|\/\*|--|;).*/, "");
}
