import { addToGroup } from "../../kernel/group-by.ts";
import type { SymbolChange } from "../../model/changes.ts";
import type { CodeSymbol, SymbolKind } from "../../model/symbol.ts";
import { findLinesAbove } from "./lines-above.ts";
import { INDENTED, levelsIn, squeezed } from "./white-space.ts";

/** The definitions of one version of a file, and its lines. */
export interface FileVersion {
  readonly symbols: readonly CodeSymbol[];
  readonly lines: readonly string[];
  /** The language, whose indentation may have a meaning. */
  readonly language?: string;
}

/** A definition that exists in one version only, with what identifies it after a rename or a move. */
export interface LoneSymbol {
  readonly symbol: CodeSymbol;
  /** Its text with its name blanked out. */
  readonly print: string;
  /** The same without its signature. */
  readonly body: string;
  readonly members: number;
}

export interface FileComparison {
  readonly changes: readonly SymbolChange[];
  readonly added: readonly LoneSymbol[];
  readonly removed: readonly LoneSymbol[];
  readonly hasOtherLines: boolean;
}

const NOTHING: FileVersion = { symbols: [], lines: [] };

/** Compares the definitions of two versions of a file by their qualified names; overloads are paired by content first. */
export function compareSymbols(before: FileVersion = NOTHING, after: FileVersion = NOTHING): FileComparison {
  const [old, now] = [describe(before), describe(after)];
  const pairs = pairUp(old.symbols, now.symbols);
  const changes = pairs.matched.flatMap(([was, is]) => changeOf(was, is));
  return {
    changes,
    added: lone(pairs.added, now.symbols),
    removed: lone(pairs.removed, old.symbols),
    hasOtherLines: old.otherLines !== now.otherLines,
  };
}

interface DescribedSymbol {
  readonly symbol: CodeSymbol;
  readonly index: number;
  /** The lines of the definition without those of the definitions inside of it. */
  readonly own: string;
  /** The comments and annotations above it. */
  readonly above: string;
  /** The depth of each statement in a language where that has a meaning. */
  readonly levels: string;
}

interface DescribedFile {
  readonly symbols: readonly DescribedSymbol[];
  /** The lines outside of all definitions. */
  readonly otherLines: string;
}

function describe({ symbols, lines, language = "" }: FileVersion): DescribedFile {
  const isShared = valuesOnSharedLines(symbols);
  // Each line belongs to the innermost definition around it; later symbols of the list are inside of earlier ones.
  const owner = new Int32Array(lines.length + 2).fill(NO_OWNER);
  for (const [index, symbol] of symbols.entries()) {
    const { lineStart, lineEnd } = symbol;
    if (!isShared(symbol)) owner.fill(index, lineStart, Math.min(lineEnd, lines.length) + 1);
    else if (symbols[owner[lineStart] ?? NO_OWNER]?.lineStart !== lineStart)
      owner[lineStart] = SEVERAL_OWNERS;
  }
  const isAbove = findLinesAbove({ symbols, lines }, owner);
  const own = symbols.map((): string[] => []);
  const above = symbols.map((): string[] => []);
  const other: string[] = [];
  for (const [at, line] of lines.entries()) {
    const index = owner[at + 1] ?? NO_OWNER;
    const text = line.trimEnd();
    if (index >= 0) (isAbove.has(at + 1) ? above : own)[index]?.push(text);
    else if (text !== "" && index === NO_OWNER) other.push(text);
  }
  return {
    symbols: symbols.map((symbol, index) => {
      const text = isShared(symbol) ? symbol.signature : trimmed(own[index] ?? []);
      const levels = INDENTED.has(language) ? levelsIn(text) : "";
      return { symbol, index, own: text, above: trimmed(above[index] ?? []), levels };
    }),
    otherLines: other.join("\n"),
  };
}

/** Marks of lines outside of all definitions, and of lines with several values, each of which has its own text. */
const NO_OWNER = -1;
const SEVERAL_OWNERS = -2;

/** Finds values that share their only line with other definitions, as in `const a = 1, b = 2`. */
function valuesOnSharedLines(symbols: readonly CodeSymbol[]): (symbol: CodeSymbol) => boolean {
  const starts = new Map<number, number>();
  for (const { lineStart } of symbols) starts.set(lineStart, (starts.get(lineStart) ?? 0) + 1);
  return ({ kind, lineStart, lineEnd }) =>
    VALUES.has(kind) && lineStart === lineEnd && (starts.get(lineStart) ?? 0) > 1;
}

function trimmed(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}

interface Pairs {
  readonly matched: readonly (readonly [DescribedSymbol, DescribedSymbol])[];
  readonly added: readonly DescribedSymbol[];
  readonly removed: readonly DescribedSymbol[];
}

function pairUp(before: readonly DescribedSymbol[], after: readonly DescribedSymbol[]): Pairs {
  const candidates = new Map<string, DescribedSymbol[]>();
  for (const one of before) addToGroup(candidates, nameOf(one), one);
  const matched: [DescribedSymbol, DescribedSymbol][] = [];
  const paired = new Set<DescribedSymbol>();
  const waiting = new Set(after);
  const tests: readonly ((was: DescribedSymbol, is: DescribedSymbol) => boolean)[] = [
    (was, is) => was.own === is.own && was.symbol.signature === is.symbol.signature,
    (was, is) => was.symbol.signature === is.symbol.signature,
    () => true,
  ];
  for (const fits of tests)
    for (const is of waiting) {
      const was = candidates.get(nameOf(is))?.find((one) => !paired.has(one) && fits(one, is));
      if (was === undefined) continue;
      paired.add(was);
      waiting.delete(is);
      matched.push([was, is]);
    }
  matched.sort((a, b) => a[1].index - b[1].index);
  return { matched, added: [...waiting], removed: before.filter((one) => !paired.has(one)) };
}

function nameOf({ symbol: { qualifiedName } }: DescribedSymbol): string {
  return qualifiedName;
}

function changeOf(was: DescribedSymbol, is: DescribedSymbol): readonly SymbolChange[] {
  // Most definitions of a changed file are the same, and comparing them without white space would take longest.
  const isSame = was.own === is.own && was.symbol.signature === is.symbol.signature;
  const hasNewSignature = !isSame && interfaceOf(was.symbol) !== interfaceOf(is.symbol);
  const hasNewBody = !isSame && bodyOf(was) !== bodyOf(is);
  if (!hasNewSignature && !hasNewBody)
    return was.above === is.above ? [] : [{ ...placeOf(is.symbol), change: "annotation" }];
  return [
    {
      ...placeOf(is.symbol),
      change: hasNewSignature ? "signature" : "body",
      ...(hasNewSignature && { oldSignature: was.symbol.signature }),
      ...(hasNewSignature && hasNewBody && { hasNewBody: true as const }),
    },
  ];
}

/** Kinds of definitions whose signature contains their value, which is rather their body. */
const VALUES: ReadonlySet<SymbolKind> = new Set(["const", "var", "field", "property", "key", "variant"]);

/** Matches the value in a signature, from its equals sign on. */
const VALUE = /\s*(?<![=!<>])=(?![=>]).*$/s;
/** Matches the only parameter of an arrow function, which formatters put into brackets. */
const BARE_PARAMETER = /(?<![\w$)\]>.])([\w$]+)=>/g;

/** Returns the part of a signature on which users of the definition depend. Its white space does not matter. */
function interfaceOf({ kind, signature }: CodeSymbol): string {
  const text = VALUES.has(kind) ? signature.replace(VALUE, "") : signature;
  return squeezed(text).replaceAll(BARE_PARAMETER, "($1)=>");
}

/** Returns what a definition has besides its interface: the value of a variable, the body of a function. */
function bodyOf(one: DescribedSymbol): string {
  const { symbol, own, levels } = one;
  if (!VALUES.has(symbol.kind)) return `${withoutSignature(one)}${levels}`;
  const text = squeezed(own);
  const interfaceText = squeezed(symbol.signature.replace(VALUE, ""));
  const at = interfaceText === "" ? -1 : text.indexOf(interfaceText);
  return at < 0 ? text : text.slice(at + interfaceText.length);
}

/**
 * Returns the text of a definition without its signature, whose line breaks do not matter. Where the signature is not at
 * its beginning as written, the whole text counts.
 */
function withoutSignature({ symbol, own }: Pick<DescribedSymbol, "symbol" | "own">): string {
  const text = squeezed(own);
  const signature = squeezed(symbol.signature);
  const at = signature === "" ? -1 : text.indexOf(signature);
  return at < 0 ? text : text.slice(at + signature.length);
}

export function placeOf(symbol: CodeSymbol): Omit<SymbolChange, "change"> {
  const { kind, qualifiedName, signature, lineStart, lineEnd } = symbol;
  return { kind, qualifiedName, signature, lineStart, lineEnd };
}

/** Keeps the outermost of the definitions that exist on one side only, each with the number of those inside of it. */
function lone(only: readonly DescribedSymbol[], all: readonly DescribedSymbol[]): readonly LoneSymbol[] {
  const indexes = new Set(only.map(({ index }) => index));
  const members = new Map<number, number>();
  const outermost: DescribedSymbol[] = [];
  for (const one of only) {
    const top = outermostOf(one, all, indexes);
    if (top === one.index) outermost.push(one);
    else members.set(top, (members.get(top) ?? 0) + 1);
  }
  return outermost.map((one) => {
    const print = printOf(one, all);
    const { symbol } = one;
    const body = withoutSignature({ symbol: blanked(symbol), own: print });
    return { symbol, print, body, members: members.get(one.index) ?? 0 };
  });
}

/** Blanks out the name in a signature, as it is in the text that is compared. */
function blanked(symbol: CodeSymbol): CodeSymbol {
  return symbol.name === ""
    ? symbol
    : { ...symbol, signature: symbol.signature.replaceAll(symbol.name, "\0") };
}

function outermostOf(
  { symbol, index }: DescribedSymbol,
  all: readonly DescribedSymbol[],
  only: ReadonlySet<number>,
): number {
  let top = index;
  for (let parent = symbol.parent; parent !== undefined; parent = all[parent]?.symbol.parent)
    if (only.has(parent)) top = parent;
  return top;
}

/** Returns the text of a definition with those inside of it and without its name, which a rename changes. */
function printOf({ symbol, index }: DescribedSymbol, all: readonly DescribedSymbol[]): string {
  const inside = all.filter(
    ({ symbol: { lineStart, lineEnd }, index: at }) =>
      at >= index && lineStart >= symbol.lineStart && lineEnd <= symbol.lineEnd,
  );
  const text = inside
    .map(({ own }) => own)
    .join("\n")
    .replaceAll(/[ \t]+/g, " ");
  return symbol.name === "" ? text : text.replaceAll(symbol.name, "\0");
}
