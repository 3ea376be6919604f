import { languageOf } from "../../languages/detect.ts";
import type { SymbolPlace } from "../../model/hit.ts";
import type { Outline, SymbolKind } from "../../model/symbol.ts";
import { RESERVED, syntaxOf, type CodeSyntax } from "../text/code-syntax.ts";
import type { ImportGraph } from "./import-counts.ts";
import { mentionsIn, type Mention } from "../text/mentions.ts";
import type { Place } from "./place.ts";
import type { SymbolBrief } from "../store/record.ts";
import { foldName, partsOfIdentifier } from "../text/terms.ts";
import type { View, ViewFile } from "../live/view.ts";

const MAX_RELATED = 5;
/** Ranking factor for definitions in the file of the code that uses them, because they are usually read together. */
const SAME_FILE_FACTOR = 1.5;

/** A range of lines whose used definitions are searched, with its file. */
export interface UsingCode {
  readonly file: ViewFile;
  readonly lines: readonly string[];
  readonly place: Place;
  readonly outline: Outline;
  readonly imports: ImportGraph;
}

/** A definition that a name in the code may refer to. */
interface Candidate {
  readonly file: ViewFile;
  readonly brief: SymbolBrief;
  /** The class or type that the definition is a member of, if any. */
  readonly owner?: string;
}

/**
 * Returns the definitions that a range of code uses, most frequently used first. A name counts only if it refers to
 * exactly one definition of the same language: in its own file, in an imported or neighbouring file, or the only one in
 * the project.
 */
export function relatedSymbols(view: View, code: UsingCode): SymbolPlace[] {
  const syntax = syntaxOf(code.outline.language);
  if (syntax === undefined) return [];
  const { lineStart, lineEnd } = code.place;
  const own = code.place.symbol === undefined ? undefined : code.outline.symbols[code.place.symbol]?.name;
  const resolve = createResolver(view, code, syntax);
  const found = new Map<string, { place: SymbolPlace; score: number }>();
  for (const mention of mentionsIn(code.lines.slice(lineStart - 1, lineEnd).join("\n"), syntax)) {
    if (mention.name === own || RESERVED.has(mention.name)) continue;
    const definition = resolve(mention);
    if (definition === undefined) continue;
    const { file, brief } = definition;
    const place = { kind: brief.kind, name: brief.name, path: file.path, line: brief.lineStart };
    const key = `${place.path}:${place.line} ${place.name}`;
    const score = (file === code.file ? SAME_FILE_FACTOR : 1) * Math.log2(1 + mention.count);
    found.set(key, { place, score: score + (found.get(key)?.score ?? 0) });
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score || (a.place.name < b.place.name ? -1 : 1))
    .slice(0, MAX_RELATED)
    .map(({ place }) => place);
}

const TYPES: ReadonlySet<SymbolKind> = new Set(["class", "struct", "interface", "trait", "enum", "type"]);
const CALLABLE: ReadonlySet<SymbolKind> = new Set(["fn", "method", "macro"]);
/** Symbol kinds that are reported as related to a range of code; variables and members are not. */
const RELATED_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPES, ...CALLABLE, "const"]);
const SELF_NAMES = ["this", "$this", "self", "Self", "static", "cls", "super"];

type Resolve = (mention: Mention) => Candidate | undefined;

/** Creates the function that finds the only definition that a name in a range of code can refer to. */
export function createResolver(view: View, code: UsingCode, syntax: CodeSyntax): Resolve {
  const visible = visibleNames(code, syntax);
  const around = ownerAround(code);
  const self = selfNames(code);
  const isOwnMember = ({ owner }: Candidate): boolean => owner !== undefined && owner === around;
  return (mention) => {
    const { qualifier = "" } = mention;
    const isQualified = mention.qualifier !== undefined;
    const isSelf = self.has(qualifier);
    const isModule = mention.isPath || visible.hasWord(qualifier);
    // Most qualifiers are variables, whose type is unknown, so names after a variable are not looked up.
    if (isQualified && !isSelf && !isModule && !/^\p{Lu}/u.test(qualifier)) return undefined;
    const candidates = candidatesFor(view, mention, code, syntax);
    const here = candidates.filter(({ file }) => file === code.file);
    if (isSelf) return only(here.filter(isOwnMember));
    if (isQualified)
      return only(
        candidates.filter((one) => (one.owner ?? (isModule && moduleOf(one, qualifier))) === qualifier),
      );
    const free = here.filter(
      (one) => one.owner === undefined || (syntax.hasImplicitThis && isOwnMember(one)),
    );
    if (here.length > 0) return only(free);
    const elsewhere = candidates.filter(({ owner }) => owner === undefined);
    const near = elsewhere.filter(({ file }) => visible.files.has(file.path) || visible.isBeside(file));
    if (near.length > 0 && (visible.isNamed(mention.name) || near.some(({ file }) => visible.isBeside(file))))
      return only(near);
    return syntax.needsImport && !visible.isNamed(mention.name) ? undefined : only(elsewhere);
  };
}

/** Returns the only definition, or undefined if there are several. Overloads in one class count as one. */
function only(candidates: readonly Candidate[]): Candidate | undefined {
  const [first] = candidates;
  const isOne = candidates.every(
    ({ file, owner, brief }) =>
      file === first?.file && owner === first.owner && brief.parent === first.brief.parent,
  );
  return isOne ? first : undefined;
}

/** Returns the name if the file or folder of the definition is named so. */
function moduleOf({ file }: Candidate, name: string): string | undefined {
  return [file.facts.stem, file.path.split("/").at(-2)].find((one) => one === name);
}

/** Returns the words that refer to the current object, including the name of the receiver in Go. */
function selfNames({ outline, place }: UsingCode): ReadonlySet<string> {
  const signature = place.symbol === undefined ? undefined : outline.symbols[place.symbol]?.signature;
  const receiver = outline.language === "go" ? /^func \((\w+)\s/.exec(signature ?? "")?.[1] : undefined;
  return new Set(receiver === undefined ? SELF_NAMES : [...SELF_NAMES, receiver]);
}

/** Returns the name of the class that the code defines or belongs to. */
function ownerAround({ outline, place }: UsingCode): string | undefined {
  const symbol = place.symbol === undefined ? undefined : outline.symbols[place.symbol];
  if (symbol === undefined) return undefined;
  if (TYPES.has(symbol.kind) || symbol.kind === "impl") return bareName(symbol.name);
  const before = symbol.qualifiedName.slice(0, -symbol.name.length);
  return /([^\s.:#/\\<>]+)(?:<[^]*>)?[.:#/\\]+$/.exec(before)?.[1];
}

/** Returns the definitions outside the given code that a name in it may refer to. */
function candidatesFor(view: View, mention: Mention, code: UsingCode, syntax: CodeSyntax): Candidate[] {
  const { name } = mention;
  const found: Candidate[] = [];
  for (const [segment, { segment: segmentData }] of view.segments.entries()) {
    const index = segmentData.names.folded.indexOf(foldName(name));
    if (index < 0) continue;
    segmentData.names.each(index, (document, symbol) => {
      const { symbols } = segmentData.document(document);
      const brief = symbols[symbol];
      if (brief === undefined || brief.name !== name || !isUsedAs(brief.kind, mention)) return;
      const owner = memberOf(brief, symbols);
      if (owner === "local") return;
      view.eachFile(segment, document, (number) => {
        const file = view.files[number];
        if (file === undefined || !mayUse(file, code, syntax) || isInside(brief, file, code)) return;
        found.push({ file, brief, ...(owner !== undefined && { owner }) });
      });
    });
  }
  return found;
}

/**
 * Returns whether a name is used in a way that fits a symbol kind. A plain word that is not called is more often a
 * local variable than a function or constant.
 */
function isUsedAs(kind: SymbolKind, { name, isCalled, qualifier }: Mention): boolean {
  if (!RELATED_KINDS.has(kind)) return false;
  const isPlain = /^\p{Ll}+$/u.test(name) || partsOfIdentifier(name).length === 0;
  if (CALLABLE.has(kind)) return isCalled || (!isPlain && qualifier === undefined);
  return !isPlain;
}

/**
 * Returns the class that a definition is a member of; undefined if it is at the top of a file or module, and "local" if
 * it is inside a function.
 */
function memberOf({ parent, owner }: SymbolBrief, symbols: readonly SymbolBrief[]): string | undefined {
  const around = symbols[parent];
  if (around === undefined)
    return owner === undefined || isModuleName(owner, symbols) ? undefined : bareName(owner);
  if (around.kind === "module" || around.kind === "namespace") return undefined;
  if (TYPES.has(around.kind) || around.kind === "impl") return bareName(around.name);
  return "local";
}

/**
 * Returns true if the owner of a definition is a package or namespace declared in the file by a line that encloses
 * nothing.
 */
function isModuleName(owner: string, symbols: readonly SymbolBrief[]): boolean {
  return symbols.some(
    ({ kind, name }) => (kind === "module" || kind === "namespace") && bareName(name) === bareName(owner),
  );
}

function bareName(name: string): string {
  return name
    .replace(/<[^]*$/, "")
    .replace(/^.*(?:::|[.\\])/s, "")
    .trim();
}

function mayUse({ path, facts }: ViewFile, { file }: UsingCode, { family }: CodeSyntax): boolean {
  if (facts.role.test && !file.facts.role.test) return false;
  return syntaxOf(languageOf(path)?.id)?.family === family;
}

function isInside(
  { lineStart, lineEnd }: SymbolBrief,
  file: ViewFile,
  { file: own, place }: UsingCode,
): boolean {
  return file === own && lineStart >= place.lineStart && lineEnd <= place.lineEnd;
}

/** What a file can refer to without a qualifier, as far as its imports tell. */
interface Visible {
  /** Paths of the files that the file imports. */
  readonly files: ReadonlySet<string>;
  /** Returns true if an import of the file contains this name or imports all names of a module. */
  isNamed(name: string): boolean;
  hasWord(word: string): boolean;
  isBeside(file: ViewFile): boolean;
}

function visibleNames({ file, lines, outline, imports }: UsingCode, { sharesFolder }: CodeSyntax): Visible {
  const folder = folderOf(file.path);
  const names = new Set<string>();
  let bringsAll = false;
  for (const { line, lineEnd = line } of outline.imports) {
    const statement = lines.slice(line - 1, lineEnd).join("\n");
    for (const [word] of statement.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) names.add(word);
    bringsAll ||= /(?:::|\.)\*|\bimport\s*\*(?!\s*as\b)|\._\b/.test(statement);
  }
  return {
    files: imports.targetsOf(file),
    isNamed: (name) => bringsAll || names.has(name),
    hasWord: (word) => names.has(word),
    isBeside: ({ path }) => sharesFolder && folderOf(path) === folder,
  };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
