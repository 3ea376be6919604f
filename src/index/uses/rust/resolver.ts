import type { ModuleLink, NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import type { SymbolBrief } from "../../store/record.ts";
import { bareName, briefOf, symbolAround, symbolsNamed, TYPE_KINDS, type Definition } from "../definition.ts";
import { definitionsNamed } from "../definitions-named.ts";
import {
  asAlternatives,
  MISSING,
  OUTSIDE,
  refersTo,
  UNKNOWN,
  type Entity,
  type Resolver,
} from "../entity.ts";
import type { ModuleTree } from "../modules/module-rules.ts";
import { crateNamed, mayBeCrate } from "./crates.ts";
import {
  fileOfModule,
  isModuleLink,
  parentsOf,
  scopeAround,
  scopeAt,
  scopeIn,
  type ModuleScope,
} from "./module-files.ts";

/** The place of a name: its module and its line, because a function may have imports of its own. */
interface Place {
  readonly scope: ModuleScope;
  readonly line: number;
}

/** What resolving one name needs. */
interface RustState {
  readonly tree: ModuleTree;
  /**
   * What was already looked up for this name. A question that is asked again while it is being answered, as in a cycle
   * of imports, is answered with the items of the module, so that each one is asked once.
   */
  readonly seen: Map<string, readonly Entity[]>;
}

/** Answers a question once. */
async function once(
  at: RustState,
  key: string,
  find: () => Promise<readonly Entity[]>,
  items: readonly Entity[] = [],
): Promise<readonly Entity[]> {
  const known = at.seen.get(key);
  if (known !== undefined) return known;
  at.seen.set(key, items);
  const found = await find();
  at.seen.set(key, found);
  return found;
}

/** Resolves names by the modules of crates, `use` declarations and impl blocks. */
export function createRustResolver(tree: ModuleTree): Resolver {
  const names = new Map<string, Promise<readonly Entity[]>>();
  const inAny = (file: ViewFile, name: string): Promise<readonly Entity[]> => {
    const key = `${file.path}\0${name}`;
    const known = names.get(key) ?? inAnyModule({ tree, seen: new Map() }, file, name);
    names.set(key, known);
    return known;
  };
  return {
    entitiesOf: async (file, position) =>
      alternatives(tree, await entitiesOf({ tree, seen: new Map() }, file, position)),
    nameIn: inAny,
    exportsOf: inAny,
    mayBeMember: (entities, wanted) => mayImplement(tree, entities, wanted),
  };
}

/** Returns true if a call of a method of a trait may run one in an impl block for the trait. */
async function mayImplement(
  tree: ModuleTree,
  entities: readonly Entity[],
  wanted: Definition,
): Promise<boolean> {
  const { symbols } = tree.view.documentOf(wanted.file);
  const block = symbols[wanted.symbol]?.parent ?? -1;
  const traits = entities.flatMap((entity) => {
    if (entity.kind !== "definition") return [];
    const others = tree.view.documentOf(entity.definition.file).symbols;
    const around = others[others[entity.definition.symbol]?.parent ?? -1];
    return around?.kind === "trait" ? [bareName(around.name)] : [];
  });
  if (symbols[block]?.kind !== "impl" || traits.length === 0) return false;
  const { uses } = await tree.factsOf(wanted.file);
  return uses.some(
    ({ name, role, line }) =>
      role === "inheritance" &&
      traits.includes(name) &&
      symbolAround(symbols, line, ({ kind }) => TYPE_KINDS.has(kind)) === block,
  );
}

/** Marks items in several files as alternatives; a module may have the name of an item. */
function alternatives({ view }: ModuleTree, entities: readonly Entity[]): readonly Entity[] {
  const isModule = (entity: Entity): boolean =>
    entity.kind === "definition" && briefOf(view, entity.definition)?.kind === "module";
  return [
    ...asAlternatives(entities.filter((entity) => !isModule(entity))),
    ...entities.filter((entity) => isModule(entity)),
  ];
}

/** Returns what a name means in a file or in one of its inline modules. */
async function inAnyModule(at: RustState, file: ViewFile, name: string): Promise<readonly Entity[]> {
  const { links } = await at.tree.factsOf(file);
  const lines = links.filter(({ names }) => names.some(({ as }) => as === name)).map(({ line }) => line);
  const found = await Promise.all(
    [...new Set([0, ...lines])].map((line) =>
      nameAt(at, { scope: scopeIn(file, line, { tree: at.tree, links }), line }, name),
    ),
  );
  return found.flat();
}

async function entitiesOf(at: RustState, file: ViewFile, position: number): Promise<readonly Entity[]> {
  const use = (await at.tree.factsOf(file)).uses[position];
  if (use === undefined) return UNKNOWN;
  switch (use.receiver) {
    case "none":
    case "root":
      return nameAt(at, { scope: await scopeAt(file, use.line, at.tree), line: use.line }, use.name);
    case "local":
      return ofFunction(at, file, use);
    case "previous": {
      const before = await entitiesOf(at, file, position - 1);
      return membersOf(at, before, use.name);
    }
    case "self": {
      const types = await typesAround(at, file, use.line);
      return types.length === 0 ? UNKNOWN : membersOf(at, types, use.name);
    }
    case "super":
    case "unknown":
    case "key":
      break;
  }
  return UNKNOWN;
}

/** Returns the items inside the function around a use that have its name. */
function ofFunction(at: RustState, file: ViewFile, { name, line, symbol }: NameUse): readonly Entity[] {
  if (symbol !== undefined) return [{ kind: "definition", definition: { file, symbol, isInner: true } }];
  const { symbols } = at.tree.view.documentOf(file);
  const found = symbolsNamed(symbols, name, ({ parent, kind }) => {
    const around = symbols[parent];
    return kind !== "impl" && around !== undefined && around.lineStart <= line && line <= around.lineEnd;
  });
  return found.length === 0
    ? UNKNOWN
    : found.map((symbol) => ({ kind: "definition", definition: { file, symbol } }));
}

/** Returns the type that `Self` and `self` refer to on a line. */
async function typesAround(at: RustState, file: ViewFile, line: number): Promise<readonly Entity[]> {
  const { symbols } = at.tree.view.documentOf(file);
  const symbol = symbolAround(symbols, line, ({ kind }) => TYPE_KINDS.has(kind));
  const brief = symbols[symbol];
  if (brief === undefined) return [];
  if (brief.kind !== "impl") return [{ kind: "definition", definition: { file, symbol } }];
  return typesNamed(at, { file, symbol });
}

/** Returns the types that an impl block may belong to. */
async function typesNamed(at: RustState, block: Definition): Promise<readonly Entity[]> {
  const brief = briefOf(at.tree.view, block);
  if (brief === undefined) return [];
  const scope = await scopeAt(block.file, brief.lineStart, at.tree);
  const entities = await nameAt(at, { scope, line: brief.lineStart }, bareName(brief.name));
  return entities.filter((entity) => entity.kind === "definition");
}

async function nameAt(
  at: RustState,
  place: Place,
  name: string,
  except?: ModuleLink,
): Promise<readonly Entity[]> {
  const { scope, line } = place;
  const { symbols } = at.tree.view.documentOf(scope.file);
  const around = symbolAround(symbols, line, isFunction);
  const key = `${scope.file.path}\0${scope.within}\0${around}\0${name}\0${except?.line ?? ""}`;
  const items = itemsOf(at, scope, name, await linksAt(at, place));
  return once(at, key, () => findName(at, place, name, except), items);
}

async function findName(
  at: RustState,
  place: Place,
  name: string,
  except?: ModuleLink,
): Promise<readonly Entity[]> {
  const { scope } = place;
  switch (name) {
    case "crate":
    case "$crate":
      return rootsOf(at, scope.file);
    case "self":
      return [{ kind: "module", ...scope }];
    case "super":
      return (await modulesAround(at, scope)).map((one) => ({ kind: "module", ...one }));
    case "Self":
      return typesAround(at, scope.file, place.line);
    default:
  }
  const found = await inModule(at, place, name, except);
  if (found.length > 0) return found;
  const macros = await macrosNamed(at, scope, name);
  if (macros.length > 0) return macros;
  const crate = await crateNamed(name, scope.file, at.tree);
  if (crate !== undefined) return [{ kind: "module", file: crate, within: -1 }];
  // What an import begins with is a crate, even if no manifest of the project lists it.
  return unboundNames(at, name, except !== undefined || (await mayBeCrate(name, scope.file, at.tree)));
}

/** Names that every module sees without an import. */
const PRELUDE: ReadonlySet<string> = new Set(
  `Option Some None Result Ok Err Vec String Box ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce drop Iterator IntoIterator
  Extend Default Eq PartialEq Ord PartialOrd AsRef AsMut Into From DoubleEndedIterator ExactSizeIterator TryFrom TryInto FromIterator Debug Hash
  str bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 std core alloc`.split(/\s+/u),
);

/** Crates that belong to every installation and that no manifest lists. */
const BUILT_IN_CRATES: ReadonlySet<string> = new Set(["proc_macro", "test"]);

/** Returns the items with a name that no import explains: a macro may have put the name into another path. */
function unboundNames(at: RustState, name: string, mayBeOutside: boolean): readonly Entity[] {
  if (PRELUDE.has(name)) return OUTSIDE;
  const found = definitionsNamed(at.tree.view, name, "rust").flatMap((definition): Entity[] => {
    const { symbols } = at.tree.view.documentOf(definition.file);
    const brief = symbols[definition.symbol];
    const around = symbols[brief?.parent ?? -1];
    const isItem =
      brief !== undefined && !NO_ITEMS.has(brief.kind) && (around === undefined || around.kind === "module");
    return isItem ? [{ kind: "definition", definition, isPossible: true }] : [];
  });
  if (found.length > 0) return found;
  // A variable that a macro binds has any type; only crates and types come from outside.
  return mayBeOutside || /^\p{Lu}/u.test(name) || BUILT_IN_CRATES.has(name) ? OUTSIDE : UNKNOWN;
}

/** Returns what a module contains under a name: its items, what it imports by name, and what it imports with `*`. */
async function inModule(
  at: RustState,
  place: Place,
  name: string,
  except?: ModuleLink,
): Promise<readonly Entity[]> {
  const links = await linksAt(at, place);
  const others = links.filter((link) => link !== except && !isModuleLink(link));
  const { symbols } = at.tree.view.documentOf(place.scope.file);
  const isInner = (link: ModuleLink): boolean => functionOf(symbols, link) !== undefined;
  const inner = others.filter(isInner);
  // What a function imports hides the items of the module around it.
  const hiding = [
    ...(await importedByName(at, place, inner, name)),
    ...(await importedWithAll(at, place, inner, name)),
  ];
  if (hiding.length > 0) return hiding;
  const outer = others.filter((link) => !isInner(link));
  const found = [...itemsOf(at, place.scope, name, links), ...(await importedByName(at, place, outer, name))];
  return found.length > 0 ? found : importedWithAll(at, place, outer, name);
}

async function importedByName(
  at: RustState,
  place: Place,
  links: readonly ModuleLink[],
  name: string,
): Promise<readonly Entity[]> {
  const found: Entity[] = [];
  for (const link of links)
    for (const binding of link.names)
      if (binding.as === name) found.push(...(await follow(at, place, link, binding.name)));
  return found;
}

/** Returns what the first import of everything that has a name brings in. */
async function importedWithAll(
  at: RustState,
  place: Place,
  links: readonly ModuleLink[],
  name: string,
): Promise<readonly Entity[]> {
  for (const link of links) {
    if (!link.all) continue;
    const entities = await follow(at, place, link, name);
    const known = entities.filter(({ kind }) => kind === "definition" || kind === "module");
    if (known.length > 0) return known;
  }
  return [];
}

/** Returns the function that contains an import; `pub use` belongs to a module, even if its line has a function, too. */
function functionOf(symbols: readonly SymbolBrief[], { kind, line }: ModuleLink): SymbolBrief | undefined {
  return kind === "export" ? undefined : symbols[symbolAround(symbols, line, isFunction)];
}

function isFunction({ kind }: SymbolBrief): boolean {
  return kind === "fn" || kind === "method";
}

/** Returns the imports that a place sees: those of its module outside of functions, and those of its own function. */
async function linksAt(at: RustState, { scope, line }: Place): Promise<readonly ModuleLink[]> {
  const { links } = await at.tree.factsOf(scope.file);
  const { symbols } = at.tree.view.documentOf(scope.file);
  return links.filter((link) => {
    if (scopeIn(scope.file, link.line, { tree: at.tree, links }).within !== scope.within) return false;
    const around = functionOf(symbols, link);
    return around === undefined || (around.lineStart <= line && line <= around.lineEnd);
  });
}

const NO_ITEMS: ReadonlySet<string> = new Set(["impl", "import", "field", "variant", "property", "method"]);

function itemsOf(
  at: RustState,
  scope: ModuleScope,
  name: string,
  links: readonly ModuleLink[],
): readonly Entity[] {
  const { file, within } = scope;
  const { symbols } = at.tree.view.documentOf(file);
  const own = symbolsNamed(symbols, name, ({ parent, kind }) => parent === within && !NO_ITEMS.has(kind));
  const declared = links.filter((one) => isModuleLink(one) && one.names[0]?.as === name);
  const found = own.flatMap((symbol): Entity[] => {
    const definition: Entity = { kind: "definition", definition: { file, symbol } };
    const isInline = symbols[symbol]?.kind === "module" && declared.length === 0;
    return isInline ? [definition, { kind: "module", file, within: symbol }] : [definition];
  });
  return [...found, ...modulesDeclared(at, scope, name, declared)];
}

/**
 * Returns the files of a module that a scope declares. There may be several declarations, of which conditions choose one,
 * and a macro such as `cfg_if!` may contain them, so that the list of symbols does not have them.
 */
function modulesDeclared(
  { tree }: RustState,
  scope: ModuleScope,
  name: string,
  declared: readonly ModuleLink[],
): Entity[] {
  const files = new Map<string, ViewFile>();
  for (const link of declared) {
    const file = fileOfModule(scope, link, name, tree);
    if (file !== undefined) files.set(file.path, file);
  }
  return [...files.values()].map((file) => ({ kind: "module", file, within: -1 }));
}

/** Follows one name of a `use` declaration. */
async function follow(
  at: RustState,
  place: Place,
  link: ModuleLink,
  name: string,
): Promise<readonly Entity[]> {
  const [first, ...rest] = link.module === "" ? [name] : [...link.module.split("::"), name];
  let entities = await nameAt(at, place, first ?? "", link);
  for (const segment of rest) entities = await membersOf(at, entities, segment);
  return entities;
}

async function modulesAround(at: RustState, scope: ModuleScope): Promise<readonly ModuleScope[]> {
  return scope.within >= 0 ? [scopeAround(scope, at.tree)] : parentsOf(scope.file, at.tree);
}

/** Returns the roots of the crates that contain a file. */
async function rootsOf(at: RustState, file: ViewFile): Promise<readonly Entity[]> {
  const roots = new Map<string, Entity>();
  const seen = new Set<string>();
  for (const files = [file]; files.length > 0;) {
    const one = files.pop();
    if (one === undefined || seen.has(one.path)) continue;
    seen.add(one.path);
    const parents = await parentsOf(one, at.tree);
    if (parents.length === 0) roots.set(one.path, { kind: "module", file: one, within: -1 });
    files.push(...parents.map((parent) => parent.file));
  }
  return [...roots.values()];
}

/** Returns the macros of a name that a module sees without an import: those of the modules around it. */
async function macrosNamed(at: RustState, scope: ModuleScope, name: string): Promise<readonly Entity[]> {
  const all = definitionsNamed(at.tree.view, name, "rust").filter(
    (definition) => briefOf(at.tree.view, definition)?.kind === "macro",
  );
  if (all.length === 0) return [];
  const around = new Set<string>();
  for (const files = [scope.file]; files.length > 0;) {
    const one = files.pop();
    if (one === undefined || around.has(one.path)) continue;
    around.add(one.path);
    files.push(...(await parentsOf(one, at.tree)).map((parent) => parent.file));
  }
  const near = all.filter(({ file }) => around.has(file.path));
  // A macro of a module beside this one is visible if the module was declared before with `#[macro_use]`.
  return near.length > 0
    ? near.map((definition) => ({ kind: "definition", definition }))
    : all.map((definition) => ({ kind: "definition", definition, isPossible: true }));
}

/** Returns the macros with a name in the modules of a crate: those that it exports belong to its root. */
async function macrosOfCrate(at: RustState, root: ViewFile, name: string): Promise<readonly Entity[]> {
  const found: Definition[] = [];
  for (const one of definitionsNamed(at.tree.view, name, "rust")) {
    if (briefOf(at.tree.view, one)?.kind !== "macro") continue;
    const roots = await rootsOf(at, one.file);
    if (roots.some((entity) => entity.kind === "module" && entity.file.path === root.path)) found.push(one);
  }
  return found.map((definition) => ({
    kind: "definition",
    definition,
    ...(found.length > 1 && { isPossible: true as const }),
  }));
}

/** Returns what a name means after `::` behind one of these. */
async function membersOf(
  at: RustState,
  entities: readonly Entity[],
  name: string,
): Promise<readonly Entity[]> {
  const found = (await Promise.all(entities.map((entity) => memberOf(at, entity, name)))).flat();
  const known = found.filter(({ kind }) => kind !== "missing");
  return known.length > 0 ? known : found;
}

async function memberOf(at: RustState, entity: Entity, name: string): Promise<readonly Entity[]> {
  switch (entity.kind) {
    case "module": {
      const scope = { file: entity.file, within: entity.within ?? -1 };
      if (name === "self") return [entity];
      if (name === "super")
        return (await modulesAround(at, scope)).map((one) => ({ kind: "module", ...one }));
      // No line of a function: its own imports are not visible from outside.
      const place = { scope, line: 0 };
      const items = itemsOf(at, scope, name, await linksAt(at, place));
      const key = `${scope.file.path}\0${scope.within}\0::${name}`;
      const found = await once(at, key, () => inModule(at, place, name), items);
      if (found.length > 0) return found;
      const macros = (await macrosNamed(at, scope, name)).filter(
        (one) => one.kind === "definition" && one.isPossible !== true,
      );
      if (macros.length > 0) return macros;
      const exported = scope.within < 0 ? await macrosOfCrate(at, scope.file, name) : [];
      return exported.length > 0 ? exported : MISSING;
    }
    case "definition": {
      const kind = briefOf(at.tree.view, entity.definition)?.kind;
      // Functions and macros have no members; a module is an entity of its own.
      if (kind === "module" || kind === "fn" || kind === "macro") return [];
      return kind !== undefined && TYPE_KINDS.has(kind) ? memberOfType(at, entity.definition, name) : UNKNOWN;
    }
    case "value":
    case "outside":
    case "missing":
    case "unknown":
      break;
  }
  return [entity];
}

function memberOfType(at: RustState, type: Definition, name: string): Promise<readonly Entity[]> {
  return once(at, `${type.file.path}\0${type.symbol}\0.${name}`, () => findMember(at, type, name));
}

/** Finds the members of a type: in itself, and in the impl blocks whose type is this one. */
async function findMember(at: RustState, type: Definition, name: string): Promise<readonly Entity[]> {
  const { view } = at.tree;
  const wanted = bareName(briefOf(view, type)?.name ?? "");
  const found: Entity[] = [];
  for (const definition of definitionsNamed(view, name, "rust")) {
    const { symbols } = view.documentOf(definition.file);
    const parent = symbols[definition.symbol]?.parent ?? -1;
    const around = symbols[parent];
    if (around === undefined) continue;
    if (definition.file.path === type.file.path && parent === type.symbol)
      found.push({ kind: "definition", definition });
    else if (around.kind === "impl" && bareName(around.name) === wanted) {
      const types = await typesNamed(at, { file: definition.file, symbol: parent });
      if (refersTo(view, types, type)) found.push({ kind: "definition", definition });
      else if (types.length === 0) found.push({ kind: "definition", definition, isPossible: true });
    }
  }
  if (found.length === 0) return UNKNOWN;
  // Several traits may have a method of this name.
  return found.length === 1 ? found : found.map((entity) => ({ ...entity, isPossible: true }));
}
