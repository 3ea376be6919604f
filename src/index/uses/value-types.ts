import type { DefinitionType, NameUse, TypeSource } from "../../model/use.ts";
import type { ViewFile } from "../live/view.ts";
import { briefOf, isSameDefinition, TYPE_KINDS, type Definition } from "./definition.ts";
import { UNKNOWN, type Entity } from "./entity.ts";
import { bases, memberOf, type Types } from "./members.ts";
import { MAX_STEPS } from "./module-names.ts";

/**
 * The type of a value: an object of a type of the project (with each of its declarations, if several are merged), a
 * promise, or an object of a type that the project does not define.
 */
type ValueType =
  | { readonly kind: "object"; readonly types: readonly Definition[] }
  | { readonly kind: "promise"; readonly of: ValueType }
  | { readonly kind: "outside" };

const OUTSIDE_TYPE: ValueType = { kind: "outside" };

/** What is needed to find the types of values. */
export interface ValueTypes extends Types {
  /** Returns the type that the object itself has at a use, as `this`. */
  readonly ownTypeOf: (file: ViewFile, use: NameUse) => Promise<Definition | undefined>;
  /** The types that were found, by file and position of the use. */
  readonly known: Map<string, ValueType | undefined>;
  /** The uses whose type is being looked for, which it cannot depend on. */
  readonly open: Set<string>;
}

/** Resolves a member of the value before it, if the text shows the type of that value; undefined if it does not. */
export async function memberOfReceiver(
  at: ValueTypes,
  file: ViewFile,
  position: number,
  name: string,
): Promise<readonly Entity[] | undefined> {
  const type = await receiverTypeOf(at, file, position);
  return type === undefined ? undefined : membersOfValue(at, type, name);
}

/** A member of an object that is none of the project's; of its own type nothing is known. */
const OUTSIDE_MEMBER: readonly Entity[] = [{ kind: "outside", isMember: true }];

async function membersOfValue(at: ValueTypes, type: ValueType, name: string): Promise<readonly Entity[]> {
  if (type.kind !== "object") return OUTSIDE_MEMBER;
  const found: Entity[] = [];
  for (const one of type.types)
    for (const entity of await memberOf(at, one, name)) {
      if (entity.kind !== "definition") found.push(entity);
      // The members of a class are not those of its objects.
      else if (entity.definition.isStatic !== true) found.push({ ...entity, receiver: one });
    }
  const known = found.filter(({ kind }) => kind === "definition");
  if (known.length > 0) return known;
  // A member that the type does not have may be added in ways that are not seen.
  return UNKNOWN;
}

/** Returns the type of the value before a member. */
async function receiverTypeOf(
  at: ValueTypes,
  file: ViewFile,
  position: number,
): Promise<ValueType | undefined> {
  const { uses, types } = await at.tree.factsOf(file);
  const use = uses[position];
  if (use?.receiver === "self") {
    const own = await at.ownTypeOf(file, use);
    return own === undefined ? undefined : { kind: "object", types: [own] };
  }
  if (use?.receiver === "previous") return typeOfUse(at, file, position - 1);
  const source = types?.receivers.get(position);
  return source === undefined ? undefined : typeOfSource(at, file, source);
}

async function typeOfSource(
  at: ValueTypes,
  file: ViewFile,
  { origin, use }: TypeSource,
  self?: ValueType,
): Promise<ValueType | undefined> {
  switch (origin) {
    case "language":
      return OUTSIDE_TYPE;
    case "own":
      return self;
    case "type":
    case "applied":
      return namedType(at, file, use, origin === "applied");
    case "promise": {
      const of = await namedType(at, file, use, true);
      return of === undefined ? OUTSIDE_TYPE : { kind: "promise", of };
    }
    case "created":
      return createdType(at, file, use);
    case "value":
      return typeOfUse(at, file, use);
    case "awaited":
    case "entered":
      break;
  }
  const type = await typeOfUse(at, file, use);
  if (origin === "entered") return type?.kind === "object" ? typeOfResult(at, type, "__enter__") : undefined;
  if (type?.kind === "promise") return type.of;
  return type?.kind === "object" ? type : undefined;
}

/** Returns what a method of an object returns. */
async function typeOfResult(at: ValueTypes, type: ValueType, method: string): Promise<ValueType | undefined> {
  return typeOfEntities(at, await membersOfValue(at, type, method), true, type);
}

/**
 * Types with arguments of a language that are types of their own. Others may stand for the type in their arguments, as
 * `Readonly<A>` does.
 */
const CONTAINERS: ReadonlySet<string> = new Set(
  `Array ReadonlyArray Map ReadonlyMap WeakMap Set ReadonlySet WeakSet Promise PromiseLike Iterable Iterator AsyncIterable
  AsyncIterator Generator AsyncGenerator list dict set frozenset tuple List Dict Set FrozenSet Tuple Sequence Mapping`.split(
    /\s+/u,
  ),
);
/** Names of the languages for types that any value may have. */
const ANYTHING: ReadonlySet<string> = new Set(["Any", "Object", "object", "Function", "Proxy"]);

/** Returns the type that a use names. */
async function namedType(
  at: ValueTypes,
  file: ViewFile,
  position: number,
  isApplied: boolean,
): Promise<ValueType | undefined> {
  const entities = await at.entitiesOf(file, position);
  const name = (await at.tree.factsOf(file)).uses[position]?.name ?? "";
  if (isOutside(entities) && !ANYTHING.has(name))
    return isApplied && !CONTAINERS.has(name) ? undefined : OUTSIDE_TYPE;
  const types = oneDefinition(at, entities);
  const [first] = types;
  if (first === undefined) return undefined;
  const kind = briefOf(at.tree.view, first)?.kind;
  const own: ValueType = { kind: "object", types };
  if (kind === "type") {
    const alias = await definitionType(at, first);
    return alias === undefined || alias.isResult ? undefined : typeOfSource(at, first.file, alias, own);
  }
  return kind !== undefined && TYPE_KINDS.has(kind) ? own : undefined;
}

/** Returns the type of the object that `new` creates. */
async function createdType(at: ValueTypes, file: ViewFile, position: number): Promise<ValueType | undefined> {
  const entities = await at.entitiesOf(file, position);
  const name = (await at.tree.factsOf(file)).uses[position]?.name ?? "";
  if (isOutside(entities)) return ANYTHING.has(name) ? undefined : OUTSIDE_TYPE;
  return objectOf(at, oneDefinition(at, entities));
}

function objectOf(at: ValueTypes, types: readonly Definition[]): ValueType | undefined {
  const [first] = types;
  const kind = first === undefined ? undefined : briefOf(at.tree.view, first)?.kind;
  return kind !== undefined && kind !== "type" && TYPE_KINDS.has(kind)
    ? { kind: "object", types }
    : undefined;
}

function isOutside(entities: readonly Entity[]): boolean {
  return entities.length > 0 && entities.every((one) => one.kind === "outside" && one.isMember !== true);
}

/**
 * Returns the declarations of the one definition that the entities are; none if they are several or something else. A
 * module beside it is the one that exports nothing but this definition: `module.exports = A`.
 */
function oneDefinition({ tree: { view } }: Types, entities: readonly Entity[]): readonly Definition[] {
  const values = entities.filter(({ kind }) => kind !== "module");
  const found = values.flatMap((one) =>
    one.kind === "definition" && one.isPossible !== true && one.path === undefined ? [one.definition] : [],
  );
  const [first] = found;
  const isOne =
    first !== undefined &&
    found.length === values.length &&
    found.every((one) => isSameDefinition(view, first, one));
  return isOne ? found : [];
}

/** Returns the type of the value of a use: what a variable or member holds, or what a call returns. */
async function typeOfUse(at: ValueTypes, file: ViewFile, position: number): Promise<ValueType | undefined> {
  const key = `${file.path}\0${position}`;
  if (at.known.has(key) || at.open.has(key)) return at.known.get(key);
  at.open.add(key);
  const found = await findTypeOfUse(at, file, position);
  at.open.delete(key);
  at.known.set(key, found);
  return found;
}

async function findTypeOfUse(
  at: ValueTypes,
  file: ViewFile,
  position: number,
): Promise<ValueType | undefined> {
  const use = (await at.tree.factsOf(file)).uses[position];
  if (use === undefined) return undefined;
  const isCall = use.role === "call";
  const entities = await at.entitiesOf(file, position);
  const isMember = use.receiver !== "none" && use.receiver !== "local";
  const receiver = isMember ? await receiverTypeOf(at, file, position) : undefined;
  if (entities.some(({ kind }) => kind === "definition"))
    return typeOfEntities(at, entities, isCall, receiver);
  const isAssigned =
    !isCall && receiver?.kind === "object" && entities.every(({ kind }) => kind === "unknown");
  const [type] = isAssigned ? receiver.types : [];
  return type === undefined ? undefined : assignedType(at, type, use.name, 0);
}

async function typeOfEntities(
  at: ValueTypes,
  entities: readonly Entity[],
  isCall: boolean,
  receiver: ValueType | undefined,
): Promise<ValueType | undefined> {
  const definitions = oneDefinition(at, entities);
  // In Python the call of a class creates an object.
  const created = isCall && at.rules.hasStaticMembers !== true ? objectOf(at, definitions) : undefined;
  if (created !== undefined) return created;
  let found: ValueType | undefined;
  for (const one of definitions) {
    const source = await definitionType(at, one);
    if (source === undefined || source.isResult !== isCall) return undefined;
    const type = await typeOfSource(at, one.file, source, receiver);
    if (type === undefined || (found !== undefined && !isSameType(at, found, type))) return undefined;
    found = type;
  }
  return found;
}

function isSameType(at: ValueTypes, a: ValueType, b: ValueType): boolean {
  if (a.kind === "promise") return b.kind === "promise" && isSameType(at, a.of, b.of);
  if (a.kind === "outside" || b.kind !== "object") return a.kind === b.kind;
  const [one] = a.types;
  const [other] = b.types;
  return one !== undefined && other !== undefined && isSameDefinition(at.tree.view, one, other);
}

async function definitionType(
  { tree }: Types,
  { file, symbol }: Definition,
): Promise<DefinitionType | undefined> {
  return (await tree.factsOf(file)).types?.definitions.get(symbol);
}

/** Returns the type of a member that a method of the type or of one it inherits from assigns: `self.name = …`. */
async function assignedType(
  at: ValueTypes,
  type: Definition,
  name: string,
  steps: number,
): Promise<ValueType | undefined> {
  const { types } = await at.tree.factsOf(type.file);
  const own = types?.members.find((one) => one.owner === type.symbol && one.name === name);
  if (own !== undefined) return typeOfSource(at, type.file, own);
  if (steps > MAX_STEPS) return undefined;
  for (const base of await bases(at, type)) {
    if (base === undefined) return undefined;
    const found = await assignedType(at, base, name, steps + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
