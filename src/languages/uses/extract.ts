import { addToGroup } from "../../kernel/group-by.ts";
import type { Outline } from "../../model/symbol.ts";
import { TEST_KINDS } from "../../model/symbol.ts";
import type { DefinitionMark, ModuleLink, NameUse, UseFacts } from "../../model/use.ts";
import { scanMarkup } from "../html/markup.ts";
import { createBindings } from "./bindings.ts";
import { collectUses } from "./collect.ts";
import { readCLinks } from "./c/links.ts";
import { readCScopes } from "./c/scopes.ts";
import { readGoLinks } from "./go/links.ts";
import { readGoScopes } from "./go/scopes.ts";
import { readJavaLinks } from "./java/links.ts";
import { readJavaScopes } from "./java/scopes.ts";
import { readCsharpLinks } from "./csharp/links.ts";
import { readCsharpScopes } from "./csharp/scopes.ts";
import { readPhpLinks } from "./php/links.ts";
import { readPhpScopes } from "./php/scopes.ts";
import { readRubyLinks } from "./ruby/links.ts";
import { readRubyScopes } from "./ruby/scopes.ts";
import { readPythonLinks } from "./python/links.ts";
import { readPythonScopes } from "./python/scopes.ts";
import { readRustLinks } from "./rust/links.ts";
import { readRustScopes } from "./rust/scopes.ts";
import { COLON, createTokenNotes, type Reading } from "./reading.ts";
import { readScriptLinks } from "./script/links.ts";
import { completeMarks } from "./script/marks.ts";
import { readScriptScopes } from "./script/scopes.ts";
import { tokenSyntaxOf } from "./token-syntax.ts";
import { tokenize } from "./tokenize.ts";
import type { Tokens } from "./tokens.ts";

/** The readers of imports and scopes of a language. */
interface LanguageReaders {
  /** Returns true if statements of the text say what it exports. */
  readonly links: (reading: Reading) => unknown;
  readonly scopes: (reading: Reading) => void;
}

const C: LanguageReaders = { links: readCLinks, scopes: readCScopes };
const SCRIPT: LanguageReaders = { links: readScriptLinks, scopes: readScriptScopes };

const READERS: Readonly<Record<string, LanguageReaders>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  c: C,
  cpp: C,
  go: { links: readGoLinks, scopes: readGoScopes },
  rust: { links: readRustLinks, scopes: readRustScopes },
  java: { links: readJavaLinks, scopes: readJavaScopes },
  csharp: { links: readCsharpLinks, scopes: readCsharpScopes },
  php: { links: readPhpLinks, scopes: readPhpScopes },
  ruby: { links: readRubyLinks, scopes: readRubyScopes },
  python: { links: readPythonLinks, scopes: readPythonScopes },
};

/** Formats in which only some parts are code. */
const MARKUP: ReadonlySet<string> = new Set(["html", "vue", "svelte"]);

const NOTHING: UseFacts = { uses: [], links: [], marks: new Map(), isModule: false };

/** Finds the uses of names in a text and its imports. Texts that are not code have none. */
export function usesOf(text: string, outline: Outline): UseFacts {
  if (MARKUP.has(outline.language)) return usesOfMarkup(text, outline);
  return usesOfCode(text, outline.language, outline, 0);
}

function usesOfMarkup(text: string, outline: Outline): UseFacts {
  const { parts = [] } = scanMarkup(text, {
    script: "javascript",
    withElements: outline.language === "html",
  });
  const uses: NameUse[] = [];
  const links: ModuleLink[] = [];
  const marks = new Map<number, DefinitionMark>();
  for (const { language, start, end } of parts) {
    const above = text.slice(0, start).split("\n").length - 1;
    const part = usesOfCode(text.slice(start, end), language, outline, above);
    for (const use of part.uses) uses.push({ ...use, line: use.line + above });
    for (const link of part.links) links.push({ ...link, line: link.line + above });
    for (const [symbol, mark] of part.marks) marks.set(symbol, mark);
  }
  return { uses, links, marks, isModule: false };
}

function usesOfCode(text: string, language: string, outline: Outline, above: number): UseFacts {
  const syntax = tokenSyntaxOf(language);
  if (syntax === undefined) return NOTHING;
  const tokens = tokenize(text, syntax);
  const symbolAt = definitionTokens(tokens, outline, above);
  const reading: Reading = {
    tokens,
    bindings: createBindings(),
    links: [],
    innerLinks: new Set(),
    defines: (token) => symbolAt(token) !== undefined,
    symbols: outline.symbols,
    symbolAt,
    marks: new Map(),
    ...createTokenNotes(tokens.count),
  };
  const readers = READERS[language];
  const isModule = readers?.links(reading) === true;
  readers?.scopes(reading);
  if (readers === SCRIPT) completeMarks(reading, isModule);
  const links = readers === undefined ? plainLinks(outline) : linksOf(reading);
  const uses = collectUses(reading, { language, keywords: syntax.keywords });
  return { uses, links, marks: reading.marks, isModule };
}

function linksOf({ links, innerLinks }: Reading): ModuleLink[] {
  return innerLinks.size === 0
    ? links
    : links.map((link) =>
        link.kind === "import" && innerLinks.has(link.line) ? { ...link, isInner: true } : link,
      );
}

/** Returns the imports of a language whose statements are not read further: only the modules are known. */
function plainLinks({ imports }: Outline): ModuleLink[] {
  return imports.map(({ source, line }) => ({ kind: "import", line, module: source, names: [], all: false }));
}

/** Matches most names, faster than the expression for all of them does. */
const PLAIN_NAME = /^[\w$]+$/;
const LAST_NAME = /[\p{ID_Continue}$]+[?!]?$/u;

/** Finds the tokens that are the names of definitions, with their symbols: the first name on its line that is spelled so. */
function definitionTokens(
  { count, line, name, code }: Tokens,
  { symbols }: Outline,
  above: number,
): (token: number) => number | undefined {
  const wanted = new Map<number, { readonly own: string; readonly symbol: number }[]>();
  const isWanted = new Uint8Array(symbols.reduce((most, { lineStart }) => Math.max(most, lineStart), 0) + 1);
  for (const [position, symbol] of symbols.entries()) {
    if (TEST_KINDS.has(symbol.kind)) continue;
    const own = PLAIN_NAME.test(symbol.name) ? symbol.name : LAST_NAME.exec(symbol.name)?.[0];
    if (own === undefined) continue;
    const at = symbol.lineStart - above;
    addToGroup(wanted, at, { own, symbol: position });
    isWanted[at] = 1;
  }
  /** The position of a definition, counted from 1, by the token of its name. */
  const found = new Uint32Array(count);
  for (let token = 0; token < count; token++) {
    const at = line[token] ?? 0;
    // Most lines define nothing, and looking them up in the map would take most of the time.
    if (isWanted[at] !== 1) continue;
    const names = wanted.get(at) ?? [];
    const index = names.findIndex(({ own }) => own === name[token]);
    const symbol = names[index]?.symbol;
    // In `Color Color { get; }` the first name is the type, and in `A::A()` and `A::~A()` the class.
    if (symbol === undefined || name[token + 1] === name[token]) continue;
    const isClass = code[token + 1] === COLON && code[token + 2] === COLON;
    if (isClass && (name[token + 3] === name[token] || name[token + 4] === name[token])) continue;
    found[token] = symbol + 1;
    names.splice(index, 1);
  }
  return (token) => {
    const symbol = found[token] ?? 0;
    return symbol === 0 ? undefined : symbol - 1;
  };
}
