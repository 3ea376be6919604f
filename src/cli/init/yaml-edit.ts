import type { Entry, EntryValue } from "./client.ts";
import { FileProblem } from "./file-problem.ts";

/**
 * Returns the YAML text with an entry added under two keys, or with the entry's fields updated. Nothing else changes. Only
 * mappings in block form are edited, the form in which programs write their settings.
 */
export function setYamlEntry(text: string, path: readonly string[], entry: Entry): string {
  const { lines, eol } = split(text);
  const found = find(lines, path);
  const fields = (indent: string): string[] =>
    Object.entries(entry).map(([key, value]) => `${indent}${key}: ${valueText(value)}`);
  const [container = "", name = ""] = path;
  if (found.entry !== undefined) return join(updated(lines, found.entry, entry), eol);
  if (found.container === undefined) {
    const start = text.trim() === "" ? [] : lines;
    return join([...start, `${container}:`, `  ${name}:`, ...fields("    ")], eol);
  }
  const { line, indent } = found.container;
  const header = (lines[line] ?? "").replace(/\s*\{\s*\}/, "");
  const added = [header, `${indent}${name}:`, ...fields(indent + indent)];
  return join([...lines.slice(0, line), ...added, ...lines.slice(line + 1)], eol);
}

/** Returns the YAML text without the entry and without a parent that becomes empty; undefined if nothing is left. */
export function removeYamlEntry(text: string, path: readonly string[]): string | undefined {
  const { lines, eol } = split(text);
  const { container, entry } = find(lines, path);
  if (container === undefined || entry === undefined) return text;
  const isAlone = !lines.some(
    (line, at) =>
      at > container.line && at < container.end && (at < entry.line || at >= entry.end) && isContent(line),
  );
  const from = isAlone ? container.line : entry.line;
  const edited = join([...lines.slice(0, from), ...lines.slice(entry.end)], eol);
  return edited.trim() === "" ? undefined : edited;
}

/** Returns the fields of the entry under two keys; undefined if there is none. */
export function yamlEntry(
  text: string,
  path: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  const { lines } = split(text);
  const { entry } = find(lines, path);
  if (entry === undefined) return undefined;
  const fields = lines.slice(entry.line + 1, entry.end).flatMap((line) => {
    const field = /^(\s+)([\w-]+):\s*(.*?)\s*$/.exec(line);
    return field?.[1] === entry.indent ? [[field[2] ?? "", valueOf(field[3] ?? "")] as const] : [];
  });
  return Object.fromEntries(fields);
}

/** A mapping in block form: the line of its key, the line after its last one, and the indentation of its own keys. */
interface Block {
  readonly line: number;
  readonly end: number;
  readonly indent: string;
}

function find(lines: readonly string[], path: readonly string[]): { container?: Block; entry?: Block } {
  const [container = "", name = ""] = path;
  const at = lines.findIndex((line) => line.startsWith(`${container}:`));
  if (at < 0) return {};
  if (!/^[\w.-]+:\s*(?:\{\s*\}\s*)?(?:#.*)?$/.test(lines[at] ?? ""))
    throw new FileProblem(at + 1, `${container} is not a mapping in block form; edit it by hand`);
  const outer = blockAt(lines, at, "");
  const line = lines.findIndex(
    (text, index) => index > at && index < outer.end && text.startsWith(`${outer.indent}${name}:`),
  );
  if (line < 0) return { container: outer };
  if (!/:\s*(?:#.*)?$/.test(lines[line] ?? ""))
    throw new FileProblem(line + 1, `${path.join(".")} is not a mapping in block form; edit it by hand`);
  return { container: outer, entry: blockAt(lines, line, outer.indent) };
}

function blockAt(lines: readonly string[], line: number, indent: string): Block {
  let end = line + 1;
  let inner: string | undefined;
  for (let at = line + 1; at < lines.length; at++) {
    const text = lines[at] ?? "";
    if (!isContent(text)) continue;
    const own = /^ */.exec(text)?.[0] ?? "";
    if (own.length <= indent.length) break;
    inner ??= own;
    end = at + 1;
  }
  return { line, end, indent: inner ?? `${indent}  ` };
}

/** Replaces the entry's fields, with their continuation lines, and adds missing ones at its end. */
function updated(lines: readonly string[], { line, end, indent }: Block, entry: Entry): readonly string[] {
  const body = lines.slice(line + 1, end);
  for (const [key, value] of Object.entries(entry)) {
    const text = `${indent}${key}: ${valueText(value)}`;
    const at = body.findIndex((one) => one.startsWith(`${indent}${key}:`));
    if (at < 0) {
      body.push(text);
      continue;
    }
    let after = at + 1;
    // A list may be indented as far as its key.
    while (after < body.length && new RegExp(`^${indent}(?: |-)`).test(body[after] ?? "")) after++;
    body.splice(at, after - at, text);
  }
  return [...lines.slice(0, line + 1), ...body, ...lines.slice(end)];
}

function isContent(line: string): boolean {
  return !/^\s*(?:#.*)?$/.test(line);
}

/** Formats a value as YAML. JSON's notation is used, because it is also valid YAML. */
function valueText(value: EntryValue): string {
  return typeof value === "string" && /^[A-Za-z][\w.-]*$/.test(value) ? value : JSON.stringify(value);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Everything that is not JSON is a plain YAML string; it only needs to differ from what would be written.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function split(text: string): { readonly lines: string[]; readonly eol: string } {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return { lines, eol };
}

function join(lines: readonly string[], eol: string): string {
  return lines.map((line) => line + eol).join("");
}
