import type { SymbolKind, Visibility } from "../model/symbol.ts";
import { docAbove, firstSentence } from "./doc-comment.ts";
import type { IndentedRule, IndentedShape } from "./indented-shape.ts";
import type { ScannedSymbol } from "./language.ts";
import { TITLE_JOINT } from "./parse/test-blocks.ts";
import { oneLine } from "./signature.ts";

/** Maximum number of characters of a documentation text that are searched for its first sentence. */
export const MAX_DOC = 2_000;

export type MutableSymbol = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface Open {
  /** The symbol that the block defines; undefined for a block without a name. */
  readonly symbol: MutableSymbol | undefined;
  readonly indent: number;
  /** The kind of type that the block contains the members of, if the symbol is a function that returns the type. */
  readonly returns?: SymbolKind | undefined;
}

export interface Line {
  readonly number: number;
  /** Offset of the first character of the line. */
  readonly start: number;
  /** Text of the line without surrounding spaces. */
  readonly text: string;
  readonly indent: number;
}

export interface State {
  readonly text: string;
  readonly shape: IndentedShape;
  readonly symbols: MutableSymbol[];
  readonly open: Open[];
  /** Number of the last line that is not a comment. */
  lastLine: number;
  /** Offset of the documentation that was read for the next definition, or -1 if there is none. */
  doc: number;
}

export interface Place {
  readonly line: Line;
  readonly outer: MutableSymbol | undefined;
  readonly visibility: Visibility | undefined;
  readonly state: State;
}

export function add(whole: string, kind: SymbolKind, { line, outer, visibility, state }: Place): void {
  const { shape, symbols, open } = state;
  const parts = /^\w/u.test(whole) ? whole.split(".") : [whole];
  const name = parts.at(-1) ?? whole;
  const depth = open.filter(({ indent }) => indent < line.indent).length + 1;
  const doc = docOf(line, state);
  const last = symbols.at(-1);
  // The title of a group of tests is no part of the names inside it.
  const holder =
    outer?.kind === "suite" ? open.find(({ symbol }) => symbol?.kind === "module")?.symbol : outer;
  // Consecutive clauses of one function make up a single symbol.
  if (last !== undefined && last.kind === kind && last.name === name && last.depth === depth) {
    open.push({ symbol: last, indent: line.indent });
    return;
  }
  const symbol: MutableSymbol = {
    kind,
    name,
    qualifiedName: [...(holder === undefined ? [] : [holder.qualifiedName]), ...parts].join(shape.separator),
    signature: signatureAt(line.start, state),
    lineStart: line.number,
    lineEnd: line.number,
    depth,
    ...(visibility !== undefined && { visibility }),
    ...(doc !== undefined && { doc }),
  };
  symbols.push(symbol);
  open.push({ symbol, indent: line.indent });
}

function docOf({ start }: Line, state: State): string | undefined {
  const { text, shape, doc: at } = state;
  state.doc = -1;
  if (at < 0) return docAbove(text, start, shape.comments)?.replace(/^[|^]\s*/u, "");
  const found = shape.docs?.text.exec(text.slice(at, at + MAX_DOC))?.[1];
  return found === undefined ? undefined : firstSentence(found);
}

/** Maximum number of characters that are read for a signature that spans several lines. */
const MAX_SIGNATURE = 600;

/**
 * Returns the signature that begins at an offset. It ends with the first line at which all brackets are closed, or with
 * its first line if they never are.
 */
function signatureAt(start: number, { text, shape }: State): string {
  const [head = ""] = text.slice(start, start + MAX_SIGNATURE).split(/\n\s*\n/u, 1);
  const lines = head.split("\n");
  let depth = 0;
  let count = 0;
  do {
    const line = lines[count] ?? "";
    depth += line.split(/[([]/u).length - line.split(/[)\]]/u).length;
    count += 1;
  } while (depth > 0 && count < lines.length);
  const own = lines.slice(0, depth > 0 ? 1 : count).join("\n");
  return oneLine(own.trimEnd().replaceAll(shape.around, ""), shape.comments);
}
/** Adds the definitions on the rest of a line; each one that is a member belongs to the constructor before it. */
export function addParts(
  match: RegExpExecArray,
  parts: NonNullable<IndentedRule["parts"]>,
  place: Place,
): void {
  const { line, visibility, state } = place;
  const { symbols, shape } = state;
  const first = symbols.at(-1);
  if (first === undefined) return;
  const type = first.kind === "variant" ? place.outer : first;
  const depth = (type ?? first).depth + 1;
  const [rest = ""] = line.text.slice(match[0].length).split(/\s--(?=\s|$)/u, 1);
  const found = parts
    .flatMap(({ pattern, kind }) => Array.from(rest.matchAll(pattern), (one) => ({ one, kind })))
    .sort((a, b) => a.one.index - b.one.index);
  for (const [at, { one, kind }] of found.entries()) {
    const next = found.slice(at + 1).find((other) => other.kind === kind)?.one.index;
    const signature = rest
      .slice(one.index, next)
      .replace(/^[\s=|{,]+/u, "")
      .replace(kind === "variant" ? /\s+deriving\b.*$/u : /\}.*$/u, "")
      .replace(/[\s,]+$/u, "");
    const isInVariant = kind !== "variant" && symbols.at(-1)?.kind !== "type";
    for (const name of one.groups?.["name"]?.split(/\s*,\s*/u) ?? [])
      symbols.push({
        kind,
        name,
        qualifiedName: type === undefined ? name : `${type.qualifiedName}${shape.separator}${name}`,
        signature,
        lineStart: line.number,
        lineEnd: line.number,
        depth: isInVariant ? depth + 1 : depth,
        ...(visibility !== undefined && { visibility }),
      });
  }
}

/** Adds a test or a group of tests; its name is a title, which may contain any text. */
export function addTest(source: string, kind: SymbolKind, { line, outer, state }: Place): void {
  const { symbols, open } = state;
  const title = source.replace(/^"([^]*)"$/u, "$1").replace(/\\(["\\])/gu, "$1");
  const name = title.trim() === "" ? "test" : title;
  const symbol: MutableSymbol = {
    kind,
    name,
    qualifiedName: outer === undefined ? name : `${outer.qualifiedName}${TITLE_JOINT}${name}`,
    signature: signatureAt(line.start, state),
    lineStart: line.number,
    lineEnd: line.number,
    depth: open.filter(({ indent }) => indent < line.indent).length + 1,
  };
  symbols.push(symbol);
  open.push({ symbol, indent: line.indent });
}
