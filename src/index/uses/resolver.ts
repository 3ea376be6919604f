import type { DefinitionType, ModuleLink, NameUse } from "../../model/use.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { SymbolBrief } from "../store/record.ts";
import { bareName, briefOf, symbolAround, symbolsNamed, TYPE_KINDS, type Definition } from "./definition.ts";
import { asAlternatives, memberOutside, OUTSIDE, UNKNOWN, type Entity, type Resolver } from "./entity.ts";
import { bases, memberOf } from "./members.ts";
import { boundBy, exported, follow, imported, isLoaded, nameIn, type Resolution } from "./module-names.ts";
import type { ModuleRules, ModuleTree } from "./modules/module-rules.ts";
import { mayBeMember, type TypeRelations } from "./type-relations.ts";
import { memberOfReceiver, type ValueTypes } from "./value-types.ts";

/** The state of resolving the names and members of one language. */
interface State extends Resolution, ValueTypes, TypeRelations {}

export function createResolver(tree: ModuleTree, rules: ModuleRules): Resolver {
  const at: State = {
    tree,
    rules,
    names: new Map(),
    targets: new Map(),
    known: new Map(),
    open: new Set(),
    ancestries: new Map(),
    ownTypeOf: (file, use) => ownTypeOf(at, file, use),
    memberOf: (entity, name) => memberOfEntity(at, entity, name),
    entitiesOf: async (file, position) => {
      const found = await entitiesIn(at, file, position);
      // In Go and Python each of several files may have the definition, elsewhere only what imports lead to.
      return asAlternatives(found, rules.hasOneDefinition === true ? undefined : file);
    },
  };
  return {
    ...(rules.keysMayBeNames === true && { keysMayBeNames: true }),
    hasBareMembers: rules.hasImplicitThis === true,
    entitiesOf: at.entitiesOf,
    nameIn: (file, name) => nameIn(at, file, name),
    exportsOf: (file, name) => exported(at, file, name, 0),
    mayBeMember: (entities, wanted) => mayBeMember(at, entities, wanted),
    mayBeOfModule: (file, name, wanted) => isLoaded(at, file, name, wanted),
  };
}

/** Resolves a member of what the use before it refers to. */
async function memberOfEntity(at: State, entity: Entity, name: string): Promise<readonly Entity[]> {
  switch (entity.kind) {
    case "module":
      return imported(at, entity.file, name, 0);
    case "definition": {
      const brief = briefOf(at.tree.view, entity.definition);
      if (brief === undefined) return UNKNOWN;
      if (entity.path !== undefined)
        return partOfPath(entity.definition, `${entity.path}.${name}`, brief.name);
      if (TYPE_KINDS.has(brief.kind)) {
        const found = await memberOf(at, entity.definition, name);
        if (at.rules.hasStaticMembers === true && brief.kind !== "enum") return staticMembers(found);
        return found.length > 0 ? found : UNKNOWN;
      }
      const { symbols } = at.tree.view.documentOf(entity.definition.file);
      const { marks, types } = await at.tree.factsOf(entity.definition.file);
      // The members of a variable with a declared type are those of the type.
      if (isNamedType(types?.definitions.get(entity.definition.symbol))) return UNKNOWN;
      const isMember = ({ parent, owner }: SymbolBrief, symbol: number): boolean =>
        parent === entity.definition.symbol ||
        (parent === brief.parent && owner === brief.name && marks.get(symbol) === "static");
      const inside = symbolsNamed(symbols, name, isMember);
      // Another block of the same namespace may have the name.
      if (inside.length === 0) return brief.kind === "namespace" ? [] : UNKNOWN;
      return inside.map((symbol) => ({
        kind: "definition",
        definition: { file: entity.definition.file, symbol },
      }));
    }
    case "value":
      return UNKNOWN;
    case "outside":
      return memberOutside(entity);
    case "missing":
    case "unknown":
      break;
  }
  return [entity];
}

function isNamedType(type: DefinitionType | undefined): boolean {
  return type?.isResult === false && (type.origin === "type" || type.origin === "applied");
}

/** Resolves the next part of the path that names a namespace. */
function partOfPath(definition: Definition, path: string, whole: string): readonly Entity[] {
  if (path === whole) return [{ kind: "definition", definition }];
  return whole.startsWith(`${path}.`) ? [{ kind: "definition", definition, path }] : [];
}

/** Keeps the members that belong to the class itself; the name of the class does not lead to those of its objects. */
function staticMembers(found: readonly Entity[]): readonly Entity[] {
  const kept = found.filter((one) => one.kind !== "definition" || one.definition.isStatic === true);
  return kept.length > 0 ? kept : UNKNOWN;
}

/** Returns the type around a use, which `this` is an object of. */
async function ownTypeOf(
  at: State,
  file: ViewFile,
  { line, role }: NameUse,
): Promise<Definition | undefined> {
  const { symbols } = at.tree.view.documentOf(file);
  let symbol = symbolAround(symbols, line, ({ kind }) => TYPE_KINDS.has(kind));
  // The base types of a type are looked up outside of it: `class Spy(self.Base)` in a method.
  if (role === "inheritance")
    do symbol = symbols[symbol]?.parent ?? -1;
    while (symbol >= 0 && !TYPE_KINDS.has(symbols[symbol]?.kind ?? "fn"));
  return symbol < 0 ? ownerAround(at, file, line) : { file, symbol };
}

/** Resolves a name after `this` or `super`, by the type around the line. */
async function ofOwnType(at: State, file: ViewFile, use: NameUse): Promise<readonly Entity[]> {
  const { name, receiver } = use;
  const type = await ownTypeOf(at, file, use);
  if (type === undefined) return UNKNOWN;
  if (receiver === "super") {
    for (const base of await bases(at, type)) {
      const found = base === undefined ? UNKNOWN : await memberOf(at, base, name);
      if (found.length > 0) return found;
    }
    return UNKNOWN;
  }
  const found = await memberOf(at, type, name);
  return found.length > 0 ? found : UNKNOWN;
}

/** Returns the type of a method that is defined outside of its type, as in Go. */
async function ownerAround(at: State, file: ViewFile, line: number): Promise<Definition | undefined> {
  const { symbols } = at.tree.view.documentOf(file);
  const owner = symbols[symbolAround(symbols, line, (brief) => brief.owner !== undefined)]?.owner;
  if (owner === undefined) return undefined;
  for (const entity of await nameIn(at, file, bareName(owner)))
    if (
      entity.kind === "definition" &&
      TYPE_KINDS.has(briefOf(at.tree.view, entity.definition)?.kind ?? "fn")
    )
      return entity.definition;
  return undefined;
}

/** Resolves a name that a definition inside the function around it binds. */
export function ofFunction(view: View, file: ViewFile, { name, line, symbol }: NameUse): readonly Entity[] {
  if (symbol !== undefined) return [{ kind: "definition", definition: { file, symbol, isInner: true } }];
  const { symbols } = view.documentOf(file);
  const functions = functionsAround(symbols, line);
  const found = symbolsNamed(symbols, name, ({ parent }) => {
    const around = symbols[parent];
    if (around === undefined) return true;
    // Code in a method does not see the members of the class around it by their names alone.
    const isMember = TYPE_KINDS.has(around.kind) && functions.some((one) => one.parent === parent);
    return around.lineStart <= line && line <= around.lineEnd && !isMember;
  });
  const depth = (symbol: number): number => symbols[symbols[symbol]?.parent ?? -1]?.lineStart ?? 0;
  const deepest = Math.max(...found.map(depth));
  return found
    .filter((symbol) => depth(symbol) === deepest)
    .map((symbol) => ({ kind: "definition", definition: { file, symbol } }));
}

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "property"]);

/** Returns the functions around a line. */
function functionsAround(symbols: readonly SymbolBrief[], line: number): readonly SymbolBrief[] {
  return symbols.filter(
    ({ kind, lineStart, lineEnd }) => FUNCTIONS.has(kind) && lineStart < line && line <= lineEnd,
  );
}

function isInFunction(at: State, entities: readonly Entity[]): boolean {
  return entities.some(
    (entity) => entity.kind === "definition" && (briefOf(at.tree.view, entity.definition)?.parent ?? -1) >= 0,
  );
}

/** Resolves a name that a statement in the function around it imports, as `const { a } = await import("./b")` does. */
async function loadedName(
  at: State,
  file: ViewFile,
  { name, line }: NameUse,
): Promise<readonly Entity[] | undefined> {
  const { links } = await at.tree.factsOf(file);
  let all: readonly Entity[] | undefined;
  for (const link of links.toReversed()) {
    const found =
      link.kind === "import" && link.line <= line ? await boundBy(at, link, name, file, 0) : undefined;
    if (found === undefined) continue;
    all = [...(all ?? []), ...found];
    // A condition may choose what another statement loads.
    if (!found.some(({ kind }) => kind === "unknown")) break;
  }
  return all;
}

/** Resolves a name in an export statement, which may be a name of the module that the statement passes on. */
async function exportedName(at: State, file: ViewFile, { name, line }: NameUse): Promise<readonly Entity[]> {
  const { links } = await at.tree.factsOf(file);
  const link = links.findLast(
    (one) =>
      one.kind === "export" &&
      one.module !== "" &&
      one.line <= line &&
      one.names.some((binding) => binding.name === name),
  );
  return link === undefined ? nameIn(at, file, name) : follow(at, link, name, file, 0);
}

/** Returns true if a use needs a value, which an interface or another name for a type is not. */
function needsValue(uses: readonly NameUse[], position: number): boolean {
  const role = uses[position]?.role;
  return role === "call" || uses[position + 1]?.receiver === "previous";
}

/** Leaves out types where a value is needed; the name then is that of a value which the language or a page provides. */
function onlyValues(at: State, entities: readonly Entity[]): readonly Entity[] {
  const kept = entities.filter((entity) => {
    const kind = entity.kind === "definition" ? briefOf(at.tree.view, entity.definition)?.kind : undefined;
    return kind !== "interface" && kind !== "type";
  });
  return kept.length > 0 || entities.length === 0 ? kept : OUTSIDE;
}

/** Resolves a name in a namespace or enumeration that several blocks of the file declare, by the blocks around the line. */
function ofNamespace(at: State, file: ViewFile, { name, line }: NameUse): readonly Entity[] {
  const { symbols } = at.tree.view.documentOf(file);
  const isNamespace = ({ kind }: SymbolBrief): boolean =>
    kind === "namespace" || kind === "module" || kind === "enum";
  let around = symbols[symbolAround(symbols, line, isNamespace)];
  for (; around !== undefined; around = symbols[around.parent]) {
    const own = around;
    const found = symbolsNamed(symbols, name, ({ parent }) => {
      const other = symbols[parent];
      return (
        other !== undefined && isNamespace(other) && other.name === own.name && other.parent === own.parent
      );
    });
    if (found.length > 0)
      return found.map((symbol) => ({ kind: "definition", definition: { file, symbol } }));
  }
  return [];
}

async function entitiesIn(at: State, file: ViewFile, position: number): Promise<readonly Entity[]> {
  const { uses } = await at.tree.factsOf(file);
  const found = await entitiesOfUse(at, file, position, uses);
  return at.rules.hasStaticMembers === true && needsValue(uses, position) ? onlyValues(at, found) : found;
}

/** Returns true for `exports` and `module.exports`, which are the module itself. */
async function isOwnModule(
  at: State,
  file: ViewFile,
  uses: readonly NameUse[],
  position: number,
): Promise<boolean> {
  if (uses[position]?.name !== "exports" || at.rules.hasStaticMembers !== true) return false;
  const { name, receiver } =
    uses[position]?.receiver === "previous"
      ? (uses[position - 1] ?? {})
      : { name: "module", receiver: "none" };
  return name === "module" && receiver === "none" && !(await at.tree.factsOf(file)).isModule;
}

async function entitiesOfUse(
  at: State,
  file: ViewFile,
  position: number,
  uses: readonly NameUse[],
): Promise<readonly Entity[]> {
  const use = uses[position];
  if (use === undefined) return UNKNOWN;
  switch (use.receiver) {
    case "none": {
      if (await isOwnModule(at, file, uses, position)) return [{ kind: "module", file }];
      if (at.rules.hasImplicitThis === true) {
        const found = await ofOwnType(at, file, use);
        if (found.some(({ kind }) => kind === "definition")) return found;
      }
      const inside = at.rules.hasStaticMembers === true ? ofNamespace(at, file, use) : [];
      if (inside.length > 0) return inside;
      return use.role === "export" ? exportedName(at, file, use) : nameIn(at, file, use.name);
    }
    case "local": {
      const found = ofFunction(at.tree.view, file, use);
      return use.symbol !== undefined || isInFunction(at, found)
        ? found
        : ((await loadedName(at, file, use)) ?? found);
    }
    case "previous": {
      if (await isOwnModule(at, file, uses, position)) return [{ kind: "module", file }];
      // The statement `exports.a = b` defines the member.
      if (use.role === "assignment" && (await isOwnModule(at, file, uses, position - 1))) return OUTSIDE;
      const before = await at.entitiesOf(file, position - 1);
      // One after the other: the types that are being looked for (`open`) are those of one look-up.
      const found: Entity[] = [];
      for (const entity of before) found.push(...(await memberOfEntity(at, entity, use.name)));
      // A package may have many files, of which one has the name.
      const known = found.filter(({ kind }) => kind !== "missing");
      const all = known.length > 0 ? known : found;
      return withReceiver(at, file, position, all);
    }
    case "self":
    case "super":
      return ofOwnType(at, file, use);
    case "key":
      if (use.role === "call" && at.rules.argument !== undefined)
        return at.rules.argument(at.tree, file, use, (one, name) => exported(at, one, name, 0));
      return (await destructured(at, file, position)) ?? withReceiver(at, file, position, UNKNOWN);
    case "unknown":
      return withReceiver(at, file, position, UNKNOWN);
    case "root":
      break;
  }
  return UNKNOWN;
}

/** Resolves a member by the type of the value before it, if nothing else shows what it is. */
async function withReceiver(
  at: State,
  file: ViewFile,
  position: number,
  found: readonly Entity[],
): Promise<readonly Entity[]> {
  if (found.length > 0 && !found.some(({ kind }) => kind === "unknown")) return found;
  const name = (await at.tree.factsOf(file)).uses[position]?.name ?? "";
  return (await memberOfReceiver(at, file, position, name)) ?? found;
}

/** Resolves a key in a pattern that takes members from a module, as `a` in `const { a: b } = module`. */
async function destructured(
  at: State,
  file: ViewFile,
  position: number,
): Promise<readonly Entity[] | undefined> {
  const { links, uses } = await at.tree.factsOf(file);
  const { name = "", line = 0 } = uses[position] ?? {};
  const link = links.find(
    (one) => one.isLocal === true && one.line >= line && one.names.some((binding) => binding.name === name),
  );
  if (link === undefined || link.line - line > MAX_PATTERN_LINES) return undefined;
  return isInPattern(uses, position, link) ? follow(at, link, name, file, 0) : undefined;
}

/** Returns true if what follows a key, up to the module, are the other names of the pattern. */
function isInPattern(
  uses: readonly NameUse[],
  position: number,
  { names, module, line }: ModuleLink,
): boolean {
  const first = module.split(".", 1)[0];
  const end = uses.findIndex(
    (one, at) => at > position && one.line === line && one.name === first && one.receiver !== "key",
  );
  const keys = uses.slice(position, Math.max(position, end)).filter(({ receiver }) => receiver === "key");
  const own = names.slice(-keys.length);
  return keys.length > 0 && keys.every((key, at) => key.name === own[at]?.name);
}

/** Number of lines between a key and the end of the pattern that it is in. */
const MAX_PATTERN_LINES = 50;
