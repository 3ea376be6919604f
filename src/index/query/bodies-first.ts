import type { SymbolKind } from "../../model/symbol.ts";
import type { View } from "../live/view.ts";
import { languageOfFile } from "../uses/definition.ts";
import type { FileReader } from "./hits.ts";
import type { FoundSymbol } from "./locate.ts";

/** Upper bound on the definitions of a name that are put into another order. */
const MAX_ORDERED = 60;
const CALLABLE: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor"]);

/**
 * Puts declarations without a body, such as overloads and the methods of interfaces, after the definitions with a body
 * that the same file has under the same name. Each keeps its match, so that worse ones do not come before better ones.
 */
export async function bodiesFirst(
  found: readonly FoundSymbol[],
  view: View,
  reader: FileReader,
): Promise<FoundSymbol[]> {
  const ordered = found.slice(0, MAX_ORDERED);
  const places = new Map<string, number[]>();
  for (const [at, { file, tier, fit, symbol }] of ordered.entries()) {
    if (!CALLABLE.has(view.documentOf(file).symbols[symbol]?.kind ?? "import")) continue;
    const key = `${tier} ${fit} ${file.path}`;
    places.set(key, [...(places.get(key) ?? []), at]);
  }
  for (const own of places.values()) {
    if (own.length < 2) continue;
    const [bodies, declarations]: [FoundSymbol[], FoundSymbol[]] = [[], []];
    for (const at of own) {
      const one = ordered[at];
      if (one === undefined) continue;
      (isDeclaration(await textAround(one, view, reader), languageOfFile(one.file))
        ? declarations
        : bodies
      ).push(one);
    }
    for (const [position, one] of [...bodies, ...declarations].entries()) ordered[own[position] ?? 0] = one;
  }
  return [...ordered, ...found.slice(MAX_ORDERED)];
}

interface DefinitionText {
  /** The lines directly above the definition that begin with `@`. */
  readonly decorators: readonly string[];
  readonly lines: readonly string[];
}

async function textAround(
  { file, symbol }: FoundSymbol,
  view: View,
  reader: FileReader,
): Promise<DefinitionText> {
  const all = await reader.lines(file);
  const { lineStart = 1, lineEnd = 1 } = view.documentOf(file).symbols[symbol] ?? {};
  let first = lineStart - 1;
  while (/^\s*@/.test(all[first - 1] ?? "")) first--;
  return { decorators: all.slice(first, lineStart - 1), lines: all.slice(lineStart - 1, lineEnd) };
}

/** Languages in which a definition without braces, and without a value, has no body. */
const WITH_BRACES: ReadonlySet<string> = new Set(
  "typescript tsx javascript vue svelte java kotlin scala c cpp csharp go rust swift php".split(" "),
);
const OVERLOAD = /@(?:[\w.]+\.)?overload\b/;
const ABSTRACT = /@(?:[\w.]+\.)?abstract\w*/;
const EMPTY_BODY = /:\s*(?:\.\.\.|pass|raise NotImplementedError\b.*)\s*$/;
/** Matches the end of a member of C++ that has no body here. */
const NO_BODY = /=\s*(?:0|default|delete)\s*;?$/;

function isDeclaration({ decorators, lines }: DefinitionText, language: string): boolean {
  if (language === "python") {
    if (decorators.some((line) => OVERLOAD.test(line))) return true;
    return decorators.some((line) => ABSTRACT.test(line)) && EMPTY_BODY.test(lines.join(" "));
  }
  if (!WITH_BRACES.has(language)) return false;
  const head = withoutBrackets(lines.join("\n")).trimEnd();
  return NO_BODY.test(head) || !/[{}=]/.test(head);
}

/** Removes parentheses and what they contain, such as types of parameters. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let kept = "";
  for (const character of text) {
    if (character === "(") depth++;
    if (depth === 0) kept += character;
    if (character === ")" && depth > 0) depth--;
  }
  return kept;
}
