/** One command of a plain line, and how it is joined to the command before it. */
export interface PlainCommand {
  readonly words: readonly string[];
  readonly join: "first" | "and" | "then" | "pipe";
}

/** Matches one part of a line: an operator, a redirection without effect, a quoted text, or unquoted characters. */
const PART =
  /(?<space>[ \t]+)|(?<operator>&&|;|\|(?!\|))|(?<discard>2>(?:&1|\/dev\/null)(?=[ \t;|&]|$))|'(?<single>[^'\n]*)'|"(?<double>[^"$`\\!\n]*)"|(?<plain>[\w@%+=:,./*?{}[\]^-]+)/y;

/**
 * Splits a line into its commands, if every character of it is understood: words, quotes without expansions, `&&`, `;`,
 * pipes and `2>&1`. Undefined for anything else, because then it is not certain what the line does.
 */
export function readPlainLine(text: string): PlainCommand[] | undefined {
  const line = text.trim();
  const commands: { words: string[]; join: PlainCommand["join"] }[] = [{ words: [], join: "first" }];
  let word: string | undefined;
  const close = (): void => {
    if (word !== undefined) commands.at(-1)?.words.push(word);
    word = undefined;
  };
  PART.lastIndex = 0;
  while (PART.lastIndex < line.length) {
    const groups = PART.exec(line)?.groups;
    if (groups === undefined) return undefined;
    const { operator, discard, single, double, plain } = groups;
    const text = single ?? double ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    // The digit belongs to a word if it is not separate, as in `a2>&1`.
    else if (discard !== undefined && word !== undefined) return undefined;
    else close();
    if (operator !== undefined) commands.push({ words: [], join: JOINS[operator] ?? "then" });
  }
  close();
  const isWhole = commands.every(
    ({ words }) => words.length > 0 && words.every((one) => !/^[{}]$/.test(one)),
  );
  return isWhole ? commands : undefined;
}

const JOINS: Readonly<Record<string, PlainCommand["join"]>> = { "&&": "and", ";": "then", "|": "pipe" };
