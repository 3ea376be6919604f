const FIELD = /^( *)([\w-]{1,40}):(?: +(.*))?$/;

/**
 * Reads the fields of the YAML below a test point by name, including nested ones (vitest puts the message below
 * `error`). A YAML parser would reject the quoted values with line breaks that TAP runners write.
 */
export function readFields(lines: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (let i = 0; i < lines.length; i++) {
    const match = FIELD.exec(lines[i] ?? "");
    if (match === null) continue;
    const [, blanks = "", key = "", raw = ""] = match;
    const rest = lines.slice(i + 1);
    const value = raw.trim();
    const taken = /^[|>][-+]?$|^$/.test(value)
      ? block(rest, blanks.length)
      : /^["'](?!.*["']$)/.test(value) || value === '"'
        ? quoted(value, rest)
        : { text: unquote(value), used: 0 };
    // The fields of a nested map such as `error:` are read as fields of the block; below other keys, such as
    // `expected:`, the nested map is the value.
    const nested = value === "" && (key === "error" || key === "at");
    if (!fields.has(key) && !nested) fields.set(key, taken.text);
    if (!nested) i += taken.used;
  }
  return fields;
}

export function block(lines: readonly string[], indent: number): { text: string; used: number } {
  let used = 0;
  while (used < lines.length) {
    const line = lines[used] ?? "";
    if (line.trim() !== "" && line.length - line.trimStart().length <= indent) break;
    used++;
  }
  const body = lines.slice(0, used);
  const margins = body
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const margin = margins.length === 0 ? 0 : Math.min(...margins);
  return {
    text: body
      .map((line) => line.slice(margin))
      .join("\n")
      .trim(),
    used,
  };
}

function quoted(first: string, lines: readonly string[]): { text: string; used: number } {
  const quote = first[0] ?? '"';
  const end = lines.findIndex((line) => line.endsWith(quote) && !line.endsWith(`\\${quote}`));
  if (end < 0) return { text: unquote(first), used: 0 };
  return { text: unquote([first, ...lines.slice(0, end + 1)].join("\n")), used: end + 1 };
}

export function unquote(text: string): string {
  const match = /^(["'])([\s\S]*)\1$/.exec(text);
  if (match === null) return text;
  const inside = match[2] ?? "";
  return match[1] === "'"
    ? inside.replaceAll("''", "'")
    : inside.replaceAll(String.raw`\"`, '"').replaceAll(String.raw`\n`, "\n");
}
