import type { CodeSymbol } from "../../model/symbol.ts";
import type { ScannedSymbol } from "../language.ts";

/** Derives parents and qualified names from the nesting depths that a scanner reports. */
export function nestSymbols(found: readonly ScannedSymbol[], separator: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  const open: { readonly depth: number; readonly index: number }[] = [];
  for (const symbol of found) {
    const { depth, kind, name, signature, lineStart, lineEnd, visibility, doc } = symbol;
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    const parent = open.at(-1)?.index;
    const around = parent === undefined ? undefined : symbols[parent];
    const qualifiedName =
      symbol.qualifiedName ?? (around === undefined ? name : `${around.qualifiedName}${separator}${name}`);
    open.push({ depth, index: symbols.length });
    // Assigning the fields one by one is several times as fast as spreading objects.
    const nested: Nested = { kind, name, qualifiedName, signature, lineStart, lineEnd };
    if (parent !== undefined) nested.parent = parent;
    if (visibility !== undefined) nested.visibility = visibility;
    if (doc !== undefined) nested.doc = doc;
    symbols.push(nested);
  }
  return symbols;
}

type Nested = { -readonly [K in keyof CodeSymbol]: CodeSymbol[K] };

/**
 * Sorts symbols by line, with parents before their children. They are not always found in this order: the name of a
 * typedef, for example, is found before the fields of its struct but follows them in the text.
 */
export function sortByLine(symbols: CodeSymbol[]): CodeSymbol[] {
  if (
    symbols.every((symbol, index) => index === 0 || (symbols[index - 1]?.lineStart ?? 0) <= symbol.lineStart)
  )
    return symbols;
  const keys: number[] = [];
  for (const [index, symbol] of symbols.entries()) {
    const around = symbol.parent === undefined ? 0 : (keys[symbol.parent] ?? 0);
    keys[index] = Math.max(symbol.lineStart, around);
  }
  const order = symbols.map((_, index) => index).sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
  const position = new Map(order.map((old, index) => [old, index]));
  return order.flatMap((old) => {
    const symbol = symbols[old];
    if (symbol === undefined) return [];
    const { parent, ...rest } = symbol;
    const around = parent === undefined ? undefined : position.get(parent);
    return [around === undefined ? rest : { ...rest, parent: around }];
  });
}

/**
 * Adds the symbols of a separately parsed part; its outermost symbols become children of the innermost namespace around
 * them.
 */
export function attachSymbols(
  symbols: readonly CodeSymbol[],
  part: readonly CodeSymbol[],
  separator: string,
): CodeSymbol[] {
  const offset = symbols.length;
  const first = part[0];
  const holder = first === undefined ? -1 : innermostHolder(symbols, first.lineStart);
  const prefix = holder < 0 ? "" : `${symbols[holder]?.qualifiedName ?? ""}${separator}`;
  const added = part.map((symbol) => {
    const { parent, ...rest } = symbol;
    const around = parent === undefined ? holder : parent + offset;
    const isMethod = parent === undefined && symbol.kind === "fn" && isBlockOfMethods(symbols[holder]);
    const kind = isMethod ? "method" : symbol.kind;
    const named = { ...rest, kind, qualifiedName: `${prefix}${symbol.qualifiedName}` };
    return around < 0 ? named : { ...named, parent: around };
  });
  return [...symbols, ...added];
}

function innermostHolder(symbols: readonly CodeSymbol[], line: number): number {
  return symbols.findLastIndex(
    (symbol) =>
      (symbol.kind === "module" || symbol.kind === "namespace" || isBlockOfMethods(symbol)) &&
      symbol.lineStart <= line &&
      line <= symbol.lineEnd,
  );
}

/** Returns true for a block of Rust whose functions are methods. */
function isBlockOfMethods(symbol: CodeSymbol | undefined): boolean {
  return symbol?.kind === "impl" || symbol?.kind === "trait";
}
