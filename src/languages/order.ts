import type { CodeSymbol } from "../model/symbol.ts";

/** Symbols in the order of their lines, parents before their children; a name may stand below what it holds, as a typedef's does. */
export function inLineOrder(symbols: CodeSymbol[]): CodeSymbol[] {
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
