import type { NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import type { SymbolBrief } from "../../store/record.ts";
import { bareName, briefOf, symbolAround, symbolsNamed, type Definition } from "../definition.ts";
import { definitionsNamed } from "../definitions-named.ts";
import { OUTSIDE, UNKNOWN, type Entity, type Resolver } from "../entity.ts";
import type { ModuleTree } from "../modules/module-rules.ts";
import { withIncluded } from "./includes.ts";

type Files = ReadonlyMap<string, ViewFile>;

interface CState {
  readonly tree: ModuleTree;
  readonly included: Map<string, Promise<Files>>;
  readonly names: Map<string, Promise<readonly Entity[]>>;
}

/** Resolves names of C and C++ by includes, namespaces and classes. */
export function createCResolver(tree: ModuleTree): Resolver {
  const at: CState = { tree, included: new Map(), names: new Map() };
  const nameIn = (file: ViewFile, name: string): Promise<readonly Entity[]> => nameAt(at, file, name, 1);
  return { entitiesOf: (file, position) => entitiesOf(at, file, position), nameIn, exportsOf: nameIn };
}

function filesOf(at: CState, file: ViewFile): Promise<Files> {
  const known = at.included.get(file.path) ?? withIncluded(file, at.tree);
  at.included.set(file.path, known);
  return known;
}

async function entitiesOf(at: CState, file: ViewFile, position: number): Promise<readonly Entity[]> {
  const { uses } = await at.tree.factsOf(file);
  const use = uses[position];
  if (use === undefined) return UNKNOWN;
  switch (use.receiver) {
    case "none":
    case "root":
    case "local":
      return nameAt(at, file, use.name, use.line);
    case "previous":
      return qualified(at, file, use, uses[position - 1]?.name ?? "");
    case "self": {
      const owner = ownerAround(at, file, use.line);
      const found = owner === undefined ? [] : await membersOf(at, file, owner, use.name);
      return found.length > 0 ? found : UNKNOWN;
    }
    case "super":
    case "unknown":
    case "key":
      break;
  }
  return UNKNOWN;
}

const CONTAINERS: ReadonlySet<string> = new Set(["namespace", "class", "struct", "enum", "type"]);
const CLASSES: ReadonlySet<string> = new Set(["class", "struct"]);

/** Returns the names of the namespaces around a symbol or line, the outermost first. */
function namespacesAround(symbols: readonly SymbolBrief[], first: number): string[] {
  const names: string[] = [];
  for (let at = first; at >= 0; at = symbols[at]?.parent ?? -1)
    if (symbols[at]?.kind === "namespace") names.unshift(...(symbols[at]?.name ?? "").split("::"));
  return names;
}

/** Returns the name of the class that a symbol is a member of. */
function classOf(brief: SymbolBrief, symbols: readonly SymbolBrief[]): string | undefined {
  const around = symbols[brief.parent];
  if (around !== undefined && CLASSES.has(around.kind)) return bareName(around.name);
  if (brief.owner === undefined) return undefined;
  const owner = bareName(brief.owner);
  return symbols.some(({ kind, name }) => kind === "namespace" && bareName(name) === owner)
    ? undefined
    : owner;
}

/** Returns the class of the method around a line. */
function ownerAround(at: CState, file: ViewFile, line: number): string | undefined {
  const { symbols } = at.tree.view.documentOf(file);
  const brief =
    symbols[symbolAround(symbols, line, ({ kind }) => kind !== "namespace" && kind !== "variant")];
  if (brief === undefined) return undefined;
  return CLASSES.has(brief.kind) ? bareName(brief.name) : classOf(brief, symbols);
}

function nameAt(at: CState, file: ViewFile, name: string, line: number): Promise<readonly Entity[]> {
  const { symbols } = at.tree.view.documentOf(file);
  const namespaces = namespacesAround(
    symbols,
    symbolAround(symbols, line, ({ kind }) => kind === "namespace"),
  );
  const owner = ownerAround(at, file, line);
  const key = `${file.path}\0${namespaces.join("::")}\0${owner ?? ""}\0${name}`;
  const known = at.names.get(key) ?? findName(at, file, name, { namespaces, owner });
  at.names.set(key, known);
  return known;
}

interface Around {
  readonly namespaces: readonly string[];
  readonly owner: string | undefined;
}

async function findName(
  at: CState,
  file: ViewFile,
  name: string,
  { namespaces, owner }: Around,
): Promise<readonly Entity[]> {
  const members = owner === undefined ? [] : await membersOf(at, file, owner, name);
  if (members.some(({ kind }) => kind === "definition")) return members;
  const files = await filesOf(at, file);
  const opened = await usedNamespaces(at, files);
  const isVisible = (path: readonly string[]): boolean => {
    const text = path.join("::");
    return (
      path.every((part, index) => part === namespaces[index] || part === "") ||
      opened.has(text) ||
      opened.has(`${text}::${name}`)
    );
  };
  const found: Definition[] = [];
  for (const one of files.values()) {
    const { symbols } = at.tree.view.documentOf(one);
    for (const symbol of symbolsNamed(symbols, name, (brief) => isGlobal(brief, symbols)))
      if (isVisible(namespaceOf(symbols, symbol))) found.push({ file: one, symbol });
  }
  if (found.length === 0) return unexplained(at, name);
  const names = await linked(at, file, name, found);
  // A class from which the class around the place inherits may have a function of this name, too.
  return members.length > 0 && found.some((one) => isFunction(at, one)) ? [...names, ...UNKNOWN] : names;
}

function isFunction(at: CState, definition: Definition): boolean {
  const kind = briefOf(at.tree.view, definition)?.kind;
  return kind === "fn" || kind === "prototype";
}

/** Returns the namespaces of a symbol; a name such as `a::f` in a definition adds those before it. */
function namespaceOf(symbols: readonly SymbolBrief[], symbol: number): string[] {
  const brief = symbols[symbol];
  const path = namespacesAround(symbols, brief?.parent ?? -1);
  if (brief?.owner === undefined || path.at(-1) === brief.owner) return path;
  return [...path, ...brief.owner.split("::")];
}

/** Returns true for a name that needs no object: it is in no class, or it is a constant of an enumeration. */
function isGlobal(brief: SymbolBrief, symbols: readonly SymbolBrief[]): boolean {
  const around = symbols[brief.parent];
  if (brief.kind === "variant")
    return around === undefined || !CLASSES.has(symbols[around.parent]?.kind ?? "");
  if (brief.kind === "macro") return true;
  if (brief.kind === "field" || brief.kind === "import") return false;
  // In C, a struct inside a struct is visible everywhere.
  if (around !== undefined && around.kind !== "namespace" && !CLASSES.has(brief.kind)) return false;
  return classOf(brief, symbols) === undefined || CLASSES.has(brief.kind);
}

/** Returns the namespaces and names that `using` opens in some files: `a::b` for a namespace, `a::b::name` for a name. */
async function usedNamespaces(at: CState, files: Files): Promise<ReadonlySet<string>> {
  const opened = new Set<string>();
  for (const file of files.values())
    for (const { module, names, all } of (await at.tree.factsOf(file)).links) {
      if (!module.startsWith("using:")) continue;
      const path = module.slice("using:".length);
      if (all) opened.add(path);
      for (const { name } of names) opened.add(`${path}::${name}`);
    }
  return opened;
}

/** Adds to declarations the definitions that they declare, and says whether one of several is meant. */
async function linked(
  at: CState,
  from: ViewFile,
  name: string,
  found: readonly Definition[],
): Promise<readonly Entity[]> {
  const { view } = at.tree;
  const kindOf = (definition: Definition): string => briefOf(view, definition)?.kind ?? "";
  const declared = found.filter((one) => kindOf(one) === "prototype" || kindOf(one) === "var");
  const defined = found.filter((one) => !declared.includes(one));
  const others: Entity[] = [];
  for (const definition of declared.length > 0 ? definitionsNamed(view, name, "c") : []) {
    if (found.some((one) => one.file.path === definition.file.path && one.symbol === definition.symbol))
      continue;
    if (!isSameOwner(at, definition, declared[0])) continue;
    const kind = kindOf(definition);
    const isOther = kind !== "fn" && kind !== "method" && kind !== "constructor" && kind !== "var";
    if (isOther || briefOf(view, definition)?.isHidden === true) continue;
    // The file with the definition must see the declaration, too; otherwise they only have the same name.
    const files = await filesOf(at, definition.file);
    const isProved = declared.some(({ file }) => files.has(file.path));
    others.push({ kind: "definition", definition, ...(!isProved && { isPossible: true as const }) });
  }
  const own = [...declared, ...defined].map((definition): Entity => ({ kind: "definition", definition }));
  const bodies = new Set([
    ...defined.map(({ file }) => file.path),
    ...others.flatMap((one) =>
      one.kind === "definition" && one.isPossible !== true ? [one.definition.file.path] : [],
    ),
  ]);
  const isOwn = defined.some(({ file }) => file.path === from.path);
  if (bodies.size < 2 || isOwn) return isOwn ? own : [...own, ...others];
  return [...own, ...others].map((entity) => ({ ...entity, isPossible: true }));
}

/** Returns true if two symbols are in the same namespace and class. */
function isSameOwner(at: CState, a: Definition, b: Definition | undefined): boolean {
  if (b === undefined) return false;
  const pathOf = ({ file, symbol }: Definition): string => {
    const { symbols } = at.tree.view.documentOf(file);
    const around = symbols[symbols[symbol]?.parent ?? -1];
    const owner = around !== undefined && CLASSES.has(around.kind) ? [bareName(around.name)] : [];
    return [...namespaceOf(symbols, symbol), ...owner].join("::");
  };
  return pathOf(a) === pathOf(b);
}

/** Returns the global definitions of a name that no include explains, such as those of generated or forced includes. */
function unexplained(at: CState, name: string): readonly Entity[] {
  const found = definitionsNamed(at.tree.view, name, "c").flatMap((definition): Entity[] => {
    const { symbols } = at.tree.view.documentOf(definition.file);
    const brief = symbols[definition.symbol];
    if (brief === undefined || !isGlobal(brief, symbols)) return [];
    // A static function is known only in its own file, unless the file is a header.
    const isPrivate = brief.isHidden && /\.(?:c|cc|cpp|cxx)$/u.test(definition.file.path);
    return isPrivate ? [] : [{ kind: "definition", definition, isPossible: true }];
  });
  return found.length > 0 ? found : OUTSIDE;
}

/**
 * Returns the members of a class with a name, in the files that a file sees: its own, otherwise those of its base
 * classes. Returns nothing if there is none, and `unknown` if there may be one in a base class that is not in these files.
 */
async function membersOf(
  at: CState,
  file: ViewFile,
  owner: string,
  name: string,
  seen = new Set<string>(),
): Promise<readonly Entity[]> {
  const found: Definition[] = [];
  const classes: Definition[] = [];
  for (const one of (await filesOf(at, file)).values()) {
    const { symbols } = at.tree.view.documentOf(one);
    for (const symbol of symbolsNamed(symbols, name, (brief) => isIn(brief, owner, symbols)))
      found.push({ file: one, symbol });
    for (const symbol of symbolsNamed(symbols, owner, ({ kind }) => CLASSES.has(kind)))
      classes.push({ file: one, symbol });
  }
  if (found.length > 0) return linked(at, file, name, found);
  if (classes.length === 0) return seen.size === 0 ? [] : UNKNOWN;
  seen.add(owner);
  let last: readonly Entity[] = [];
  for (const base of await basesOf(at, classes)) {
    const inherited = seen.has(base) ? [] : await membersOf(at, file, base, name, seen);
    if (inherited.some(({ kind }) => kind === "definition")) return inherited;
    if (inherited.length > 0) last = UNKNOWN;
  }
  return last;
}

/** Returns the names of the classes from which these classes inherit. */
async function basesOf(at: CState, classes: readonly Definition[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { file, symbol } of classes) {
    const { symbols } = at.tree.view.documentOf(file);
    const brief = symbols[symbol];
    if (brief === undefined) continue;
    for (const { name, role, line } of (await at.tree.factsOf(file)).uses) {
      if (role !== "inheritance" || line < brief.lineStart || line > brief.lineEnd) continue;
      // Classes inside this one inherit for themselves.
      if (symbolAround(symbols, line, ({ kind }) => CLASSES.has(kind)) === symbol) names.add(name);
    }
  }
  return names;
}

/** Returns true if a symbol is directly in a namespace, a class or an enumeration of this name. */
function isIn(brief: SymbolBrief, owner: string, symbols: readonly SymbolBrief[]): boolean {
  const around = symbols[brief.parent];
  if (around !== undefined && CONTAINERS.has(around.kind) && bareName(around.name) === owner) return true;
  return brief.owner !== undefined && bareName(brief.owner) === owner;
}

/** Resolves `owner::name`; a name after `.` or `->` is a member of a value whose type is not known. */
async function qualified(
  at: CState,
  file: ViewFile,
  { name }: NameUse,
  owner: string,
): Promise<readonly Entity[]> {
  const found = await membersOf(at, file, owner, name);
  if (found.some(({ kind }) => kind === "definition")) return found;
  const isKnown = definitionsNamed(at.tree.view, owner, "c").some((one) =>
    CONTAINERS.has(briefOf(at.tree.view, one)?.kind ?? ""),
  );
  return isKnown ? [...unexplained(at, name), ...UNKNOWN] : UNKNOWN;
}
