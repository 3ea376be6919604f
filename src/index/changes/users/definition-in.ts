import type { View } from "../../live/view.ts";
import { bareName, ownerOf, symbolsNamed, type Definition } from "../../uses/definition.ts";

/** Returns the name of a definition without those around it. */
export function lastPart(name: string): string {
  return name.split(/\.|::|#|->|\\/).at(-1) ?? name;
}

/** Finds the definition of a name in a file: on a line, or with the same owner if the line is not known. */
export function definitionIn(
  view: View,
  path: string,
  qualifiedName: string,
  line?: number,
): Definition | undefined {
  const file = view.fileAt(path);
  if (file === undefined) return undefined;
  const { symbols } = view.documentOf(file);
  const owner = qualifiedName.split(/\.|::|#|->|\\/).at(-2) ?? "";
  const found = symbolsNamed(symbols, lastPart(qualifiedName), () => true);
  const symbol =
    found.find((one) => symbols[one]?.lineStart === line) ??
    found.find((one) => {
      const brief = symbols[one];
      return brief !== undefined && bareName(ownerOf(brief, symbols) ?? "") === bareName(owner);
    }) ??
    found[0];
  return symbol === undefined ? undefined : { file, symbol };
}
