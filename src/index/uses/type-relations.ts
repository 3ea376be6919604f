import {
  bareName,
  briefOf,
  isSameDefinition,
  symbolsNamed,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import type { Entity } from "./entity.ts";
import { bases, memberOf, type Types } from "./members.ts";
import { MAX_STEPS } from "./module-names.ts";

/** A type and all those that it inherits from. `isOpen` if one of them is not in the project. */
interface Ancestry {
  readonly types: readonly Definition[];
  readonly isOpen: boolean;
}

/** What is needed to find out how types are related. */
export interface TypeRelations extends Types {
  readonly ancestries: Map<string, Promise<Ancestry>>;
}

/**
 * Returns true if a member behind a value, which is one of these entities, may still be another member with the same
 * name, because the types that they belong to are related or one may implement the other.
 */
export async function mayBeMember(
  at: TypeRelations,
  entities: readonly Entity[],
  wanted: Definition,
): Promise<boolean> {
  for (const entity of entities) if (await mayBeOne(at, entity, wanted)) return true;
  return false;
}

async function mayBeOne(at: TypeRelations, entity: Entity, wanted: Definition): Promise<boolean> {
  const { view } = at.tree;
  if (entity.kind !== "definition" && (entity.kind !== "outside" || entity.isMember !== true)) return false;
  const type = typeAround(at, wanted);
  // The members of a class itself are not those of its objects.
  if (wanted.isStatic === true) return false;
  // A member of an object, whose type is not declared.
  if (type === undefined) return entity.kind === "outside" || entity.receiver !== undefined;
  const own = await ancestryOf(at, type);
  if (entity.kind === "outside") return own.isOpen;
  const other = entity.receiver ?? typeAround(at, entity.definition);
  const name = bareName(briefOf(view, wanted)?.name ?? "");
  if (other === undefined) return false;
  const theirs = await ancestryOf(at, other);
  const isInherited =
    own.types.some((one) => isSameDefinition(view, one, other)) || isRedeclared(at, type, theirs);
  if (at.rules.hasStaticMembers !== true) return isInherited || mayImplement(at, type, other);
  if (own.isOpen && theirs.isOpen) return true;
  // The language service takes all members that override one of a common base for one.
  const isShared = own.types.some(
    (one) => theirs.types.some((two) => isSameDefinition(view, one, two)) && hasOwnMember(at, one, name),
  );
  return isInherited || isShared || mayImplement(at, type, other);
}

/** Returns true if a type that is no class declares a member again which it has from another one. */
function isRedeclared(at: TypeRelations, type: Definition, { types }: Ancestry): boolean {
  const { view } = at.tree;
  return briefOf(view, type)?.kind !== "class" && types.some((one) => isSameDefinition(view, one, type));
}

/** Returns the type that a member is defined in. */
function typeAround({ tree: { view } }: Types, { file, symbol }: Definition): Definition | undefined {
  const { symbols } = view.documentOf(file);
  const brief = symbols[symbol];
  if (brief === undefined) return undefined;
  const around = symbols[brief.parent];
  if (around !== undefined && TYPE_KINDS.has(around.kind)) return { file, symbol: brief.parent };
  if (brief.owner === undefined) return undefined;
  const [owner] = symbolsNamed(symbols, bareName(brief.owner), ({ kind }) => TYPE_KINDS.has(kind));
  return owner === undefined ? undefined : { file, symbol: owner };
}

function hasOwnMember({ tree: { view } }: Types, { file, symbol }: Definition, name: string): boolean {
  const { symbols } = view.documentOf(file);
  const owner = bareName(symbols[symbol]?.name ?? "");
  return symbols.some(
    (one) =>
      bareName(one.name) === name &&
      (one.parent === symbol || (one.owner !== undefined && bareName(one.owner) === owner)),
  );
}

function ancestryOf(at: TypeRelations, type: Definition): Promise<Ancestry> {
  const key = `${type.file.path}\0${type.symbol}`;
  const known = at.ancestries.get(key) ?? findAncestry(at, type);
  at.ancestries.set(key, known);
  return known;
}

async function findAncestry(at: TypeRelations, type: Definition): Promise<Ancestry> {
  const types: Definition[] = [type];
  let isOpen = await hasOtherBases(at, type);
  for (const one of types) {
    if (types.length > MAX_STEPS) return { types, isOpen: true };
    for (const base of await bases(at, one))
      if (base === undefined) isOpen = true;
      else if (!types.some((known) => isSameDefinition(at.tree.view, known, base))) {
        types.push(base);
        isOpen ||= await hasOtherBases(at, base);
      }
  }
  return { types, isOpen };
}

/** Returns true if a type may inherit in a way that is not followed: from the result of a call, or from a dependency. */
async function hasOtherBases({ tree }: Types, { file, symbol }: Definition): Promise<boolean> {
  const { symbols } = tree.view.documentOf(file);
  const brief = symbols[symbol];
  if (brief === undefined || !TYPE_KINDS.has(brief.kind)) return true;
  // Inside of a declared module the type may be added to one of a dependency.
  const around = symbols[brief.parent];
  if (around !== undefined && (around.kind === "module" || around.kind === "namespace")) return true;
  if (brief.kind === "type") return false;
  const { uses } = await tree.factsOf(file);
  return uses.some(({ line, role }) => line === brief.lineStart && role === "call");
}

/** Returns true if a class has all members of an interface, so that its objects may be used as such. */
async function mayImplement(at: Types, type: Definition, other: Definition): Promise<boolean> {
  const { view } = at.tree;
  const isInterface = briefOf(view, other)?.kind !== "class" || (await isProtocol(at, other));
  if (briefOf(view, type)?.kind !== "class" || !isInterface) return false;
  const { symbols } = view.documentOf(other.file);
  for (const { parent, name } of symbols)
    if (parent === other.symbol && (await memberOf(at, type, bareName(name))).length === 0) return false;
  return true;
}

/** Returns true for a class of Python that only says which members an object has. */
async function isProtocol({ tree }: Types, { file, symbol }: Definition): Promise<boolean> {
  const brief = tree.view.documentOf(file).symbols[symbol];
  const { uses } = await tree.factsOf(file);
  return uses.some(
    ({ name, role, line }) =>
      name === "Protocol" &&
      role === "inheritance" &&
      brief !== undefined &&
      brief.lineStart <= line &&
      line <= brief.lineEnd,
  );
}
