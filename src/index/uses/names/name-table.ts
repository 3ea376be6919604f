import type { SymbolKind } from "../../../model/symbol.ts";
import type { View, ViewFile } from "../../live/view.ts";
import type { SymbolBrief } from "../../store/record.ts";
import { foldName } from "../../text/terms.ts";
import { languageOfFile, type Definition } from "../definition.ts";

/** A definition with the full name of what contains it: its type, or its package or namespace. */
export interface NamedDefinition {
  readonly definition: Definition;
  readonly brief: SymbolBrief;
  readonly container: string;
  /** True if it is spelled with other capitals than the name that was looked up. */
  readonly isVariant?: boolean;
}

/** The definitions of a view by name. Full names are written with dots in all languages. */
export interface NameTable {
  /** Returns the definitions of a name, in all files of the languages. */
  named(name: string): readonly NamedDefinition[];
  /** Returns the definitions with this name in a container. */
  inside(container: string, name: string): readonly NamedDefinition[];
  fullNameOf(definition: Definition): string;
  /** Returns true if the project declares this namespace. */
  declares(namespace: string): boolean;
  /** Returns true if the project declares this namespace or one around it, so that no dependency has its names. */
  owns(namespace: string): boolean;
  /** Returns the full name of the namespace around a line of a file. */
  namespaceAt(file: ViewFile, line: number): string;
}

/** What makes the full names of definitions in a language. */
export interface FullNameRules {
  /** Ids of the languages, as in `src/languages/registry.ts`; they can use one another's definitions. */
  readonly languages: readonly string[];
  /** The kind of symbol that puts the rest of a file into a namespace, such as the package in Java. */
  readonly fileNamespace?: SymbolKind;
  /** Returns true for a symbol that only names another definition in its own file. */
  isAlias?(brief: SymbolBrief): boolean;
  /** Returns true for kinds of symbols in whose names, and in those of what is around them, capitals do not matter. */
  ignoresCase?(kind: SymbolKind): boolean;
  /** Returns true if code that means a symbol also means the one before it: a setter and the reader beside it. */
  includesPrevious?(brief: SymbolBrief, previous: SymbolBrief): boolean;
  /** True if the name of the type that a symbol extends, or is written before its name, is part of its full name. */
  readonly ownersQualify?: boolean;
}

export function createNameTable(view: View, rules: FullNameRules): NameTable {
  const known = new Map<string, readonly NamedDefinition[]>();
  const named = (name: string): readonly NamedDefinition[] => {
    const found = known.get(name) ?? findNamed(view, name, rules);
    known.set(name, found);
    return found;
  };
  const namespaces = new Map<string, boolean>();
  const declares = (namespace: string): boolean => {
    const found = namespaces.get(namespace) ?? isDeclared(view, namespace, rules);
    namespaces.set(namespace, found);
    return found;
  };
  return {
    declares,
    owns(namespace) {
      for (
        let around = namespace;
        around !== "";
        around = around.slice(0, Math.max(0, around.lastIndexOf(".")))
      )
        if (declares(around)) return true;
      return false;
    },
    named,
    inside(container, name) {
      const all = named(name);
      const found = all.filter((one) => one.container === container && one.isVariant !== true);
      if (found.length > 0 || rules.ignoresCase === undefined) return found;
      const folded = container.toLowerCase();
      return all
        .filter(({ brief, container: own }) => own.toLowerCase() === folded && ignoresCase(brief, rules))
        .map((one) => ({ ...one, isVariant: true }));
    },
    fullNameOf({ file, symbol }) {
      const { symbols } = view.documentOf(file);
      const container = containerOf(symbols, symbol, rules);
      return join(container, symbols[symbol]?.name ?? "");
    },
    namespaceAt: (file, line) => namespaceAt(view.documentOf(file).symbols, line, rules),
  };
}

/** Joins two parts of a full name, of which the first may be empty. */
export function join(container: string, name: string): string {
  return container === "" ? name : `${container}.${name}`;
}

/** Writes a name as it stands in a source with dots between its parts. */
export function dotted(name: string): string {
  return name.replace(/^(?:::|\\)/u, "").replaceAll(/::|\\/gu, ".");
}

function findNamed(view: View, name: string, rules: FullNameRules): readonly NamedDefinition[] {
  const found: NamedDefinition[] = [];
  const folded = foldName(name);
  for (const [number, { segment }] of view.segments.entries()) {
    const index = segment.names.folded.indexOf(folded);
    if (index < 0) continue;
    segment.names.each(index, (document, symbol) => {
      const { symbols } = segment.document(document);
      const brief = symbols[symbol];
      const isSpelled = brief?.name === name;
      if (brief === undefined || !(isSpelled || isVariant(brief, name, rules))) return;
      if (brief.kind === rules.fileNamespace || rules.isAlias?.(brief) === true) return;
      const container = containerOf(symbols, symbol, rules);
      view.eachFile(number, document, (at) => {
        const file = view.files[at];
        if (file === undefined || !rules.languages.includes(languageOfFile(file))) return;
        found.push({
          definition: { file, symbol },
          brief,
          container,
          ...(!isSpelled && { isVariant: true }),
        });
        const previous = symbols[symbol - 1];
        if (previous !== undefined && rules.includesPrevious?.(brief, previous) === true)
          found.push({ definition: { file, symbol: symbol - 1 }, brief: previous, container });
      });
    });
  }
  return found;
}

function isVariant(brief: SymbolBrief, name: string, rules: FullNameRules): boolean {
  return ignoresCase(brief, rules) && brief.name.toLowerCase() === name.toLowerCase();
}

function ignoresCase({ kind }: SymbolBrief, rules: FullNameRules): boolean {
  return rules.ignoresCase?.(kind) === true;
}

/** Returns true if a file of the languages puts definitions into this namespace. */
function isDeclared(view: View, namespace: string, { languages, fileNamespace }: FullNameRules): boolean {
  if (fileNamespace === undefined) return false;
  for (const spelled of new Set([namespace, namespace.replaceAll(".", "\\")]))
    for (const [number, { segment }] of view.segments.entries()) {
      const index = segment.names.folded.indexOf(foldName(spelled));
      if (index < 0) continue;
      let isFound = false;
      segment.names.each(index, (document, symbol) => {
        const brief = segment.document(document).symbols[symbol];
        if (brief?.name !== spelled || brief.kind !== fileNamespace) return;
        view.eachFile(number, document, (at) => {
          const file = view.files[at];
          isFound ||= file !== undefined && languages.includes(languageOfFile(file));
        });
      });
      if (isFound) return true;
    }
  return false;
}

function containerOf(symbols: readonly SymbolBrief[], symbol: number, rules: FullNameRules): string {
  const own = symbols[symbol];
  if (own === undefined) return "";
  const parts: string[] = ownerOf(own, rules);
  let top = own;
  for (let around = symbols[own.parent]; around !== undefined; around = symbols[around.parent]) {
    parts.unshift(...ownerOf(around, rules), dotted(around.name));
    top = around;
  }
  return join(fileNamespaceAt(symbols, top.lineStart, rules), parts.join(".")).replace(/\.$/u, "");
}

function ownerOf({ owner }: SymbolBrief, { ownersQualify }: FullNameRules): string[] {
  return owner === undefined || ownersQualify !== true ? [] : [dotted(owner)];
}

/** Returns the namespace that a statement such as `package a.b;` gives to the rest of its file. */
function fileNamespaceAt(
  symbols: readonly SymbolBrief[],
  line: number,
  { fileNamespace }: FullNameRules,
): string {
  if (fileNamespace === undefined) return "";
  let found = "";
  for (const [index, { kind, name, parent, lineStart }] of symbols.entries()) {
    if (lineStart > line) break;
    if (kind === fileNamespace && parent < 0 && !hasBody(symbols, index)) found = dotted(name);
  }
  return found;
}

/** Returns true for a namespace with braces around its definitions. */
function hasBody(symbols: readonly SymbolBrief[], index: number): boolean {
  const one = symbols[index];
  return one !== undefined && (one.lineStart !== one.lineEnd || symbols[index + 1]?.parent === index);
}

function namespaceAt(symbols: readonly SymbolBrief[], line: number, rules: FullNameRules): string {
  const parts: string[] = [];
  for (const [index, { kind, name, lineStart, lineEnd }] of symbols.entries())
    if (kind === rules.fileNamespace && lineStart <= line && line <= lineEnd && hasBody(symbols, index))
      parts.push(dotted(name));
  return join(fileNamespaceAt(symbols, line, rules), parts.join(".")).replace(/\.$/u, "");
}
