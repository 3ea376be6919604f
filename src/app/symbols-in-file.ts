import { PithError } from "../kernel/errors.ts";
import { nearestNames } from "../kernel/nearest.ts";
import { TEST_KINDS, type CodeSymbol } from "../model/symbol.ts";

/** Returns the symbols with a name or, if there are none, the tests whose title contains it. */
export function symbolsNamed(name: string, symbols: readonly CodeSymbol[]): readonly CodeSymbol[] {
  const named = symbols.filter((symbol) => isNamed(symbol, name));
  if (named.length > 0) return named;
  const part = name.toLowerCase();
  return symbols.filter(
    ({ kind, name: title }) => TEST_KINDS.has(kind) && title.toLowerCase().includes(part),
  );
}

function isNamed(symbol: CodeSymbol, name: string): boolean {
  const parts = partsOf(name);
  return (
    symbol.name === name ||
    symbol.qualifiedName === name ||
    partsOf(symbol.qualifiedName).slice(-parts.length).join("\0") === parts.join("\0")
  );
}

export function partsOf(name: string): string[] {
  return name.split(/\.|::|#|->/);
}

export function noSuchSymbol(name: string, path: string, symbols: readonly CodeSymbol[]): PithError {
  const nearest = nearestNames(
    name,
    symbols.map((symbol) => symbol.name),
  );
  return new PithError("symbol_not_found", `${path} has no symbol ${JSON.stringify(name.slice(0, 100))}`, {
    ...(nearest.length > 0 && { nearest }),
    suggestion:
      nearest.length > 0
        ? `Did you mean ${nearest.join(", ")}?`
        : [
            { text: "List its symbols: CALL", call: { tool: "get_file_outline", args: { path } } },
            { text: "Check the spelling." },
          ],
  });
}

export function noSuchName(name: string, nearest: readonly string[]): PithError {
  return new PithError("symbol_not_found", `No file or symbol ${JSON.stringify(name.slice(0, 100))}`, {
    ...(nearest.length > 0 && { nearest, suggestion: `Did you mean ${nearest.join(", ")}?` }),
  });
}
