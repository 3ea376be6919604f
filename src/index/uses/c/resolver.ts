import type { ModuleLink, NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import type { SymbolBrief } from "../../store/record.ts";
import {
  bareName,
  briefOf,
  languageOfFile,
  symbolAround,
  symbolsNamed,
  type Definition,
} from "../definition.ts";
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
  return {
    entitiesOf: (file, position) => entitiesOf(at, file, position),
    nameIn,
    exportsOf: nameIn,
    mayBeMember: (entities, wanted, { receiver }) =>
      receiver === "self" || receiver === "none" ? mayOverride(at, entities, wanted) : Promise.resolve(false),
  };
}

/** Returns true if the class of a method inherits from that of one of the entities, whose code then may run this one. */
async function mayOverride(at: CState, entities: readonly Entity[], wanted: Definition): Promise<boolean> {
  const overridden = new Set(
    entities.flatMap((entity) =>
      entity.kind === "definition" ? (ownerOf(at, entity.definition) ?? []) : [],
    ),
  );
  const own = ownerOf(at, wanted);
  if (overridden.size === 0 || own === undefined) return false;
  const files = await filesOf(at, wanted.file);
  const seen = new Set([own]);
  for (const name of seen) {
    const classes = [...files.values()].flatMap((file) =>
      symbolsNamed(at.tree.view.documentOf(file).symbols, name, ({ kind }) => CLASSES.has(kind)).map(
        (symbol) => ({ file, symbol }),
      ),
    );
    for (const base of await basesOf(at, classes)) {
      if (overridden.has(base)) return true;
      seen.add(base);
    }
  }
  return false;
}

/** Returns the name of the class of a method. */
function ownerOf({ tree: { view } }: CState, { file, symbol }: Definition): string | undefined {
  const { symbols } = view.documentOf(file);
  const brief = symbols[symbol];
  return brief?.kind === "method" || brief?.kind === "prototype" ? classOf(brief, symbols) : undefined;
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
  if (use.symbol !== undefined)
    return [{ kind: "definition", definition: { file, symbol: use.symbol, isInner: true } }];
  switch (use.receiver) {
    case "none":
    case "root":
    case "local": {
      const meant =
        use.receiver === "root"
          ? await globalName(at, file, use.name)
          : await nameAt(at, file, use.name, use.line);
      const found = typesOrValues(at, meant, file, use);
      return found === OUTSIDE && use.role === "read" ? orMember(at, use.name) : found;
    }
    case "previous":
      return qualified(at, file, use, writtenBefore(uses, position));
    case "self": {
      const owner = ownerAround(at, file, use.line);
      if (owner === undefined) return UNKNOWN;
      const container = { path: [owner], namespaces: namespacesAt(at, file, use.line) };
      const found = await membersOf(at, file, container, use.name);
      return found.length > 0 ? found : UNKNOWN;
    }
    case "super":
    case "unknown":
    case "key":
      break;
  }
  return UNKNOWN;
}

/**
 * Chooses between a type and a function or variable of the same name, such as `struct stat` and `stat()`: without a word
 * such as `struct` before it, the name is that of the function.
 */
function typesOrValues(
  at: CState,
  entities: readonly Entity[],
  file: ViewFile,
  { role }: NameUse,
): readonly Entity[] {
  const isValue = (entity: Entity): boolean =>
    entity.kind !== "definition" || VALUES.has(briefOf(at.tree.view, entity.definition)?.kind ?? "");
  const isMixed = entities.some((one) => one.kind === "definition" && isValue(one));
  if (!isMixed || entities.every(isValue)) return entities;
  // In C++ a type needs no such word, so that of names in different scopes either may be meant.
  const areOpen = entities.every((one) => one.kind !== "definition" || one.isPossible === true);
  const isClass = (one: Entity): boolean =>
    one.kind === "definition" && briefOf(at.tree.view, one.definition)?.kind === "class";
  // A header such as `a.h` may be of either language, but only C++ has classes.
  const isCpp = languageOfFile(file) === "cpp" || entities.some(isClass);
  if (areOpen && role === "read" && isCpp) return entities;
  return entities.filter((one) => isValue(one) === (role !== "type"));
}

const VALUES: ReadonlySet<string> = new Set([
  "fn",
  "prototype",
  "var",
  "const",
  "method",
  "macro",
  "variant",
]);

/** A name that means nothing itself may be given to a macro that makes a member of it: `LIST_FOREACH(a, &list, next)`. */
function orMember({ tree: { view } }: CState, name: string): readonly Entity[] {
  const isMember = definitionsNamed(view, name, "c").some((one) =>
    MEMBERS.has(briefOf(view, one)?.kind ?? ""),
  );
  return isMember ? UNKNOWN : OUTSIDE;
}

const MEMBERS: ReadonlySet<string> = new Set(["field", "property", "method"]);

/** The names before a use, and whether `::` precedes the first of them. */
interface Written {
  readonly names: readonly string[];
  readonly isGlobal: boolean;
}

/** Returns the names before a use in `a::b::c`. */
function writtenBefore(uses: readonly NameUse[], position: number): Written {
  const names: string[] = [];
  let at = position;
  for (; uses[at]?.receiver === "previous"; at--) names.unshift(uses[at - 1]?.name ?? "");
  return { names, isGlobal: uses[at]?.receiver === "root" };
}

/** Matches names that are usually those of macros. */
export const IS_MACRO_NAME = /^[\p{Lu}\d_]+$/u;
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

function namespacesAt(at: CState, file: ViewFile, line: number): string[] {
  const { symbols } = at.tree.view.documentOf(file);
  return namespacesAround(
    symbols,
    symbolAround(symbols, line, ({ kind }) => kind === "namespace"),
  );
}

/**
 * Returns the class that the head of a test names, as in `TEST_F(Fixture, name) {…}`: the macro derives a class from it,
 * whose members the body sees.
 */
async function fixtureAround(at: CState, file: ViewFile, line: number): Promise<string | undefined> {
  const { symbols } = at.tree.view.documentOf(file);
  const brief =
    symbols[symbolAround(symbols, line, ({ kind }) => kind !== "namespace" && kind !== "variant")];
  const isMacro = brief?.kind === "test" || (brief?.kind === "fn" && IS_MACRO_NAME.test(brief.name));
  if (brief === undefined || !isMacro) return undefined;
  const { uses } = await at.tree.factsOf(file);
  return uses.find(
    (use) =>
      use.line === brief.lineStart &&
      use.receiver === "none" &&
      definitionsNamed(at.tree.view, use.name, "c").some((one) => isClass(at, one)),
  )?.name;
}

function isClass(at: CState, definition: Definition): boolean {
  return CLASSES.has(briefOf(at.tree.view, definition)?.kind ?? "");
}

async function nameAt(at: CState, file: ViewFile, name: string, line: number): Promise<readonly Entity[]> {
  const namespaces = namespacesAt(at, file, line);
  const own = ownerAround(at, file, line);
  const fixture = own === undefined ? await fixtureAround(at, file, line) : undefined;
  const owner = own ?? fixture;
  const opened = await openedAt(at, file, line);
  const key = [file.path, namespaces.join("::"), owner ?? "", opened.join(), name].join("\0");
  const known =
    at.names.get(key) ??
    findName(at, file, name, { namespaces, owner, opened, isMacro: fixture !== undefined });
  at.names.set(key, known);
  return known;
}

/** Resolves `::name`, which skips the classes and namespaces around the place. */
function globalName(at: CState, file: ViewFile, name: string): Promise<readonly Entity[]> {
  const key = [file.path, "::", name].join("\0");
  const known = at.names.get(key) ?? findName(at, file, name, OUTERMOST);
  at.names.set(key, known);
  return known;
}

/** Returns what `using` opens in the function around a line. */
async function openedAt(at: CState, file: ViewFile, line: number): Promise<string[]> {
  const inner = (await at.tree.factsOf(file)).links.filter(({ isInner }) => isInner === true);
  if (inner.length === 0) return [];
  const { symbols } = at.tree.view.documentOf(file);
  const around = symbols[symbolAround(symbols, line, ({ kind }) => BODIES.has(kind))];
  return inner
    .filter((link) => around !== undefined && around.lineStart <= link.line && link.line <= line)
    .flatMap(namesOpenedBy);
}

const BODIES: ReadonlySet<string> = new Set(["fn", "method", "constructor"]);

interface Around {
  readonly namespaces: readonly string[];
  readonly owner: string | undefined;
  readonly opened: readonly string[];
  /** True if only a macro puts the place into the class. */
  readonly isMacro: boolean;
  /** True for `::name`, which means what a `using` brings in only if nothing outside of namespaces has the name. */
  readonly isGlobal?: boolean;
}

const OUTERMOST: Around = { namespaces: [], owner: undefined, opened: [], isMacro: false, isGlobal: true };

async function findName(
  at: CState,
  file: ViewFile,
  name: string,
  { namespaces, owner, opened: inFunction, isMacro, isGlobal: isRoot }: Around,
): Promise<readonly Entity[]> {
  // Inside a class its name is the class itself, not the constructor.
  const members =
    owner === undefined || owner === name
      ? []
      : await membersOf(at, file, { path: [owner], namespaces }, name);
  if (members.some(({ kind }) => kind === "definition"))
    return isMacro ? members.map((one) => ({ ...one, isPossible: true })) : members;
  const files = await filesOf(at, file);
  const opened = new Set([...(await usedNamespaces(at, files)), ...inFunction]);
  const isVisible = (path: readonly string[]): boolean => {
    const text = path.join("::");
    return (
      path.every((part, index) => part === namespaces[index] || part === "") ||
      opened.has(text) ||
      opened.has(`${text}::${name}`)
    );
  };
  let visible: { readonly definition: Definition; readonly depth: number; readonly isOutermost: boolean }[] =
    [];
  for (const one of files.values()) {
    const { symbols } = at.tree.view.documentOf(one);
    const isCpp = languageOfFile(one) === "cpp";
    for (const symbol of symbolsNamed(symbols, name, (brief) => isGlobal(brief, symbols, isCpp))) {
      const path = namespaceOf(symbols, symbol);
      if (isVisible(path) && !(await isScoped(at, one, symbol)))
        visible.push({
          definition: { file: one, symbol },
          depth: sharedDepth(path, namespaces),
          isOutermost: path.every((part) => part === ""),
        });
    }
  }
  if (isRoot === true && visible.some(({ isOutermost }) => isOutermost))
    visible = visible.filter(({ isOutermost }) => isOutermost);
  // A base class that no include leads to may have the name, too.
  if (visible.length === 0)
    return members.length > 0 ? [...unexplained(at, name), ...UNKNOWN] : unexplained(at, name);
  // The innermost namespace that has the name hides the others, except that the types of arguments may lead to them.
  const deepest = Math.max(...visible.map(({ depth }) => depth));
  const found = withoutHeads(
    at,
    visible.filter(({ depth }) => depth === deepest).map(({ definition }) => definition),
  );
  const hidden = visible.filter(({ depth }) => depth < deepest).map(({ definition }) => definition);
  const names = [
    ...(await linked(at, file, name, found)),
    ...hidden
      .filter((one) => isFunction(at, one))
      .map((definition): Entity => ({ kind: "definition", definition, isPossible: true })),
  ];
  // A class from which the class around the place inherits may have a function of this name, too.
  return members.length > 0 && found.some((one) => isFunction(at, one)) ? [...names, ...UNKNOWN] : names;
}

/** Returns the number of namespaces around a place that contain a definition; 0 if `using` makes it visible. */
function sharedDepth(path: readonly string[], namespaces: readonly string[]): number {
  return path.every((part, index) => part === namespaces[index]) ? path.length : 0;
}

/** Leaves out functions such as `TEST(name) {…}`, of which only the macro `TEST` is known by this name, if it is. */
function withoutHeads(at: CState, found: readonly Definition[]): readonly Definition[] {
  const kindOf = (one: Definition): string => briefOf(at.tree.view, one)?.kind ?? "";
  if (!found.some((one) => kindOf(one) === "macro")) return found;
  const isHead = (one: Definition): boolean =>
    kindOf(one) === "fn" && IS_MACRO_NAME.test(briefOf(at.tree.view, one)?.name ?? "");
  return found.filter((one) => !isHead(one));
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
function isGlobal(brief: SymbolBrief, symbols: readonly SymbolBrief[], isCpp: boolean): boolean {
  const around = symbols[brief.parent];
  // What a function of C++ defines is bound in its block.
  const outer = brief.kind === "variant" ? symbols[around?.parent ?? -1] : around;
  if (isCpp && BODIES.has(outer?.kind ?? "")) return false;
  if (brief.kind === "variant")
    return around === undefined || !CLASSES.has(symbols[around.parent]?.kind ?? "");
  if (brief.kind === "macro") return true;
  if (brief.kind === "field" || brief.kind === "import") return false;
  // In C, a struct inside a struct is visible everywhere.
  if (around !== undefined && around.kind !== "namespace" && !CLASSES.has(brief.kind)) return false;
  return classOf(brief, symbols) === undefined || CLASSES.has(brief.kind);
}

/** Returns true for a constant of `enum class A`, which code reaches only by `A::`. */
async function isScoped({ tree }: CState, file: ViewFile, symbol: number): Promise<boolean> {
  if (tree.view.documentOf(file).symbols[symbol]?.kind !== "variant") return false;
  return (await tree.factsOf(file)).marks.get(symbol) === "static";
}

/** Returns the namespaces and names that `using` opens in some files: `a::b` for a namespace, `a::b::name` for a name. */
async function usedNamespaces(at: CState, files: Files): Promise<ReadonlySet<string>> {
  const opened = new Set<string>();
  for (const file of files.values())
    for (const link of (await at.tree.factsOf(file)).links)
      if (link.isInner !== true) for (const one of namesOpenedBy(link)) opened.add(one);
  return opened;
}

function namesOpenedBy({ module, names, all }: ModuleLink): string[] {
  if (!module.startsWith("using:")) return [];
  const path = module.slice("using:".length);
  return [...(all ? [path] : []), ...names.map(({ name }) => `${path}::${name}`)];
}

/** Kinds of types, whose names do not hide those of functions and variables. */
const TAGS: ReadonlySet<string> = new Set(["class", "struct", "enum"]);

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
    ...defined.flatMap((one) => (TAGS.has(kindOf(one)) && declared.length > 0 ? [] : [one.file.path])),
    ...others.flatMap((one) =>
      one.kind === "definition" && one.isPossible !== true ? [one.definition.file.path] : [],
    ),
  ]);
  const isOwn = defined.some((one) => one.file.path === from.path && !TAGS.has(kindOf(one)));
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
    const isCpp = languageOfFile(definition.file) === "cpp";
    if (brief === undefined || !isGlobal(brief, symbols, isCpp)) return [];
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
  container: Container,
  name: string,
  seen = new Set<string>(),
): Promise<readonly Entity[]> {
  const owner = container.path.at(-1) ?? "";
  const found: Definition[] = [];
  const classes: Definition[] = [];
  for (const one of (await filesOf(at, file)).values()) {
    const { symbols } = at.tree.view.documentOf(one);
    for (const symbol of symbolsNamed(symbols, name, (brief) => isIn(brief, owner, symbols)))
      found.push({ file: one, symbol });
    // The constants of an enumeration in a class are its members, too, unless only the enumeration has them.
    for (const symbol of symbolsNamed(symbols, name, (brief) => isConstantIn(brief, owner, symbols)))
      if (!(await isScoped(at, one, symbol))) found.push({ file: one, symbol });
    for (const symbol of symbolsNamed(symbols, owner, ({ kind }) => CLASSES.has(kind)))
      classes.push({ file: one, symbol });
  }
  // In a class derived from this one, the name of this one is no member, not even the constructor, but the class itself.
  if (name === owner && seen.size > 0 && classes.length > 0) return ownNames(at, classes);
  if (found.length > 0) {
    const { kept, isOpen } = nearestContainers(at, found, container);
    const entities = await linked(at, file, name, kept);
    return isOpen ? entities.map((entity) => ({ ...entity, isPossible: true })) : entities;
  }
  if (classes.length === 0) return seen.size === 0 ? [] : UNKNOWN;
  seen.add(owner);
  let last: readonly Entity[] = [];
  for (const base of await basesOf(at, classes)) {
    const around = { ...container, path: [base] };
    const inherited = seen.has(base) ? [] : await membersOf(at, file, around, name, seen);
    if (inherited.some(({ kind }) => kind === "definition")) return inherited;
    if (inherited.length > 0) last = UNKNOWN;
  }
  return last;
}

/** Returns the classes that a name means inside a class derived from one; if there are several, each is possible. */
function ownNames(at: CState, classes: readonly Definition[]): readonly Entity[] {
  const paths = classes.map(({ file, symbol }) =>
    containerPath(at.tree.view.documentOf(file).symbols, symbol).join("::"),
  );
  const isOpen = new Set(paths).size > 1;
  return classes.map((definition) => ({
    kind: "definition",
    definition,
    ...(isOpen && { isPossible: true as const }),
  }));
}

/** A class or namespace as it is written at a place, such as `a::B`, and the namespaces around the place. */
interface Container {
  readonly path: readonly string[];
  readonly namespaces: readonly string[];
}

/**
 * Chooses among members of containers with the same name: those whose container has the written path in the innermost
 * namespace around the place. If none has it there and several are left, it is open which one is meant.
 */
function nearestContainers(
  at: CState,
  found: readonly Definition[],
  { path, namespaces }: Container,
): { readonly kept: readonly Definition[]; readonly isOpen: boolean } {
  const pathOf = ({ file, symbol }: Definition): string =>
    containerPath(at.tree.view.documentOf(file).symbols, symbol).join("::");
  const paths = new Set(found.map(pathOf));
  if (paths.size < 2) return { kept: found, isOpen: false };
  for (let depth = namespaces.length; depth >= 0; depth--) {
    const wanted = [...namespaces.slice(0, depth), ...path].join("::");
    if (paths.has(wanted)) return { kept: found.filter((one) => pathOf(one) === wanted), isOpen: false };
  }
  const ending = `::${path.join("::")}`;
  const fitting = found.filter((one) => pathOf(one).endsWith(ending));
  const kept = fitting.length > 0 ? fitting : found;
  return { kept, isOpen: new Set(kept.map(pathOf)).size > 1 };
}

/** Returns the names of the namespaces and classes that contain a symbol. */
function containerPath(symbols: readonly SymbolBrief[], symbol: number): string[] {
  const names: string[] = [];
  const own = symbols[symbol];
  for (let around = symbols[own?.parent ?? -1]; around !== undefined; around = symbols[around.parent])
    if (CONTAINERS.has(around.kind)) names.unshift(...around.name.split("::").map(bareName));
  if (own?.owner === undefined || names.at(-1) === bareName(own.owner)) return names;
  return [...names, ...own.owner.split("::").map(bareName)];
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

/** Returns true for a constant of an enumeration that is directly in a class of this name. */
function isConstantIn(brief: SymbolBrief, owner: string, symbols: readonly SymbolBrief[]): boolean {
  const container = symbols[symbols[brief.parent]?.parent ?? -1];
  if (brief.kind !== "variant" || container === undefined) return false;
  return CLASSES.has(container.kind) && bareName(container.name) === owner;
}

/** Resolves `owner::name`; a name after `.` or `->` is a member of a value whose type is not known. */
async function qualified(
  at: CState,
  file: ViewFile,
  { name, line }: NameUse,
  written: Written,
): Promise<readonly Entity[]> {
  const { names: path, isGlobal } = written;
  const container = { path, namespaces: isGlobal ? [] : namespacesAt(at, file, line) };
  const owner = path.at(-1) ?? "";
  const found = await membersOf(at, file, container, name);
  if (found.some(({ kind }) => kind === "definition")) return found;
  const isKnown = definitionsNamed(at.tree.view, owner, "c").some((one) =>
    CONTAINERS.has(briefOf(at.tree.view, one)?.kind ?? ""),
  );
  return isKnown ? [...unexplained(at, name), ...UNKNOWN] : UNKNOWN;
}
