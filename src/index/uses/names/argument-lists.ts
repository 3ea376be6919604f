/** What stands between the parentheses after a name, in Java, C# and C++. */
export interface ArgumentList {
  /** The entries without comments, strings and line breaks. */
  readonly entries: readonly string[];
  /** False if angle brackets may also compare numbers, so that the number of entries is not known. */
  readonly isCounted: boolean;
}

/** Matches what may contain brackets and commas that count for nothing. */
const IGNORED = /\/\/[^\n]*|\/\*[^]*?\*\/|"""[^]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gu;
/** Number of characters of a text that are searched for the end of a list. */
const MAX_LENGTH = 4000;

/** Returns the lists in parentheses directly after a name that begin on a line. */
export function listsAfter(lines: readonly string[], line: number, name: string): readonly ArgumentList[] {
  const [first = ""] = lines.slice(line - 1, line);
  const rest = lines
    .slice(line - 1, line + 40)
    .join("\n")
    .slice(0, MAX_LENGTH);
  const found: ArgumentList[] = [];
  // The ignored parts keep their length, so that places in the line stay the same.
  const plain = rest.replaceAll(IGNORED, (part) => "0".padEnd(part.length));
  for (let at = plain.indexOf(name); at >= 0 && at < first.length; at = plain.indexOf(name, at + 1)) {
    const opened = /^\s*(?:<[\w\s,.?<>[\]]*>)?\s*\(/u.exec(plain.slice(at + name.length))?.[0];
    const isPart = /[\w$]/u.test(plain[at - 1] ?? "");
    const list = opened === undefined || isPart ? undefined : listAt(plain, at + name.length + opened.length);
    if (list !== undefined) found.push(list);
  }
  return found;
}

function listAt(text: string, first: number): ArgumentList | undefined {
  const entries: string[] = [];
  let depth = 0;
  let angles = 0;
  let begin = first;
  for (let at = first; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (mark === "<") angles++;
    else if (mark === ">" && angles > 0 && text[at - 1] !== "-" && text[at - 1] !== "=") angles--;
    else if ("([{".includes(mark)) depth++;
    else if (depth > 0 && ")]}".includes(mark)) depth--;
    else if (depth === 0 && mark === ")") {
      const last = text.slice(begin, at).trim();
      if (last !== "" || entries.length > 0) entries.push(last);
      return { entries, isCounted: angles === 0 };
    } else if (depth === 0 && angles === 0 && mark === ",") {
      entries.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  return undefined;
}
