import { languageOf } from "../../languages/detect.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import { isCall, type NameUse, type UseFacts } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { SymbolBrief } from "../store/record.ts";

/** A definition: a symbol of a file by its position in the file's list of symbols. */
export interface Definition {
  readonly file: ViewFile;
  readonly symbol: number;
  /** True if it is visible only in a block or function, so that another definition of the name there is another one. */
  readonly isInner?: boolean;
  /** In scripts: true for a member of a class itself, false for one of its objects. Both may have the same name. */
  readonly isStatic?: boolean;
}

/** Kinds of symbols that have members. */
export const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "impl",
]);
const NAMESPACES: ReadonlySet<SymbolKind> = new Set(["module", "namespace"]);

/** Returns the id of a file's language, which its path shows or its index key contains. */
export function languageOfFile({ path, key }: ViewFile): string {
  return languageOf(path)?.id ?? key.slice(key.indexOf(".") + 1);
}

/** Languages in which a class without a name need not run the constructor of the one that it inherits from. */
const EXTENDS_WITHOUT_CALL: ReadonlySet<string> = new Set(["ruby", "php"]);

/** Returns true for a use in a file that calls a function or constructor. */
export function isCallIn(file: ViewFile, { role }: NameUse): boolean {
  return isCall(role) && !(role === "extension" && EXTENDS_WITHOUT_CALL.has(languageOfFile(file)));
}

export function briefOf(view: View, { file, symbol }: Definition): SymbolBrief | undefined {
  return view.documentOf(file).symbols[symbol];
}

/** Returns a name without type parameters and qualifiers. */
export function bareName(name: string): string {
  return partsOfName(name).at(-1) ?? "";
}

/** Returns the parts of a qualified name without type parameters: `A` and `B` of `A<T>::B`. */
export function partsOfName(name: string): string[] {
  let plain = name;
  for (let before = ""; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/<[^<>]*>/gu, "");
  }
  return plain
    .replace(/<[^]*$/u, "")
    .split(/::|[.\\]/u)
    .map((part) => part.trim());
}

/**
 * Returns the name of the type that a symbol is a member of; undefined for symbols of a file or module, and "" for
 * symbols inside functions.
 */
export function ownerOf(brief: SymbolBrief, symbols: readonly SymbolBrief[]): string | undefined {
  const around = symbols[brief.parent];
  if (around === undefined || NAMESPACES.has(around.kind)) {
    if (brief.owner === undefined) return undefined;
    const owner = bareName(brief.owner);
    const isNamespace = symbols.some(({ kind, name }) => NAMESPACES.has(kind) && bareName(name) === owner);
    return isNamespace ? undefined : owner;
  }
  if (TYPE_KINDS.has(around.kind) || isHolder(around)) return bareName(around.name);
  return "";
}

/** Returns true for a variable whose value is an object, so that its entries are its members. */
function isHolder({ kind }: SymbolBrief): boolean {
  return kind === "const" || kind === "var" || kind === "field" || kind === "property";
}

/** Returns true if a symbol is visible in its whole file: at the top, or in a module or namespace. */
export function isOutermost(brief: SymbolBrief, symbols: readonly SymbolBrief[]): boolean {
  return ownerOf(brief, symbols) === undefined;
}

/** Returns the positions of the symbols of a file that have this name and pass a test. */
export function symbolsNamed(
  symbols: readonly SymbolBrief[],
  name: string,
  test: (brief: SymbolBrief, index: number) => boolean,
): number[] {
  const found: number[] = [];
  for (const [index, brief] of symbols.entries())
    if (
      (brief.name === name || bareName(brief.name) === name) &&
      brief.kind !== "import" &&
      test(brief, index)
    )
      found.push(index);
  return found;
}

/** Returns the position of the innermost symbol around a line that passes a test, or -1. */
export function symbolAround(
  symbols: readonly SymbolBrief[],
  line: number,
  test: (brief: SymbolBrief) => boolean,
): number {
  let best = -1;
  for (const [index, brief] of symbols.entries()) {
    if (brief.lineStart > line) break;
    if (brief.lineEnd >= line && test(brief)) best = index;
  }
  return best;
}

/** Languages in which a method and a property of one class may have the same name. */
const HAS_NAMES_APART: ReadonlySet<string> = new Set(["php", "java"]);
const METHODS: ReadonlySet<SymbolKind> = new Set(["method", "constructor", "prototype"]);

/** Returns true if two symbols of one file are the same definition: overloads, prototypes, merged declarations. */
export function isSameDefinition(view: View, a: Definition, b: Definition): boolean {
  if (a.file.path !== b.file.path) return false;
  if (a.symbol === b.symbol) return true;
  if (a.isStatic !== undefined && b.isStatic !== undefined && a.isStatic !== b.isStatic) return false;
  const { symbols } = view.documentOf(a.file);
  const one = symbols[a.symbol];
  const isApart = HAS_NAMES_APART.has(languageOfFile(a.file));
  const isSame = (other: SymbolBrief | undefined): boolean =>
    one !== undefined &&
    one.name === other?.name &&
    (!isApart || METHODS.has(one.kind) === METHODS.has(other.kind)) &&
    one.parent === other.parent &&
    one.owner === other.owner &&
    isTag(one) === isTag(other);
  if (a.isInner !== true && b.isInner !== true) return isSame(symbols[b.symbol]);
  // The overloads of a function follow each other.
  const [first, last] = [Math.min(a.symbol, b.symbol), Math.max(a.symbol, b.symbol)];
  return symbols.slice(first, last + 1).every((other) => isSame(other) && other.kind === one?.kind);
}

/** Returns true for a type whose name does not hide that of a function, as `struct stat` does not hide `stat()` in C. */
function isTag({ kind }: SymbolBrief): boolean {
  return kind === "struct" || kind === "enum";
}

/** Completes a definition with what its file says about where it is visible, and whether it is static. */
export async function withVisibility(
  { file, symbol }: Definition,
  factsOf: (file: ViewFile) => Promise<UseFacts>,
): Promise<Definition> {
  const mark = (await factsOf(file)).marks.get(symbol);
  const isInner = mark === "inner" || mark === "hoisted";
  return { file, symbol, ...(isInner && { isInner }), isStatic: mark === "static" };
}
