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
/** What is defined in the same file is read together with the code. */
const SAME_FILE_FACTOR = 1.5;

/** A piece of code, and what is known of its file. */
export interface UsingCode {
  readonly file: ViewFile;
  /** All lines of the file. */
  readonly lines: readonly string[];
  readonly place: Place;
  readonly outline: Outline;
  readonly imports: ImportGraph;
}

/** A definition that a name may mean. */
interface Candidate {
  readonly file: ViewFile;
  readonly brief: SymbolBrief;
  /** The class or type that it is a member of. */
  readonly owner?: string;
}

/**
 * The definitions that a piece of code uses, those it names most first. A name counts only where it can mean one definition of the
 * same language: of its own file, of what the file imports or is beside, or the only one that there is. All else is left out.
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
/** Kinds that are worth a mention: what is local to a piece of code is not. */
const RELATED_KINDS: ReadonlySet<SymbolKind> = new Set([...TYPES, ...CALLABLE, "const"]);
const SELF_NAMES = ["this", "$this", "self", "Self", "static", "cls", "super"];

type Resolve = (mention: Mention) => Candidate | undefined;

function createResolver(view: View, code: UsingCode, syntax: CodeSyntax): Resolve {
  const visible = visibleNames(code, syntax);
  const around = ownerAround(code);
  const self = selfNames(code);
  const isOwnMember = ({ owner }: Candidate): boolean => owner !== undefined && owner === around;
  return (mention) => {
    const { qualifier = "" } = mention;
    const isQualified = mention.qualifier !== undefined;
    const isSelf = self.has(qualifier);
    const isModule = mention.isPath || visible.hasWord(qualifier);
    // A variable's type is not known, and most names stand behind one: nothing is looked up for them.
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

/** The one definition; several of one name in one class are one that takes different arguments. */
function only(candidates: readonly Candidate[]): Candidate | undefined {
  const [first] = candidates;
  const isOne = candidates.every(
    ({ file, owner, brief }) =>
      file === first?.file && owner === first.owner && brief.parent === first.brief.parent,
  );
  return isOne ? first : undefined;
}

/** The file or the folder of a definition, whichever bears the name of a module. */
function moduleOf({ file }: Candidate, name: string): string | undefined {
  return [file.facts.stem, file.path.split("/").at(-2)].find((one) => one === name);
}

/** What the code calls the object that it belongs to; Go gives it a name of its own. */
function selfNames({ outline, place }: UsingCode): ReadonlySet<string> {
  const signature = place.symbol === undefined ? undefined : outline.symbols[place.symbol]?.signature;
  const receiver = outline.language === "go" ? /^func \((\w+)\s/.exec(signature ?? "")?.[1] : undefined;
  return new Set(receiver === undefined ? SELF_NAMES : [...SELF_NAMES, receiver]);
}

/** The class that the code is a part of, or is itself. */
function ownerAround({ outline, place }: UsingCode): string | undefined {
  const symbol = place.symbol === undefined ? undefined : outline.symbols[place.symbol];
  if (symbol === undefined) return undefined;
  if (TYPES.has(symbol.kind) || symbol.kind === "impl") return bareName(symbol.name);
  const before = symbol.qualifiedName.slice(0, -symbol.name.length);
  return /([^\s.:#/\\<>]+)(?:<[^]*>)?[.:#/\\]+$/.exec(before)?.[1];
}

/** Definitions of a name that code of this language may mean, outside the code itself. */
function candidatesFor(view: View, mention: Mention, code: UsingCode, syntax: CodeSyntax): Candidate[] {
  const { name } = mention;
  const found: Candidate[] = [];
  for (const [segment, { segment: its }] of view.segments.entries()) {
    const index = its.names.folded.indexOf(foldName(name));
    if (index < 0) continue;
    its.names.each(index, (document, symbol) => {
      const { symbols } = its.document(document);
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

/** A plain word that is not called is more often a local variable than a function or a constant of that name. */
function isUsedAs(kind: SymbolKind, { name, isCalled, qualifier }: Mention): boolean {
  if (!RELATED_KINDS.has(kind)) return false;
  const isPlain = /^\p{Ll}+$/u.test(name) || partsOfIdentifier(name).length === 0;
  if (CALLABLE.has(kind)) return isCalled || (!isPlain && qualifier === undefined);
  return !isPlain;
}

/** The class that a definition is a member of; nothing at the top of a file or a module. What a function has in it is local. */
function memberOf({ parent, owner }: SymbolBrief, symbols: readonly SymbolBrief[]): string | undefined {
  const around = symbols[parent];
  if (around === undefined)
    return owner === undefined || isModuleName(owner, symbols) ? undefined : bareName(owner);
  if (around.kind === "module" || around.kind === "namespace") return undefined;
  if (TYPES.has(around.kind) || around.kind === "impl") return bareName(around.name);
  return "local";
}

/** A package or a namespace that the file names once, at its beginning, stands around nothing. */
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

/** What a file can name without saying whose it is. */
interface Visible {
  /** Paths of the files it imports. */
  readonly files: ReadonlySet<string>;
  /** Whether an import says this name, or brings all names of a module. */
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
