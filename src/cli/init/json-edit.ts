import { type Node, type ParseError, getNodeValue, parseTree, printParseErrorCode } from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import { type Entry, fieldsOf } from "./client.ts";
import { FileProblem, lineAt } from "./file-problem.ts";

/** Parses a JSON file, allowing comments and trailing commas; undefined for an empty file. */
export function readJson(text: string): unknown {
  const root = parse(text);
  return root === undefined ? undefined : getNodeValue(root);
}

/**
 * Returns the JSON text with an entry added under a path of keys, or with the entry's fields updated. Nothing else
 * changes.
 */
export function setJsonEntry(text: string, path: readonly string[], entry: Entry): string {
  const root = parse(text);
  if (root === undefined) {
    const style = styleOf(text);
    const start = text.trim() === "" ? "" : text.trimEnd() + style.eol;
    return `${start}${layOut(nest(path, entry), "", style)}${style.eol}`;
  }
  const { node, rest } = descend(text, root, path);
  const [key, ...below] = rest;
  if (key !== undefined) return insertProperty(text, node, key, nest(below, entry));
  if (node.type !== "object" || pointsElsewhere(node))
    return replace(text, node, layOutAt(text, node, entry));
  return Object.entries(entry).reduce((edited, [field, value]) => setField(edited, path, field, value), text);
}

/** Returns the JSON text without the entry and without parents that become empty; undefined if nothing is left. */
export function removeJsonEntry(text: string, path: readonly string[]): string | undefined {
  const root = parse(text);
  if (root === undefined) return text;
  const { node, rest } = descend(text, root, path);
  const property = node.parent;
  if (rest.length > 0 || property?.parent === undefined) return text;
  const edited = removeProperty(text, property.parent, property);
  const parents = path.slice(0, -1);
  const above = descend(edited, parse(edited) ?? root, parents);
  if (!isBare(edited, above.node)) return edited;
  if (parents.length > 0) return removeJsonEntry(edited, parents);
  return edited.replace(/\{\s*\}/, "").trim() === "" ? undefined : edited;
}

function parse(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  // A file that contains only comments has no value yet, which is not an error.
  if (root === undefined && errors.every(({ error }) => printParseErrorCode(error) === "ValueExpected"))
    return undefined;
  if (first !== undefined) throw new FileProblem(lineAt(text, first.offset), words(first));
  if (root?.type !== "object") throw new FileProblem(1, "the file does not hold an object");
  return root;
}

function words({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

interface Found {
  readonly node: Node;
  /** The last keys of the path, which do not exist in the document. */
  readonly rest: readonly string[];
}

/** Follows a path of keys as far as it exists. Of several equal keys the last one counts, as for every JSON parser. */
function descend(text: string, root: Node, path: readonly string[]): Found {
  let node = root;
  for (const [index, key] of path.entries()) {
    if (node.type !== "object")
      throw new FileProblem(lineAt(text, node.offset), `${path.slice(0, index).join(".")} is not an object`);
    const value = propertyOf(node, key)?.children?.[1];
    if (value === undefined) return { node, rest: path.slice(index) };
    node = value;
  }
  return { node, rest: [] };
}

function propertyOf(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key);
}

/**
 * True if the entry describes a server reached by URL; it has no fields in common with a server that is started by a
 * command.
 */
function pointsElsewhere(node: Node): boolean {
  return ["url", "httpUrl", "serverUrl"].some((key) => propertyOf(node, key) !== undefined);
}

function setField(text: string, path: readonly string[], field: string, value: unknown): string {
  const root = parse(text);
  if (root === undefined) return text;
  const { node, rest } = descend(text, root, [...path, field]);
  if (rest.length > 0) return insertProperty(text, node, field, value);
  return isDeepStrictEqual(getNodeValue(node), value)
    ? text
    : replace(text, node, layOutAt(text, node, value));
}

function nest(path: readonly string[], entry: Entry): unknown {
  return path.reduceRight<unknown>((value, key) => ({ [key]: value }), entry);
}

function layOutAt(text: string, node: Node, value: unknown): string {
  return layOut(value, indentAt(text, node.offset), styleOf(text));
}

function replace(text: string, { offset, length }: Node, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length);
}

function insertProperty(text: string, object: Node, key: string, value: unknown): string {
  const style = styleOf(text);
  const last = object.children?.at(-1);
  if (last === undefined) return fillObject(text, object, key, value);
  const end = last.offset + last.length;
  if (!text.slice(object.offset, last.offset).includes("\n"))
    return `${text.slice(0, end)}, ${JSON.stringify(key)}: ${JSON.stringify(value)}${text.slice(end)}`;
  const indent = indentAt(text, last.offset);
  const property = `${style.eol}${indent}${JSON.stringify(key)}: ${layOut(value, indent, style)}`;
  const tail = scanTail(text, end);
  return tail.comma === undefined
    ? `${text.slice(0, end)},${text.slice(end, tail.end)}${property}${text.slice(tail.end)}`
    : `${text.slice(0, tail.end)}${property},${text.slice(tail.end)}`;
}

/** Adds a property to an object that has none, after any comments in it. */
function fillObject(text: string, object: Node, key: string, value: unknown): string {
  const style = styleOf(text);
  const close = object.offset + object.length - 1;
  const inner = text.slice(object.offset + 1, close).trimEnd();
  const indent = indentAt(text, object.offset);
  const child = indent + style.unit;
  const property = `${style.eol}${child}${JSON.stringify(key)}: ${layOut(value, child, style)}${style.eol}${indent}`;
  return text.slice(0, object.offset + 1) + inner + property + text.slice(close);
}

interface Tail {
  /** The offset of the comma that follows the property; undefined if there is none. */
  readonly comma: number | undefined;
  /** The offset at which the comma, and comments on the same line, end. */
  readonly end: number;
}

/** Matches white space, a comment, or any other single character. */
const TOKENS = /\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|[^]/g;

/** Finds what follows a property: its comma, possibly on a later line, and the comments on its line. */
function scanTail(text: string, from: number): Tail {
  let comma: number | undefined;
  let end = from;
  let newline = false;
  for (const { 0: token, index } of text.slice(from).matchAll(TOKENS)) {
    const at = from + index;
    if (token === "," && comma === undefined) {
      comma = at;
      end = at + 1;
      newline = false;
    } else if (token.trim() === "") newline ||= token.includes("\n");
    else if (!token.startsWith("/")) break;
    else if (!newline) end = at + token.length;
  }
  return { comma, end };
}

/** Removes a property with the white space before it and one comma. Comments around it stay. */
function removeProperty(text: string, object: Node, property: Node): string {
  const siblings = object.children ?? [];
  const index = siblings.indexOf(property);
  const previous = siblings[index - 1];
  const isLast = index === siblings.length - 1;
  const end = property.offset + property.length;
  const start = text.slice(0, property.offset).trimEnd().length;
  const gap = text.slice(start, property.offset);
  const own = scanTail(text, end).comma;
  const lead = previous && isLast ? scanTail(text, previous.offset + previous.length).comma : undefined;
  // If there is a comma on both sides of the removed property, only one is removed: the one after it, or on a single
  // line the one before it.
  const takesOwn = own !== undefined && (lead === undefined || gap.includes("\n"));
  const rest = takesOwn ? text.slice(end, own) + text.slice(own + 1) : text.slice(end);
  const before = takesOwn || lead === undefined ? text.slice(0, start) : without(text.slice(0, start), lead);
  const from = previous ? previous.offset + previous.length : object.offset + 1;
  // If a line comment stands before the removed property, the line end after the comment is kept, so that nothing
  // follows it on its line.
  const kept = endsInLineComment(text.slice(from, start)) && !/^[ \t]*\r?\n/.test(rest) ? gap : "";
  if (siblings.length === 1) return closeUp(before + kept + rest, object.offset);
  return before + kept + (index === 0 && !gap.includes("\n") ? rest.trimStart() : rest);
}

function endsInLineComment(trivia: string): boolean {
  return trivia.match(TOKENS)?.at(-1)?.startsWith("//") ?? false;
}

function without(text: string, at: number): string {
  return text.slice(0, at) + text.slice(at + 1);
}

/** Joins the braces of an empty object that are left on two lines. */
function closeUp(text: string, open: number): string {
  return text.slice(0, open) + text.slice(open).replace(/^\{\s*\}/, "{}");
}

/** True if an object holds neither properties nor comments. */
function isBare(text: string, node: Node): boolean {
  return node.type === "object" && text.slice(node.offset + 1, node.offset + node.length - 1).trim() === "";
}

/** Returns the fields of the entry under a path of keys; undefined if there is none. */
export function jsonEntry(
  text: string,
  path: readonly string[],
): Readonly<Record<string, unknown>> | undefined {
  let value = readJson(text);
  for (const key of path) value = fieldsOf(value)[key];
  return value === undefined ? undefined : fieldsOf(value);
}

/** The layout of a JSON file, which additions imitate. */
interface JsonStyle {
  readonly eol: string;
  /** The white space of one level of indentation. */
  readonly unit: string;
}

/** Detects the layout of a text from its line ends and its first indented line. */
function styleOf(text: string): JsonStyle {
  return {
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    unit: /\n([ \t]+)["[{/]/.exec(text)?.[1] ?? "  ",
  };
}

/** Returns the indentation of the line that contains an offset. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** Formats a value as JSON, with objects over several lines and lists on one line. */
function layOut(value: unknown, indent: string, style: JsonStyle): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => layOut(item, indent, style)).join(", ")}]`;
  const inner = indent + style.unit;
  const lines = Object.entries(value).map(
    ([key, field]) => `${inner}${JSON.stringify(key)}: ${layOut(field, inner, style)}`,
  );
  return lines.length === 0 ? "{}" : `{${style.eol}${lines.join(`,${style.eol}`)}${style.eol}${indent}}`;
}
