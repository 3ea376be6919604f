import { isDeepStrictEqual } from "node:util";
import { parse as parseToml, TomlError } from "smol-toml";
import { type Entry, type EntryValue, fieldsOf } from "./client.ts";
import { FileProblem, lineAt } from "./file-problem.ts";
import { scanToml, type TomlHeader, type TomlItem } from "./toml-scan.ts";

/** Parses a TOML file. */
export function readToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [reason = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    throw new FileProblem(error.line, reason);
  }
}

/** Returns the TOML text with a table added at the end, or with the table's keys updated. Nothing else changes. */
export function setTomlEntry(text: string, path: readonly string[], entry: Entry): string {
  const before = readToml(text);
  const current = tomlEntry(before, path);
  const edited = current === undefined ? append(text, path, entry) : update(text, path, entry);
  return verified(edited, withEntry(before, path, { ...current, ...entry }), text, path);
}

/** Returns the TOML text without the table and its subtables; undefined if nothing is left. */
export function removeTomlEntry(text: string, path: readonly string[]): string | undefined {
  const before = readToml(text);
  if (tomlEntry(before, path) === undefined) return text;
  const edited = removeTables(text, path);
  verified(edited, withEntry(before, path, undefined), text, path);
  return edited.trim() === "" ? undefined : edited;
}

/** Returns the fields of the table under a path of keys; undefined if there is none. */
export function tomlEntry(
  document: unknown,
  path: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  let value = document;
  for (const key of path) value = fieldsOf(value)[key];
  return value === undefined ? undefined : fieldsOf(value);
}

function append(text: string, path: readonly string[], entry: Entry): string {
  const eol = eolOf(text);
  const lines = [`[${path.join(".")}]`, ...Object.entries(entry).map(([key, value]) => pair(key, value))];
  const start = text.trim() === "" ? "" : `${text}${text.endsWith("\n") ? "" : eol}${eol}`;
  return `${start}${lines.join(eol)}${eol}`;
}

function update(text: string, path: readonly string[], entry: Entry): string {
  const present = fieldsOf(tomlEntry(readToml(text), path));
  let edited = text;
  for (const [key, value] of Object.entries(entry))
    if (!isDeepStrictEqual(present[key], value)) edited = setKey(edited, path, key, value);
  return edited;
}

function setKey(text: string, path: readonly string[], key: string, value: EntryValue): string {
  const table = tablesOf(scanToml(text)).find(({ header }) => isDeepStrictEqual(header.path, path));
  if (table === undefined) throw notATable(text, path);
  const existing = table.items.find((item) => item.kind === "pair" && isDeepStrictEqual(item.path, [key]));
  if (existing?.kind === "pair")
    return text.slice(0, existing.valueStart) + valueText(value) + text.slice(existing.end);
  const { end } = table.header;
  const line = text.indexOf("\n", end);
  const at = line < 0 ? text.length : line + 1;
  const eol = eolOf(text);
  return `${text.slice(0, at)}${line < 0 ? eol : ""}${pair(key, value)}${eol}${text.slice(at)}`;
}

interface Table {
  readonly header: TomlHeader;
  readonly items: readonly TomlItem[];
}

function tablesOf(items: readonly TomlItem[]): readonly Table[] {
  const headers = items.filter((item) => item.kind === "header");
  return headers.map((header, index) => {
    const next = headers[index + 1]?.start ?? Infinity;
    return { header, items: items.filter(({ start }) => start > header.start && start < next) };
  });
}

/** Removes tables as whole lines, together with the empty line that separates a table from the text above it. */
function removeTables(text: string, path: readonly string[]): string {
  const tables = tablesOf(scanToml(text)).filter(({ header }) =>
    isDeepStrictEqual(header.path.slice(0, path.length), path),
  );
  if (tables.length === 0) throw notATable(text, path);
  let edited = text;
  for (const { header, items } of tables.toReversed()) {
    const start = edited.lastIndexOf("\n", header.start) + 1;
    const newline = edited.indexOf("\n", items.at(-1)?.end ?? header.end);
    const above = edited.slice(0, start).replace(/(^|\n)[ \t]*\r?\n$/, "$1");
    edited = above + (newline < 0 ? "" : edited.slice(newline + 1));
  }
  return edited;
}

function notATable(text: string, path: readonly string[]): FileProblem {
  const [first] = path;
  const item = scanToml(text).find((candidate) => candidate.path[0] === first);
  return new FileProblem(
    lineAt(text, item?.start ?? 0),
    `${path.join(".")} is not written as a [${path.join(".")}] table; edit it by hand`,
  );
}

/** Returns the edited text after checking that its content is the same as before, except for Pith's entry. */
function verified(edited: string, expected: unknown, original: string, path: readonly string[]): string {
  let found: unknown;
  try {
    found = readToml(edited);
  } catch (error) {
    if (error instanceof FileProblem) throw notATable(original, path);
    throw error;
  }
  if (!isDeepStrictEqual(plain(found), plain(expected))) throw notATable(original, path);
  return edited;
}

/**
 * Makes parsed documents comparable: removes the parser's prototypes, and tables that exist only because they have
 * subtables.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, field]) => [key, plain(field)] as const)
      .filter(([, field]) => !isDeepStrictEqual(field, {})),
  );
}

function withEntry(document: unknown, path: readonly string[], entry: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return entry;
  const fields = fieldsOf(document);
  const { [key]: current, ...others } = fields;
  const value = withEntry(current, rest, entry);
  return value === undefined ? others : { ...others, [key]: value };
}

function pair(key: string, value: EntryValue): string {
  return `${key} = ${valueText(value)}`;
}

/** Formats a value as TOML. JSON's notation is used, because JSON strings, lists and booleans are also valid TOML. */
function valueText(value: EntryValue): string {
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
