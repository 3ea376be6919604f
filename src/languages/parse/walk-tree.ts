import type { Language as WasmLanguage, Node, Query, Range, Tree } from "web-tree-sitter";
import { TEST_KINDS, type CodeSymbol, type ImportedName } from "../../model/symbol.ts";
import { docAbove } from "../doc-comment.ts";
import { importedName } from "../imported-name.ts";
import type { Definition, Grammar, Rule, Scope } from "../language.ts";
import { qualifiedName, titlePath, TYPE_KINDS, typeAround, withoutTests } from "./scopes.ts";
import { sortByLine } from "./symbol-tree.ts";
import { type ErrorRange, recoverSymbols } from "../repair/recover-symbols.ts";
import { oneLine, skipAnnotations } from "../signature.ts";

export interface CompiledGrammar {
  readonly grammar: Grammar;
  readonly language: WasmLanguage;
  readonly query: Query;
  /** The rules in the order of the query patterns, so that the index of a pattern gives its rule. */
  readonly rules: readonly Rule[];
}

export interface Walked {
  readonly symbols: CodeSymbol[];
  readonly imports: ImportedName[];
  readonly hasErrors: boolean;
  /** Ranges of lines that could not be parsed, sorted by their beginnings. */
  readonly errors: readonly ErrorRange[];
  /**
   * Ranges that must be parsed as texts of their own, such as the content of macro calls, without the brackets around
   * them.
   */
  readonly inner: readonly Range[];
}

/** A node around a definition, such as an export, whose text before the definition belongs to it. */
interface Wrapper {
  readonly start: number;
  readonly end: number;
  readonly lends: "all" | "words";
  readonly around: Scope | undefined;
}

interface Walk extends Omit<Walked, "errors"> {
  readonly inner: Range[];
  readonly text: string;
  readonly grammar: Grammar;
  readonly hasErrors: boolean;
  readonly errors: ErrorRange[];
  scope: Scope | undefined;
  wrapper: Wrapper | undefined;
}

/**
 * Collects the definitions of a syntax tree. One query finds the nodes that have rules, in source order, and the
 * positions of the nodes show which scopes enclose them.
 */
export function walkTree(
  tree: Tree,
  text: string,
  compiled: CompiledGrammar,
  mayStop: () => boolean,
): Walked {
  const walk: Walk = {
    text,
    grammar: compiled.grammar,
    hasErrors: tree.rootNode.hasError,
    errors: [],
    inner: [],
    symbols: [],
    imports: [],
    scope: undefined,
    wrapper: undefined,
  };
  for (const { node, patternIndex } of compiled.query.captures(tree.rootNode, {
    progressCallback: mayStop,
  })) {
    const rule = compiled.rules[patternIndex];
    // A node without a rule is one that could not be parsed; the last patterns of the query match such nodes.
    if (rule !== undefined) visit(node, rule, walk);
    else walk.errors.push({ first: node.startPosition.row + 1, last: node.endPosition.row + 1 });
  }
  const { imports, errors, hasErrors, grammar } = walk;
  const symbols = recoverSymbols(walk.symbols, { text, grammar, errors });
  return { symbols: sortByLine(symbols), imports, hasErrors, errors, inner: walk.inner };
}

function visit(node: Node, rule: Rule, walk: Walk): void {
  const start = node.startIndex;
  while (walk.scope !== undefined && walk.scope.end <= start) walk.scope = walk.scope.around;
  const { scope } = walk;
  if (rule.notLocal === true && scope?.inFunction === true) return;
  if (rule.role === "wrap") {
    openWrapper(node, rule, walk);
    return;
  }
  const lead = leadOf(start, walk);
  const definitionScope = withoutTests(scope);
  const site = {
    node,
    text: walk.text,
    scope: definitionScope,
    head: (): string => walk.text.slice(lead.start, start),
  };
  if (rule.access !== undefined && scope !== undefined) scope.access = rule.access(site) ?? scope.access;
  const inside = rule.inside?.(site);
  if (inside !== undefined) walk.inner.push(withoutBrackets(inside));
  const definitions = toList(rule.read?.(site));
  const first = walk.symbols.length;
  for (const definition of definitions) record(node, { definition, lead, walk });
  const symbol = walk.symbols.length > first ? first : -1;
  const holdsMembers = definitions[0]?.holdsMembers === true;
  const isPlain = definitions[0]?.isAlias === true || PLAIN_KINDS.has(walk.symbols[symbol]?.kind ?? "var");
  const isHolder = symbol >= 0 && (holdsMembers || !isPlain);
  if (isHolder || rule.role === "scope" || (symbol >= 0 && rule.isFunction === true))
    openScope(definitions[0]?.end ?? node, rule, { walk, symbol, holdsMembers });
}

/**
 * Kinds of symbols that have no members: a function in the value of a constant, for example, is not a member of the
 * constant.
 */
const PLAIN_KINDS: ReadonlySet<string> = new Set(["const", "var", "field", "property"]);

function withoutBrackets({ startIndex, startPosition, endIndex, endPosition }: Node): Range {
  return {
    startIndex: startIndex + 1,
    startPosition: { row: startPosition.row, column: startPosition.column + 1 },
    endIndex: endIndex - 1,
    endPosition: { row: endPosition.row, column: Math.max(0, endPosition.column - 1) },
  };
}

function toList(found: ReturnType<NonNullable<Rule["read"]>>): readonly Definition[] {
  if (found === undefined) return [];
  return "kind" in found ? [found] : found;
}

function openWrapper(node: Node, rule: Rule, walk: Walk): void {
  const end = node.endIndex;
  const outer = walk.wrapper;
  const isInOuter = outer !== undefined && outer.around === walk.scope && end <= outer.end;
  // If two nodes wrap the same definition and end at the same place, its text starts at the outer one. An export may
  // end one semicolon after the declaration in it.
  const start = isInOuter && outer.end - end <= 1 ? outer.start : node.startIndex;
  walk.wrapper = { start, end, lends: rule.lends ?? "all", around: walk.scope };
}

interface Opening {
  readonly walk: Walk;
  readonly symbol: number;
  readonly holdsMembers: boolean;
}

function openScope(node: Node, rule: Rule, { walk, symbol, holdsMembers }: Opening): void {
  const around = walk.scope;
  const opened = symbol >= 0 ? walk.symbols[symbol] : undefined;
  const wholeFile = rule.wholeFile === true;
  const kind = opened?.kind ?? "anonymous";
  // The title of a test is no part of the names inside it, so only definitions pass their names on.
  const named = opened === undefined || TEST_KINDS.has(opened.kind) ? withoutTests(around) : opened;
  walk.scope = {
    start: node.startIndex,
    end: wholeFile ? Number.POSITIVE_INFINITY : node.endIndex,
    symbol: wholeFile ? -1 : symbol >= 0 ? symbol : (around?.symbol ?? -1),
    kind: wholeFile ? "file" : kind,
    name: named?.name ?? "",
    qualifiedName: named?.qualifiedName ?? "",
    inFunction:
      rule.isType !== true &&
      !TYPE_KINDS.has(kind) &&
      (rule.isFunction === true || around?.inFunction === true),
    holdsMembers,
    access: undefined,
    around,
  };
}

/**
 * Returns the last line of a node. A grammar may include the line ending, so that the node ends at column 0 of the
 * next line.
 */
function lastLineOf({ endPosition: { row, column } }: Node): number {
  return column === 0 ? row : row + 1;
}

interface Finding {
  readonly definition: Definition;
  readonly lead: Lead;
  readonly walk: Walk;
}

function record(node: Node, { definition, lead, walk }: Finding): void {
  const at = definition.at ?? node;
  const line = at.startPosition.row + 1;
  const { text, grammar } = walk;
  if (definition.name === "") return;
  const isNoName = grammar.notNames?.has(definition.name) === true;
  if ((isNoName && grammar.repair !== undefined) || definition.isDoubtful === true)
    walk.errors.push({ first: line, last: line });
  if (isNoName) return;
  if (definition.kind === "import") {
    walk.imports.push(importedName(definition.name, line, lastLineOf(at)));
    return;
  }
  const isTest = TEST_KINDS.has(definition.kind);
  const scope = definition.ofType === true ? typeAround(walk.scope) : walk.scope;
  const declaration = definition.signature ?? declarationText(node, { definition, lead, walk });
  const head =
    definition.at === undefined
      ? (/^[^({]*/u.exec(declaration)?.[0] ?? "")
      : text.slice(lead.start, at.startIndex);
  const visibility = isTest
    ? undefined
    : (definition.visibility ??
      scope?.access ??
      grammar.visibility?.(definition.name, head, withoutTests(scope)));
  // The title of a test is its documentation.
  const doc = isTest ? undefined : docOf(node, lead, walk);
  walk.symbols.push({
    kind: definition.kind,
    name: definition.name,
    qualifiedName: isTest
      ? titlePath(definition, scope, walk.symbols)
      : qualifiedName(definition, withoutTests(scope), grammar),
    signature: oneLine(declaration, grammar.comments) || definition.name,
    lineStart: line,
    lineEnd: Math.max(line, lastLine(definition.end ?? node)),
    ...(scope === undefined || scope.symbol < 0 ? {} : { parent: scope.symbol }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(doc === undefined ? {} : { doc }),
  });
}

/** Returns the last line of a node, not counting the line after a trailing line break. */
function lastLine(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 ? row : row + 1;
}

function docOf(node: Node, lead: Lead, walk: Walk): string | undefined {
  const { text, grammar } = walk;
  // In a list such as `const a, b`, each name has its own comment; a comment above the whole list belongs to the first
  // name.
  const isInList =
    lead.lends === "words" && leadingWords(node, lead, text).length < node.startIndex - lead.start;
  return docAbove(text, isInList ? node.startIndex : lead.start, grammar.comments);
}

/** Matches the keywords before a list of declarators, which apply to each of them. */
const LEADING_WORDS = /^(?:(?:export|default|declare|const|let|var|await|using|type|local)\s+)*/u;

function declarationText(node: Node, { definition, lead, walk }: Finding): string {
  const { text } = walk;
  const end = declarationEnd(node, definition, walk);
  if (lead.lends === "words") {
    return leadingWords(node, lead, text) + text.slice(node.startIndex, end);
  }
  return text.slice(skipAnnotations(text, lead.start, walk.grammar.bracketAttributes === true), end);
}

/**
 * Returns the offset at which the signature of a declaration ends. A declaration with syntax errors may have swallowed
 * its body, so only its first line is used.
 */
function declarationEnd(node: Node, definition: Definition, { text, hasErrors }: Walk): number {
  const end = definition.signatureEnd ?? node.endIndex;
  if (!hasErrors || !node.hasError) return end;
  const lineEnd = text.indexOf("\n", (definition.at ?? node).startIndex);
  if (lineEnd < 0 || lineEnd >= end) return end;
  const isWholeLine =
    definition.signatureEnd === undefined || /[:{]\s*$/u.test(text.slice(node.startIndex, lineEnd));
  return isWholeLine ? lineEnd : end;
}

function leadingWords(node: Node, lead: Lead, text: string): string {
  return LEADING_WORDS.exec(text.slice(lead.start, node.startIndex))?.[0] ?? "";
}

/**
 * The offset at which the text of a definition starts; if a node such as an export wraps the definition, it is the
 * start of that node.
 */
interface Lead {
  readonly start: number;
  readonly lends: "all" | "words";
}

/**
 * Matches text that ends inside a list or object literal. The keywords around the literal, such as `export const`, do
 * not belong to its entries.
 */
const INSIDE_LITERAL = /[{[,:]\s*$/u;

function leadOf(start: number, { wrapper, scope, text }: Walk): Lead {
  if (wrapper === undefined || wrapper.around !== scope || start >= wrapper.end)
    return { start, lends: "all" };
  if (wrapper.lends === "all" && INSIDE_LITERAL.test(text.slice(Math.max(wrapper.start, start - 80), start)))
    return { start, lends: "all" };
  return { start: wrapper.start, lends: wrapper.lends };
}
