import type { Language as WasmLanguage, Node, Query, Tree } from "web-tree-sitter";
import type { CodeSymbol, ImportedName } from "../model/symbol.ts";
import { docAbove, docstring } from "./doc-comment.ts";
import type { Definition, Grammar, Rule, Scope } from "./language.ts";
import { oneLine, skipAnnotations } from "./signature.ts";

export interface CompiledGrammar {
  readonly grammar: Grammar;
  readonly language: WasmLanguage;
  readonly query: Query;
  /** The rule of each pattern of the query. */
  readonly rules: readonly Rule[];
}

export interface Walked {
  readonly symbols: CodeSymbol[];
  readonly imports: ImportedName[];
}

/** A node that lends its head to the definition it carries. */
interface Wrapper {
  readonly start: number;
  readonly end: number;
  readonly lends: "all" | "words" | "apart";
  readonly around: Scope | undefined;
}

interface Walk extends Walked {
  readonly text: string;
  readonly grammar: Grammar;
  scope: Scope | undefined;
  wrapper: Wrapper | undefined;
}

/** Reads a tree's definitions: one query marks the nodes that have rules, in source order, and scopes nest by position. */
export function walkTree(
  tree: Tree,
  text: string,
  compiled: CompiledGrammar,
  mayStop: () => boolean,
): Walked {
  const walk: Walk = {
    text,
    grammar: compiled.grammar,
    symbols: [],
    imports: [],
    scope: undefined,
    wrapper: undefined,
  };
  for (const { node, patternIndex } of compiled.query.captures(tree.rootNode, {
    progressCallback: mayStop,
  })) {
    const rule = compiled.rules[patternIndex];
    if (rule !== undefined) visit(node, rule, walk);
  }
  return walk;
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
  const lead = leadOf(node, walk);
  const head = (): string => walk.text.slice(lead.start, start);
  const definitions = asList(rule.read?.({ node, text: walk.text, scope, head }));
  const first = walk.symbols.length;
  for (const definition of definitions) record(node, { definition, lead, walk });
  const symbol = walk.symbols.length > first ? first : -1;
  const holdsMembers = definitions[0]?.holdsMembers === true;
  const isHolder = symbol >= 0 && (holdsMembers || !PLAIN_KINDS.has(walk.symbols[symbol]?.kind ?? "var"));
  if (isHolder || rule.role === "scope" || (symbol >= 0 && rule.isFunction === true))
    openScope(node, rule, { walk, symbol, holdsMembers });
}

/** Kinds that hold nothing themselves: a function in the value of a constant is not the constant's member. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(["const", "var", "field", "property"]);

function asList(found: ReturnType<NonNullable<Rule["read"]>>): readonly Definition[] {
  if (found === undefined) return [];
  return "kind" in found ? [found] : found;
}

function openWrapper(node: Node, rule: Rule, walk: Walk): void {
  const end = node.endIndex;
  const outer = walk.wrapper;
  const isInOuter = outer !== undefined && outer.around === walk.scope && end <= outer.end;
  // An export around a declaration ends with it, or one semicolon later: the outermost head counts.
  const start = isInOuter && outer.end - end <= 1 ? outer.start : node.startIndex;
  walk.wrapper = { start, end, lends: rule.lends ?? "all", around: walk.scope };
}

/** Kinds whose members are definitions again, even inside a function. */
const TYPE_KINDS: ReadonlySet<string> = new Set([
  "module",
  "namespace",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "impl",
]);

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
  walk.scope = {
    start: node.startIndex,
    end: wholeFile ? Number.POSITIVE_INFINITY : node.endIndex,
    symbol: wholeFile ? -1 : symbol >= 0 ? symbol : (around?.symbol ?? -1),
    kind: wholeFile ? "file" : kind,
    name: opened?.name ?? around?.name ?? "",
    qualifiedName: opened?.qualifiedName ?? around?.qualifiedName ?? "",
    inFunction: !TYPE_KINDS.has(kind) && (rule.isFunction === true || around?.inFunction === true),
    holdsMembers,
    around,
  };
}

interface Finding {
  readonly definition: Definition;
  readonly lead: Lead;
  readonly walk: Walk;
}

function record(node: Node, { definition, lead, walk }: Finding): void {
  const at = definition.at ?? node;
  const line = at.startPosition.row + 1;
  if (definition.name === "") return;
  if (definition.kind === "import") {
    walk.imports.push({ source: definition.name, line });
    return;
  }
  const { text, grammar } = walk;
  const scope = definition.ofType === true ? typeAround(walk.scope) : walk.scope;
  const declaration = declarationText(node, { definition, lead, walk });
  const head = `${text.slice(lead.start, node.startIndex)}${text.slice(node.startIndex, at.startIndex)}`;
  const visibility = definition.visibility ?? grammar.visibility?.(definition.name, head, scope);
  const doc = docOf(definition, { lead, text, grammar });
  walk.symbols.push({
    kind: definition.kind,
    name: definition.name,
    qualifiedName: qualified(definition, scope, grammar),
    signature: oneLine(declaration, grammar.comments) || definition.name,
    lineStart: line,
    lineEnd: Math.max(line, node.endPosition.row + 1),
    ...(scope === undefined || scope.symbol < 0 ? {} : { parent: scope.symbol }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(doc === undefined ? {} : { doc }),
  });
}

function docOf(
  definition: Definition,
  { lead, text, grammar }: { lead: Lead; text: string; grammar: Grammar },
): string | undefined {
  const bodyStart = grammar.comments.docstring === true ? definition.signatureEnd : undefined;
  const inside = bodyStart === undefined ? undefined : docstring(text, bodyStart);
  return inside ?? docAbove(text, lead.start, grammar.comments);
}

/** What stands before a list of declarators and holds for each of them. */
const LEADING_WORDS = /^(?:(?:export|default|declare|const|let|var|await|using)\s+)*/u;

function declarationText(node: Node, { definition, lead, walk }: Finding): string {
  const { text } = walk;
  const end = definition.signatureEnd ?? node.endIndex;
  if (lead.lends === "words") {
    const words = LEADING_WORDS.exec(text.slice(lead.start, node.startIndex))?.[0] ?? "";
    return words + text.slice(node.startIndex, end);
  }
  const from = lead.lends === "apart" ? node.startIndex : lead.start;
  return text.slice(skipAnnotations(text, from, walk.grammar.bracketAttributes === true), end);
}

/** Where a definition's own text starts: at its wrapper if it has one. */
interface Lead {
  readonly start: number;
  readonly lends: "all" | "words" | "apart";
}

function leadOf(node: Node, { wrapper, scope }: Walk): Lead {
  const start = node.startIndex;
  if (wrapper === undefined || wrapper.around !== scope || start >= wrapper.end)
    return { start, lends: "all" };
  return { start: wrapper.start, lends: wrapper.lends };
}

function typeAround(scope: Scope | undefined): Scope | undefined {
  let around = scope;
  while (around !== undefined && !TYPE_KINDS.has(around.kind)) around = around.around;
  return around;
}

function qualified(definition: Definition, scope: Scope | undefined, { separator }: Grammar): string {
  const parts = [scope?.qualifiedName ?? "", definition.owner ?? "", definition.name];
  return parts.filter((part) => part !== "").join(separator);
}
