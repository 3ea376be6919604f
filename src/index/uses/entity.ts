import type { SymbolKind } from "../../model/symbol.ts";
import type { NameUse } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import { isSameDefinition, type Definition } from "./definition.ts";

/**
 * What a name refers to. A definition is `isPossible` if it has the name but nothing proves that it is meant. `module` is a file as a module, or the inline module at the position `within` of its symbols, `outside` a name of a dependency or of the language itself,
 * `value` a value that no definition names, so that nothing is known of its members,
 * `unknown` means that the name may refer to anything.
 */
export type Entity =
  | {
      readonly kind: "definition";
      readonly definition: Definition;
      readonly isPossible?: true;
      /** Of the path `a.b.c` that names a namespace, the parts that were read so far, if they are not all of it. */
      readonly path?: string;
      /** The type of the value that a member was found behind. */
      readonly receiver?: Definition;
    }
  | { readonly kind: "module"; readonly file: ViewFile; readonly within?: number }
  | {
      readonly kind: "outside";
      /** True for a member of an object whose type the project does not define. */
      readonly isMember?: true;
      /**
       * How many members after another are members of a dependency, too. Behind them are values, which may be of a type
       * of the project, as in `context.store.save()`. Without a number, all of them are.
       */
      readonly members?: number;
    }
  | { readonly kind: "missing" }
  | { readonly kind: "value" }
  | { readonly kind: "unknown" };

export const UNKNOWN: readonly Entity[] = [{ kind: "unknown" }];
export const OUTSIDE: readonly Entity[] = [{ kind: "outside" }];
/** A module of a dependency, whose members may be modules or types with members of their own, as in `os.path.join`. */
export const OUTSIDE_MODULE: readonly Entity[] = [{ kind: "outside", members: 2 }];
/** What a dependency exports under a name. */
export const OUTSIDE_NAME: readonly Entity[] = [{ kind: "outside", members: 1 }];
export const MISSING: readonly Entity[] = [{ kind: "missing" }];
export const VALUE: readonly Entity[] = [{ kind: "value" }];

/** Finds what names refer to, by the rules of one language. */
export interface Resolver {
  /** As in `ModuleRules`. */
  readonly keysMayBeNames?: boolean;
  /** False if a member is never meant by a name that stands alone. */
  readonly hasBareMembers?: boolean;
  /** Returns what a use in a file refers to; several entities if it may be each of them. */
  entitiesOf(file: ViewFile, position: number): Promise<readonly Entity[]>;
  /** Returns what a name refers to that stands alone at the top of a file. */
  nameIn(file: ViewFile, name: string): Promise<readonly Entity[]>;
  /** Returns what a module makes available under a name. */
  exportsOf(file: ViewFile, name: string): Promise<readonly Entity[]>;
  /** Returns true if a name behind a value may be this definition, because the file loads its module as a value. */
  mayBeOfModule?(file: ViewFile, name: string, wanted: Definition): Promise<boolean>;
  /** Returns true if a member that was found to be one of the entities may still be another one, which overrides it. */
  mayBeMember?(entities: readonly Entity[], wanted: Definition, use: NameUse): Promise<boolean>;
  /** Returns false if a use cannot refer to a definition of this kind, whatever its name leads to. */
  accepts?(kind: SymbolKind, use: NameUse): boolean;
  /** Returns true if code may spell the name of a definition with other capitals. */
  ignoresCase?(definition: Definition): boolean;
  /** Returns the names, in addition to its own, by which code may use a definition, as `Table` for `TableAttribute`. */
  otherNames?(definition: Definition): readonly string[];
}

/** Returns what a member of something outside of the project is: a value of which nothing is known, or outside, too. */
export function memberOutside(entity: Extract<Entity, { kind: "outside" }>): readonly Entity[] {
  if (entity.isMember === true || entity.members === 0) return UNKNOWN;
  return entity.members === undefined ? [entity] : [{ kind: "outside", members: entity.members - 1 }];
}

/** Returns true if one of the entities is the definition. */
export function refersTo(view: View, entities: readonly Entity[], wanted: Definition): boolean {
  return entities.some(
    (entity) => entity.kind === "definition" && isSameDefinition(view, entity.definition, wanted),
  );
}

/** Returns true if a name that may be a definition may also be something that is not in the project. */
export function isElsewhere(entities: readonly Entity[]): boolean {
  return entities.some(({ kind }) => kind === "outside" || kind === "missing");
}

/**
 * Marks definitions as possible if they are in several files, of which a program uses only one. Those in the file `own`
 * do not count: a variable there that holds an imported name is no other definition.
 */
export function asAlternatives(entities: readonly Entity[], own?: ViewFile): readonly Entity[] {
  if (entities.length < 2) return entities;
  const isCounted = (entity: Entity): entity is Extract<Entity, { kind: "definition" }> =>
    entity.kind === "definition" && entity.definition.file.path !== own?.path;
  const files = new Set(entities.filter(isCounted).map(({ definition }) => sourceOf(definition.file.path)));
  if (files.size < 2) return entities;
  return entities.map((entity) => (isCounted(entity) ? { ...entity, isPossible: true } : entity));
}

/** Returns the path, without its extension, of the file that a file with declarations of types describes. */
function sourceOf(path: string): string {
  return path.replace(/\.pyi$|(?:\.d)?\.[cm]?[jt]s$/u, (extension) => (extension === ".pyi" ? ".py" : ""));
}
