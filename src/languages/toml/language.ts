import { keySignature, selectKeys } from "../keys.ts";
import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { linesOf } from "../lines.ts";

/** TOML: tables and their keys. */
export const toml: Language = {
  id: "toml",
  name: "TOML",
  extensions: [".toml"],
  fileNames: ["cargo.lock", "poetry.lock", "uv.lock", "pipfile", "gopkg.lock"],
  holds: "tables and keys",
  outline: { by: "scanner", separator: ".", scan },
};

const TABLE = /^\s*\[\[?\s*((?:"[^"]*"|'[^']*'|[^\]"'])+?)\s*\]\]?\s*(?:#.*)?$/u;
const PAIR = /^\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*=\s*(.*)$/u;

type Open = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

function scan(text: string): Scanned {
  const lines = linesOf(text);
  const symbols: Open[] = [];
  let table: Open | undefined;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line.length > 2000 || /^\s*(?:#|$)/u.test(line)) continue;
    const name = TABLE.exec(line)?.[1];
    if (name !== undefined) {
      table = {
        kind: "section",
        name,
        signature: line.trim(),
        lineStart: index + 1,
        lineEnd: index + 1,
        depth: 1,
      };
      table.qualifiedName = name;
      symbols.push(table);
      continue;
    }
    const [, key, value = ""] = PAIR.exec(line) ?? [];
    if (key === undefined) continue;
    const end = valueEnd(lines, index, value);
    const shown = end > index ? "" : value.replace(/\s+#[^"']*$/u, "");
    symbols.push({
      kind: "key",
      name: key.replace(/["'\s]/gu, ""),
      signature: keySignature(key, shown),
      lineStart: index + 1,
      lineEnd: end + 1,
      depth: table === undefined ? 1 : 2,
    });
    if (table !== undefined) table.lineEnd = end + 1;
    index = end;
  }
  return { symbols: selectKeys(symbols) };
}

/** Returns the number of the last line of a value; lists and strings in triple quotes may span several lines. */
function valueEnd(lines: readonly string[], start: number, value: string): number {
  const quote = /^("""|''')/u.exec(value)?.[1];
  if (quote !== undefined && !value.slice(3).includes(quote)) {
    const end = lines.findIndex((line, index) => index > start && line.includes(quote));
    return end < 0 ? start : end;
  }
  if (!/^[[{]/u.test(value)) return start;
  let depth = brackets(value);
  for (let index = start + 1; depth > 0 && index < lines.length; index += 1) {
    depth += brackets(lines[index] ?? "");
    if (depth <= 0) return index;
  }
  return start;
}

function brackets(line: string): number {
  let depth = 0;
  for (const [token] of line.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$|[[\]{}]/gu))
    depth += token === "[" || token === "{" ? 1 : token === "]" || token === "}" ? -1 : 0;
  return depth;
}
