import type { CodeSymbol } from "../model/symbol.ts";
import type { ScannedSymbol } from "./language.ts";

/** Derives parents and qualified names from the nesting depths that a scanner reports. */
export function nested(found: readonly ScannedSymbol[], separator: string): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  const open: { readonly depth: number; readonly index: number }[] = [];
  for (const { depth, ...symbol } of found) {
    while (open.length > 0 && (open.at(-1)?.depth ?? 0) >= depth) open.pop();
    const parent = open.at(-1)?.index;
    const around = parent === undefined ? undefined : symbols[parent];
    const qualifiedName =
      symbol.qualifiedName ??
      (around === undefined ? symbol.name : `${around.qualifiedName}${separator}${symbol.name}`);
    open.push({ depth, index: symbols.length });
    symbols.push({ ...symbol, qualifiedName, ...(parent === undefined ? {} : { parent }) });
  }
  return symbols;
}
