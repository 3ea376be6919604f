import { codeUnitsOf } from "../code-units.ts";
import type { Outline } from "../../model/symbol.ts";
import type {
  DefinitionMark,
  ModuleLink,
  NameUse,
  TypeFacts,
  TypeSource,
  UseFacts,
} from "../../model/use.ts";
import { scanMarkup } from "../html/markup.ts";
import type { EmbeddedPart } from "../language.ts";
import { Bindings } from "./bindings.ts";
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
import { definitionAt, findDefinitions, isDefinition } from "./definitions.ts";
import { clearNotes, TOKEN_NOTES } from "./token-notes.ts";
import type { Reading } from "./reading.ts";
import { readScriptLinks } from "./script/links.ts";
import { completeMarks } from "./script/marks.ts";
import { readScriptScopes } from "./script/scopes.ts";
import { readTemplate } from "./template.ts";
import { tokenSyntaxOf } from "./token-syntax.ts";
import { createTypeNotes } from "./type-notes.ts";
import { tokenize } from "./tokenize.ts";

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

/**
 * Finds the uses of names in a text and its imports. Texts that are not code have none. `characters` are those of the
 * text.
 */
export function usesOf(text: string, outline: Outline, characters = codeUnitsOf(text)): UseFacts {
  if (MARKUP.has(outline.language)) return usesOfMarkup(text, outline);
  return usesOfCode({ text, characters, language: outline.language }, outline, 0);
}

function usesOfMarkup(text: string, outline: Outline): UseFacts {
  const { parts = [] } = scanMarkup(text, {
    script: "javascript",
    withElements: outline.language === "html",
  });
  const uses: NameUse[] = [];
  const links: ModuleLink[] = [];
  const marks = new Map<number, DefinitionMark>();
  const types: TypeFacts[] = [];
  for (const { language, start, end } of parts) {
    const above = text.slice(0, start).split("\n").length - 1;
    const code = text.slice(start, end);
    const part = usesOfCode({ text: code, characters: codeUnitsOf(code), language }, outline, above);
    if (part.types !== undefined) types.push(movedTypes(part.types, uses.length));
    for (const use of part.uses) uses.push({ ...use, name: storeName(use, outline), line: use.line + above });
    for (const link of part.links) links.push({ ...link, line: link.line + above });
    for (const [symbol, mark] of part.marks) marks.set(symbol, mark);
  }
  if (outline.language !== "html") {
    const found = usesOfTemplate(text, outline, parts);
    if (found.types !== undefined) types.push(movedTypes(found.types, uses.length));
    uses.push(...found.uses);
  }
  return { uses, links, marks, isModule: false, ...(types.length > 0 && { types: joinTypes(types) }) };
}

/** Returns the name of what is used: in Svelte, `$count` is the value of the store `count`. */
function storeName({ name, receiver }: NameUse, { language }: Outline): string {
  return language === "svelte" && receiver === "none" && /^\$[^$]/u.test(name) ? name.slice(1) : name;
}

/** Matches the script of a component of Vue whose names its template sees. */
const SETUP = /<script\b[^>]{0,1000}\ssetup\b/u;

/** Finds the uses in the template of a component, which sees the names of its script. */
function usesOfTemplate(
  text: string,
  outline: Outline,
  parts: readonly EmbeddedPart[],
): Pick<UseFacts, "uses" | "types"> {
  const { code, elements, isLocal } = readTemplate(text, outline.language, parts);
  const { uses, types } = usesOfCode(
    { text: code, characters: codeUnitsOf(code), language: "tsx" },
    { ...outline, symbols: [] },
    0,
  );
  // Elsewhere the template of Vue sees the members of the component, which have the names that it gives them.
  const seesScript = outline.language !== "vue" || SETUP.test(text);
  const all = [...uses, ...elements].map((use): NameUse =>
    use.receiver === "none" && (!seesScript || isLocal(use.name, use.line))
      ? { ...use, receiver: "unknown" }
      : { ...use, name: storeName(use, outline) },
  );
  return { uses: all, ...(types !== undefined && { types }) };
}

/** Returns the types of a part of a text, before whose uses there are others. */
function movedTypes({ receivers, definitions, members }: TypeFacts, before: number): TypeFacts {
  const move = <T extends TypeSource>(source: T): T => ({ ...source, use: source.use + before });
  return {
    receivers: new Map([...receivers].map(([position, source]) => [position + before, move(source)])),
    definitions: new Map([...definitions].map(([symbol, source]) => [symbol, move(source)])),
    members: members.map(move),
  };
}

function joinTypes(parts: readonly TypeFacts[]): TypeFacts {
  return {
    receivers: new Map(parts.flatMap(({ receivers }) => [...receivers])),
    definitions: new Map(parts.flatMap(({ definitions }) => [...definitions])),
    members: parts.flatMap(({ members }) => members),
  };
}

/** A text or a part of one that is code of one language. */
interface Code {
  readonly text: string;
  readonly characters: Uint16Array;
  readonly language: string;
}

function usesOfCode({ text, characters, language }: Code, outline: Outline, above: number): UseFacts {
  const syntax = tokenSyntaxOf(language);
  if (syntax === undefined) return NOTHING;
  const tokens = tokenize(text, syntax, characters);
  findDefinitions(tokens, outline, above);
  clearNotes(tokens.count);
  const reading: Reading = {
    language,
    tokens,
    bindings: new Bindings(),
    links: [],
    innerLinks: new Set(),
    defines: isDefinition,
    symbols: outline.symbols,
    symbolAt: definitionAt,
    marks: new Map(),
    baseCalls: new Map(),
    setters: new Map(),
    types: createTypeNotes(),
    ...TOKEN_NOTES,
  };
  const readers = READERS[language];
  const isModule = readers?.links(reading) === true;
  readers?.scopes(reading);
  if (readers === SCRIPT) completeMarks(reading, isModule);
  const links = readers === undefined ? plainLinks(outline) : linksOf(reading);
  const { uses, types } = collectUses(reading, { language, keywords: syntax.keywords });
  return { uses, links, marks: reading.marks, isModule, ...(types !== undefined && { types }) };
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
