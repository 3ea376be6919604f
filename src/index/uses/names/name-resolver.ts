import type { SymbolKind } from "../../../model/symbol.ts";
import { isCall, type NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import type { SymbolBrief } from "../../store/record.ts";
import { briefOf, symbolAround, TYPE_KINDS, type Definition } from "../definition.ts";
import { memberOutside, UNKNOWN, VALUE, type Entity, type Resolver } from "../entity.ts";
import type { ModuleTree } from "../modules/module-rules.ts";
import { ofFunction } from "../resolver.ts";
import type { BaseOrder, NameEntity, NameLookup, NamePlace, NameRules } from "./name-rules.ts";
import { createNameTable, join, type NamedDefinition } from "./name-table.ts";
import { asEntity, nearest } from "./nearest.ts";
import { chooseOverloads, createLines, mayOverride } from "./overloads.ts";

/** Number of generations of base types after which a name counts as unknown. */
const MAX_STEPS = 24;

/** The state of resolving names by the full names of definitions. */
interface Resolution extends NameLookup {
  readonly rules: NameRules;
  readonly bases: Map<string, readonly Base[]>;
  readonly lines: (path: string) => Promise<readonly string[]>;
}

/** A type that another one inherits from; `type` is undefined if it is not in the project. */
interface Base {
  readonly type: Definition | undefined;
  readonly order: BaseOrder;
}

/** Creates a resolver for a language whose definitions have full names. */
export function createNameResolver(tree: ModuleTree, rules: NameRules): Resolver {
  const at: Resolution = {
    tree,
    rules,
    table: createNameTable(tree.view, rules),
    bases: new Map(),
    lines: createLines(tree),
    resolve: (fullName, place) => resolve(at, fullName, place),
    membersOf: async (fullName, name, place) => {
      const found = await resolve(at, fullName, place);
      return membersOfAll(at, found, { ...place, use: { ...place.use, name } });
    },
  };
  const nameIn = async (file: ViewFile, name: string): Promise<readonly Entity[]> => {
    const use: NameUse = { name, line: 1, role: "import", receiver: "none" };
    return (await rules.lookUp(at, placeOf(at, file, use))).map((one) => plain(at, one));
  };
  return {
    entitiesOf: async (file, position) => {
      const found = await entitiesOf(at, file, position);
      return [...found, ...(await doubtsAbout(at, file, position, found))].map((one) => plain(at, one));
    },
    nameIn,
    exportsOf: nameIn,
    accepts: (kind, use) => rules.accepts?.(kind, use) !== false,
    mayBeMember: (entities, wanted, use) => mayBeOverridden(at, entities, { wanted, use }),
    ignoresCase(definition) {
      const kind = briefOf(tree.view, definition)?.kind;
      return kind !== undefined && rules.ignoresCase?.(kind) === true;
    },
    otherNames(definition) {
      const brief = briefOf(tree.view, definition);
      return brief === undefined ? [] : (rules.otherNames?.(brief.name, brief.kind) ?? []);
    },
  };
}

/**
 * A namespace is no definition. A full name that the project does not define belongs to a dependency, unless it begins
 * with a namespace of the project: then nothing shows what it is.
 */
function plain({ table }: Resolution, entity: NameEntity): Entity {
  if (entity.kind !== "namespace") return entity;
  const { name, isGuess } = entity;
  const container = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const isMissing = isGuess !== true && table.owns(container) && !table.declares(name);
  return { kind: isMissing ? "missing" : "outside" };
}

/** Returns `unknown` if the rules of the language say that one of the definitions need not be meant. */
async function doubtsAbout(
  at: Resolution,
  file: ViewFile,
  position: number,
  found: readonly NameEntity[],
): Promise<readonly NameEntity[]> {
  const use = (await at.tree.factsOf(file)).uses[position];
  if (use === undefined || at.rules.isProved === undefined) return [];
  const place = placeOf(at, file, use);
  for (const one of found)
    if (one.kind === "definition" && !(await at.rules.isProved(at, place, one.definition))) return UNKNOWN;
  return [];
}

function placeOf(at: Resolution, file: ViewFile, use: NameUse): NamePlace {
  return { file, use, namespace: at.table.namespaceAt(file, use.line) };
}

async function entitiesOf(at: Resolution, file: ViewFile, position: number): Promise<readonly NameEntity[]> {
  const { uses } = await at.tree.factsOf(file);
  const use = uses[position];
  if (use === undefined) return UNKNOWN;
  const place = placeOf(at, file, use);
  switch (use.receiver) {
    case "none":
      return withConstructors(at, place, await simpleName(at, place));
    case "local":
      return ofFunction(at.tree.view, file, use);
    case "previous":
      return withConstructors(at, place, await memberOfPrevious(at, place, position));
    case "self":
    case "super":
      return ofOwnType(at, place);
    case "root":
      return withConstructors(at, place, await resolve(at, use.name, place));
    case "unknown":
    case "key":
      break;
  }
  return UNKNOWN;
}

/** Resolves a member of what the use before it refers to. */
async function memberOfPrevious(
  at: Resolution,
  place: NamePlace,
  position: number,
): Promise<readonly NameEntity[]> {
  const owners = await entitiesOf(at, place.file, position - 1);
  // A name that the project does not define belongs to a dependency, whose types have these members, too.
  const isForeign = owners.some(({ kind }) => kind === "namespace");
  if (isForeign && at.rules.isOfEveryType?.(place.use.name) === true) return VALUE;
  return membersOfAll(at, owners, place);
}

/** Resolves a name that stands alone: as a member of the types around it, then by the rules of the language. */
async function simpleName(at: Resolution, place: NamePlace): Promise<readonly NameEntity[]> {
  const { use } = place;
  let isOpen = false;
  if (at.rules.hasImplicitThis === true && use.role !== "import") {
    const types = typesAround(at, place);
    const isOwn = at.rules.isOfOwnType?.(use) === true;
    // What a type around the place defines itself comes before what the innermost type inherits.
    if (at.rules.hasNestingFirst === true && !isOwn)
      for (const type of types) {
        const own = ownMembers(at, type, place);
        if (own.length > 0) return own;
      }
    for (const type of isOwn || at.rules.hasNestingFirst === true ? types.slice(0, 1) : types) {
      const found = await memberOf(at, type, place);
      if (found.some(({ kind }) => kind === "definition"))
        return orType(at, place, isOpen ? orMember(at, found) : found);
      if (found.length > 0) isOpen = true;
    }
  }
  const found = (await at.rules.lookUp(at, place)).filter((one) => isAccepted(at, one, use));
  const definitions = found.filter(({ kind }) => kind === "definition");
  if (definitions.length > 0) return isOpen ? orMember(at, found) : found;
  const isUnknown = isOpen || (at.rules.hasImplicitReceivers === true && use.role !== "import");
  if (!isUnknown) return found;
  // A name that no import brings in may come from a base class that is not in the project, or begin a full name.
  if (found.some(({ kind }) => kind === "outside" || kind === "value")) return found;
  return [...found.filter(({ kind }) => kind !== "missing"), ...UNKNOWN];
}

/** Adds the type that has the same name as a member, if either may be meant: `Color` in `Color.Red`. */
async function orType(
  at: Resolution,
  place: NamePlace,
  found: readonly NameEntity[],
): Promise<readonly NameEntity[]> {
  if (at.rules.membersHideTypes !== true || place.use.role !== "read") return found;
  const types = (await at.rules.lookUp(at, place)).filter(
    (one) => one.kind === "definition" && isType(at, briefOf(at.tree.view, one.definition)?.kind),
  );
  return types.length === 0 ? found : [...found, ...types, ...UNKNOWN];
}

/** A type between the place and the definition has an unknown base, which may have a member of this name, too. */
function orMember(at: Resolution, found: readonly NameEntity[]): readonly NameEntity[] {
  const isName = found.every(
    (one) => one.kind !== "definition" || isType(at, briefOf(at.tree.view, one.definition)?.kind),
  );
  return isName ? found : [...found, ...UNKNOWN];
}

function isType({ rules }: Resolution, kind: SymbolKind | undefined): boolean {
  return kind !== undefined && (rules.typeKinds ?? TYPE_KINDS).has(kind);
}

function isAccepted({ rules, tree }: Resolution, entity: NameEntity, use: NameUse): boolean {
  if (entity.kind !== "definition" || rules.accepts === undefined) return true;
  const kind = briefOf(tree.view, entity.definition)?.kind;
  return kind === undefined || rules.accepts(kind, use);
}

/** Returns the types around a place, the innermost first. The base types of a type are looked up outside of it. */
function typesAround(at: Resolution, { file, use }: NamePlace): Definition[] {
  const { symbols } = at.tree.view.documentOf(file);
  const found: Definition[] = [];
  // A constant with methods holds a class that a call creates, such as `A = Struct.new do … end`.
  const holders = new Set(
    at.rules.baseOrder === undefined
      ? []
      : symbols.filter(({ kind }) => kind === "method").map(({ parent }) => symbols[parent]),
  );
  const isAround = (one: SymbolBrief | undefined): boolean =>
    isType(at, one?.kind) || (one?.kind === "const" && holders.has(one));
  let symbol = symbolAround(symbols, use.line, isAround);
  if (use.role === "inheritance" && symbol >= 0) symbol = symbols[symbol]?.parent ?? -1;
  for (; symbol >= 0; symbol = symbols[symbol]?.parent ?? -1)
    if (isAround(symbols[symbol])) found.push({ file, symbol });
  return found;
}

/** Resolves a full name such as `a.b.Type.Inner`; what is not defined counts as a namespace. */
async function resolve(at: Resolution, fullName: string, place: NamePlace): Promise<readonly NameEntity[]> {
  let found: readonly NameEntity[] = [{ kind: "namespace", name: "" }];
  for (const name of fullName.split("."))
    found = await membersOfAll(at, found, { ...place, use: { ...place.use, name, role: "import" } });
  return found;
}

async function membersOfAll(
  at: Resolution,
  owners: readonly NameEntity[],
  place: NamePlace,
): Promise<readonly NameEntity[]> {
  const found: NameEntity[] = [];
  for (const owner of withoutParts(at, owners)) {
    const members = await memberOfEntity(at, owner, place);
    // A full name that leads to a definition is no accident.
    if (owner.kind === "namespace" && members.some(({ kind }) => kind === "definition")) return members;
    found.push(...members);
  }
  // A name that nothing explains may begin the full name of a dependency.
  const known = found.filter(({ kind }) => kind !== "missing");
  return known.length > 0 ? known : found;
}

/**
 * Leaves one of the parts of each type, since every part has the members of all. A module that 700 files open would
 * otherwise have 700 times 700 members of a name, and those a power more.
 */
function withoutParts({ rules, table }: Resolution, owners: readonly NameEntity[]): readonly NameEntity[] {
  if (rules.hasPartialTypes !== true || owners.length < 2) return owners;
  const seen = new Set<string>();
  return owners.filter((owner) => {
    if (owner.kind !== "definition") return true;
    const name = table.fullNameOf(owner.definition);
    return !seen.has(name) && seen.add(name);
  });
}

/** A member of a type of a dependency; its own members are those of a value. */
const MEMBER_OUTSIDE: readonly Entity[] = [{ kind: "outside", members: 0 }];

/** Returns true for `a.Type` and `member`, by the case of their first letters. */
function isMemberOfType(owner: string, name: string): boolean {
  return /(?:^|\.)\p{Lu}[^.]*$/u.test(owner) && /^\$?[\p{Ll}_]/u.test(name);
}

async function memberOfEntity(
  at: Resolution,
  owner: NameEntity,
  place: NamePlace,
): Promise<readonly NameEntity[]> {
  const { name } = place.use;
  if (owner.kind === "namespace") {
    const fullName = join(owner.name, name);
    const found = nearest(at.table.inside(owner.name, name), place.file, at.rules);
    if (found.length > 0) return found;
    const isOwn = at.rules.hasLowerCaseMembers !== true || at.table.owns(owner.name);
    if (!isOwn && isMemberOfType(owner.name, name)) return MEMBER_OUTSIDE;
    const isGuess = owner.isGuess === true && !at.table.declares(owner.name);
    return [{ kind: "namespace", name: fullName, isGuess }];
  }
  if (owner.kind === "value") return UNKNOWN;
  if (owner.kind === "outside") return memberOutside(owner);
  if (owner.kind !== "definition") return [owner];
  const kind = briefOf(at.tree.view, owner.definition)?.kind;
  // The constructor that a call names together with its type has no members.
  if (kind === "constructor") return [];
  if (!isType(at, kind)) return UNKNOWN;
  const builtIn = at.rules.builtIn?.(name, owner.definition);
  if (builtIn !== undefined) return builtIn === "itself" ? [owner] : [{ kind: "outside" }];
  const found = await memberOf(at, owner.definition, place);
  if (found.some((one) => one.kind === "definition")) return found;
  return at.rules.isOfEveryType?.(name) === true ? VALUE : UNKNOWN;
}

/**
 * Returns the members of a type with the name of a use: its own, otherwise those of its base types. Returns nothing if
 * there is none, and `unknown` if there may be one in a base type that is not in the project.
 */
async function memberOf(
  at: Resolution,
  type: Definition,
  place: NamePlace,
  steps = 0,
): Promise<readonly NameEntity[]> {
  const own = ownMembers(at, type, place);
  const isOverloaded = own.length > 0 && at.rules.hasOverloads === true;
  if (own.length > 0 && at.rules.baseOrder === undefined && !isOverloaded) return own;
  if (steps > MAX_STEPS) return UNKNOWN;
  const bases = await basesOf(at, type);
  if (isOverloaded) {
    const inherited: NameEntity[] = [];
    for (const base of bases) inherited.push(...(await memberOfBase(at, base, place, steps + 1)));
    return chooseOverloads(at, { own, inherited }, place);
  }
  let isOpen = false;
  for (const base of own.length === 0 ? bases : bases.filter(({ order }) => order === "before")) {
    const found = await memberOfBase(at, base, place, steps + 1);
    if (found.some(({ kind }) => kind === "definition")) return found;
    if (found.length > 0) isOpen = true;
  }
  if (own.length > 0) return own;
  return isOpen ? UNKNOWN : [];
}

async function memberOfBase(
  at: Resolution,
  { type, order }: Base,
  place: NamePlace,
  steps = 0,
): Promise<readonly NameEntity[]> {
  if (type === undefined) return UNKNOWN;
  const found = await memberOf(at, type, place, steps);
  return order === "extension" && found.length > 0 ? [...found, ...UNKNOWN] : found;
}

function ownMembers(at: Resolution, type: Definition, { use }: NamePlace): readonly NameEntity[] {
  const { table, rules } = at;
  const fullName = table.fullNameOf(type);
  const containers = [fullName, ...(rules.companions ?? []).map((name) => join(fullName, name))];
  // Code calls a constructor that has the name of its type by the type.
  const typeName = briefOf(at.tree.view, type)?.name;
  const isOwn = ({ definition, brief }: NamedDefinition): boolean =>
    (brief.kind !== "constructor" || brief.name !== typeName) &&
    (rules.hasPartialTypes === true || definition.file.path === type.file.path) &&
    (rules.accepts === undefined || rules.accepts(brief.kind, use));
  return containers.flatMap((container) => table.inside(container, use.name).filter(isOwn)).map(asEntity);
}

const BASE_ORDERS: readonly BaseOrder[] = ["before", "mixin", "superclass", "extension"];

/** Returns the types that a type, in all its parts, inherits from, in the order in which they are asked for members. */
async function basesOf(at: Resolution, type: Definition): Promise<readonly Base[]> {
  const key = `${type.file.path}:${type.symbol}`;
  const known = at.bases.get(key);
  if (known !== undefined) return known;
  // While the bases of a type are looked up, it has none, so that a cycle of types ends.
  at.bases.set(key, []);
  const found: Base[] = [];
  for (const part of partsOf(at, type)) found.push(...(await basesOfPart(at, part)));
  // Of several mixins, the last one is asked first.
  const ordered =
    at.rules.baseOrder === undefined
      ? found
      : BASE_ORDERS.flatMap((wanted) => found.filter(({ order }) => order === wanted).reverse());
  at.bases.set(key, ordered);
  return ordered;
}

function partsOf(at: Resolution, type: Definition): readonly Definition[] {
  const { table, rules } = at;
  const name = briefOf(at.tree.view, type)?.name;
  if (rules.hasPartialTypes !== true || name === undefined) return [type];
  const fullName = table.fullNameOf(type);
  const container = fullName.slice(0, Math.max(0, fullName.length - name.length - 1));
  const parts = table.inside(container, name).filter(({ brief }) => isType(at, brief.kind));
  return parts.length > 0 ? parts.map(({ definition }) => definition) : [type];
}

async function basesOfPart(at: Resolution, type: Definition): Promise<Base[]> {
  const brief = briefOf(at.tree.view, type);
  if (brief === undefined) return [];
  const { symbols } = at.tree.view.documentOf(type.file);
  const { uses } = await at.tree.factsOf(type.file);
  const found: Base[] = [];
  for (const [position, { role, line }] of uses.entries()) {
    if (role !== "inheritance" || line < brief.lineStart || line > brief.lineEnd) continue;
    // Types inside this one inherit for themselves.
    if (symbolAround(symbols, line, ({ kind }) => isType(at, kind)) !== type.symbol) continue;
    const entities = await entitiesOf(at, type.file, position);
    const base = entities.find((entity) => entity.kind === "definition");
    found.push({
      type: base?.kind === "definition" ? base.definition : undefined,
      order: at.rules.baseOrder?.(uses, position) ?? "superclass",
    });
  }
  return found;
}

/** Resolves a name after `this` or `super`, by the type around the line. */
async function ofOwnType(at: Resolution, place: NamePlace): Promise<readonly NameEntity[]> {
  const [type] = typesAround(at, place);
  if (type === undefined) return UNKNOWN;
  if (place.use.receiver === "self") {
    const found = await memberOf(at, type, place);
    return found.length > 0 ? found : UNKNOWN;
  }
  for (const base of await basesOf(at, type)) {
    // The method of a module that is prepended has run already.
    if (base.order === "before") continue;
    const found = await memberOfBase(at, base, place);
    if (found.length > 0) return found;
  }
  return UNKNOWN;
}

/**
 * Returns true if code in a type, which refers to its own member, may run the one of a type that inherits from it:
 * `$this->write()` in an abstract class.
 */
async function mayBeOverridden(
  at: Resolution,
  entities: readonly Entity[],
  { wanted, use }: { readonly wanted: Definition; readonly use: NameUse },
): Promise<boolean> {
  if (use.receiver !== "self" && use.receiver !== "none") return false;
  const { view } = at.tree;
  const brief = briefOf(view, wanted);
  if (brief === undefined || brief.parent < 0 || !at.rules.overridden.has(brief.kind)) return false;
  const own: Definition = { file: wanted.file, symbol: brief.parent };
  for (const entity of entities) {
    if (entity.kind !== "definition") continue;
    const { file, symbol } = entity.definition;
    const type = briefOf(view, entity.definition)?.parent ?? -1;
    if (type < 0 || symbol === type || !(await inheritsFrom(at, own, { file, symbol: type }))) continue;
    if (at.rules.hasOverloads !== true || (await mayOverride(at, wanted, entity.definition))) return true;
  }
  return false;
}

async function inheritsFrom(at: Resolution, type: Definition, base: Definition, steps = 0): Promise<boolean> {
  if (steps > MAX_STEPS) return false;
  for (const one of await basesOf(at, type))
    if (
      one.type !== undefined &&
      (isSameType(at, one.type, base) || (await inheritsFrom(at, one.type, base, steps + 1)))
    )
      return true;
  return false;
}

function isSameType({ rules, table }: Resolution, a: Definition, b: Definition): boolean {
  if (rules.hasPartialTypes === true) return table.fullNameOf(a) === table.fullNameOf(b);
  return a.file.path === b.file.path && a.symbol === b.symbol;
}

/** Adds the constructors of a type to a call of it. */
function withConstructors(
  { tree }: Resolution,
  { use }: NamePlace,
  found: readonly NameEntity[],
): readonly NameEntity[] {
  if (!isCall(use.role)) return found;
  return found.flatMap((entity) => {
    if (entity.kind !== "definition") return [entity];
    const { file, symbol } = entity.definition;
    const constructors = tree.view
      .documentOf(file)
      .symbols.flatMap(({ kind, parent }, index) =>
        kind === "constructor" && parent === symbol ? [index] : [],
      );
    return [
      entity,
      ...constructors.map((one): NameEntity => ({ kind: "definition", definition: { file, symbol: one } })),
    ];
  });
}
