/** How a JSON file is laid out, so that what is added looks like the rest. */
export interface JsonStyle {
  readonly eol: string;
  /** One level of indentation. */
  readonly unit: string;
}

/** Reads the layout off a text: its first line end and its first indented line. */
export function styleOf(text: string): JsonStyle {
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /\n([ \t]+)["[{/]/.exec(text)?.[1] ?? "  ",
  };
}

/** The white space in front of the line that an offset is in. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** A value as text: objects over several lines, lists on one, as people write them. */
export function layOut(value: unknown, indent: string, style: JsonStyle): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => layOut(item, indent, style)).join(", ")}]`;
  const inner = indent + style.unit;
  const lines = Object.entries(value).map(
    ([key, field]) => `${inner}${JSON.stringify(key)}: ${layOut(field, inner, style)}`,
  );
  return lines.length === 0 ? "{}" : `{${style.eol}${lines.join(`,${style.eol}`)}${style.eol}${indent}}`;
}
