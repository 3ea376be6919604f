import type { Outline } from "../../src/model/symbol.ts";

/** Formats an outline as text that a person can review. */
export function outlineText(outline: Outline): string {
  const depths: number[] = [];
  const lines = outline.symbols.map((symbol, index) => {
    const depth = symbol.parent === undefined ? 0 : (depths[symbol.parent] ?? 0) + 1;
    depths[index] = depth;
    const range = `${symbol.lineStart}-${symbol.lineEnd}`;
    const head = `${"  ".repeat(depth)}${range} ${symbol.visibility ?? "-"} ${symbol.kind} ${symbol.qualifiedName}`;
    return `${head} | ${symbol.signature}${symbol.doc === undefined ? "" : ` // ${symbol.doc}`}`;
  });
  const imports = outline.imports.map(({ source, line }) => `import ${source} :${line}`);
  return `${[...imports, ...lines, `errors ${outline.hasErrors}`].join("\n")}\n`;
}
