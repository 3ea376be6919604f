import type { SymbolKind } from "../../../model/symbol.ts";
import type { NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import type { Definition } from "../definition.ts";
import type { Entity } from "../entity.ts";
import type { FullNameRules, NameTable } from "./name-table.ts";
import type { ModuleTree } from "../modules/module-rules.ts";

/**
 * What a name may refer to while it is being resolved: also a package or namespace, which may span many files. Without
 * `isGuess` an import or full name says this name; with it, the name stands alone and could only begin a full name.
 */
export type NameEntity =
  | Entity
  | { readonly kind: "namespace"; readonly name: string; readonly isGuess?: boolean };

/** A place in a file at which a name is looked up. */
export interface NamePlace {
  readonly file: ViewFile;
  readonly use: NameUse;
  /** The full name of the package or namespace around the place; "" at the top. */
  readonly namespace: string;
}

/** What the rules of a language can ask while they look up a name. */
export interface NameLookup {
  readonly tree: ModuleTree;
  readonly table: NameTable;
  /** Returns what a full name refers to; a namespace if the project defines nothing with this name. */
  resolve(fullName: string, place: NamePlace): Promise<readonly NameEntity[]>;
  /** Returns the members with a name of what a full name refers to. */
  membersOf(fullName: string, name: string, place: NamePlace): Promise<readonly NameEntity[]>;
}

/**
 * When a base type is asked for a member: before the type itself, after it and before its superclass, last, or only for
 * members of the type itself, which need not be those that a use means.
 */
export type BaseOrder = "before" | "mixin" | "superclass" | "extension";

/**
 * How a language finds definitions by their full names. In such a language the text declares the full name of each
 * definition (by a package, a namespace or the types around it), so that imports name definitions and not files.
 */
export interface NameRules extends FullNameRules {
  /** True if code in a type can refer to the members of the type, and of the types around it, without a qualifier. */
  readonly hasImplicitThis?: boolean;
  /** True if a name is first looked up in all types around the place, and then in what the innermost one inherits. */
  readonly hasNestingFirst?: boolean;
  /** Returns true if a name that stands alone can only be a member of the innermost type around it, not of others. */
  isOfOwnType?(use: NameUse): boolean;
  /** True if a type may have a method beside one of the same name that it inherits, with other parameters. */
  readonly hasOverloads?: boolean;
  /** True if several files can define parts of one type. */
  readonly hasPartialTypes?: boolean;
  /** True if a name that is found nowhere may be a member of a value that the code does not mention. */
  readonly hasImplicitReceivers?: boolean;
  /** True if a member of a type can have the name of another type, and a use may mean either. */
  readonly membersHideTypes?: boolean;
  /** True if by custom the names of members begin in lower case, and those of types do not. */
  readonly hasLowerCaseMembers?: boolean;
  /** Kinds of symbols that have members, if they are others than usual. */
  readonly typeKinds?: ReadonlySet<SymbolKind>;
  /** Returns false if a use cannot refer to a definition of this kind. */
  accepts?(kind: SymbolKind, use: NameUse): boolean;
  /** Looks up a name that no type around the place has as a member: imports, namespaces, global names. */
  lookUp(lookup: NameLookup, place: NamePlace): Promise<readonly NameEntity[]>;
  /** Returns false if a use may not mean a definition that its name leads to, because other things decide it. */
  isProved?(lookup: NameLookup, place: NamePlace, definition: Definition): Promise<boolean>;
  /** Kinds of members of which an object may have the one of a type that inherits from that of the code. */
  readonly overridden: ReadonlySet<SymbolKind>;
  /** Returns the names, in addition to its own, by which code may use a definition. */
  otherNames?(name: string, kind: SymbolKind): readonly string[];
  /** Returns the names of types inside a type whose members are also members of the type itself. */
  readonly companions?: readonly string[];
  /** Returns the order in which a type asks its base types for a member, by a use that names a base type. */
  baseOrder?(uses: readonly NameUse[], position: number): BaseOrder;
  /** Returns true for a member that each type has that defines none with this name, such as `new` in Ruby. */
  isOfEveryType?(name: string): boolean;
  /** Returns what a member means that exists for every type, such as `class` in Java. */
  builtIn?(name: string, type: Definition): "itself" | "outside" | undefined;
}
