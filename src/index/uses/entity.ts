import type { View, ViewFile } from "../live/view.ts";
import { isSameDefinition, type Definition } from "./definition.ts";

/**
 * What a name refers to. `module` is a file as a module, `outside` a name of a dependency or of the language itself,
 * `unknown` means that the name may refer to anything.
 */
export type Entity =
  | { readonly kind: "definition"; readonly definition: Definition }
  | { readonly kind: "module"; readonly file: ViewFile }
  | { readonly kind: "outside" }
  | { readonly kind: "missing" }
  | { readonly kind: "unknown" };

export const UNKNOWN: readonly Entity[] = [{ kind: "unknown" }];
export const OUTSIDE: readonly Entity[] = [{ kind: "outside" }];
export const MISSING: readonly Entity[] = [{ kind: "missing" }];

/** Finds what names refer to, by the rules of one language. */
export interface Resolver {
  /** Returns what a use in a file refers to; several entities if it may be each of them. */
  entitiesOf(file: ViewFile, position: number): Promise<readonly Entity[]>;
  /** Returns what a name refers to that stands alone at the top of a file. */
  nameIn(file: ViewFile, name: string): Promise<readonly Entity[]>;
  /** Returns what a module makes available under a name. */
  exportsOf(file: ViewFile, name: string): Promise<readonly Entity[]>;
}

/** Returns true if one of the entities is the definition. */
export function refersTo(view: View, entities: readonly Entity[], wanted: Definition): boolean {
  return entities.some(
    (entity) => entity.kind === "definition" && isSameDefinition(view, entity.definition, wanted),
  );
}
