/**
 * How a name is used at one place. `string` is a string whose whole content is a name or a dotted path; `extension` is a
 * call whose result is of a class without a name that inherits from the called one, as in `new A() { … }`.
 */
export type UseRole =
  | "read"
  | "call"
  | "type"
  | "import"
  | "export"
  | "assignment"
  | "decorator"
  | "inheritance"
  | "string"
  | "extension";

/** Returns true for the roles that call a function or constructor. */
export function isCall(role: UseRole): boolean {
  return role === "call" || role === "extension";
}

/**
 * What a name is looked up in.
 * `none`: in the scopes around it; the name is bound by no parameter or local variable.
 * `local`: in the function around it, which contains a definition of the name.
 * `previous`: in what the use before this one in the list refers to, as `b` in `a.b`.
 * `root`: in the outermost namespace, as `a` in `::a`.
 * `self` and `super`: in the object or class that the code belongs to.
 * `unknown`: in the value of a local variable or an expression, whose type is not known.
 * `key`: the name is the key of an object literal or a named argument.
 */
export type UseReceiver = "none" | "local" | "previous" | "self" | "super" | "unknown" | "key" | "root";

/** One place in a text that uses a name. Definitions, parameters and local variables are no uses. */
export interface NameUse {
  readonly name: string;
  readonly line: number;
  readonly role: UseRole;
  readonly receiver: UseReceiver;
  /** The definition that a `local` name refers to, as its position in the outline, if the scopes show it. */
  readonly symbol?: number;
}

/**
 * What the place of a definition in the outline does not show.
 * `inner`: it is visible only in the block, function or namespace around it.
 * `hoisted`: it is a function in a block, which the rest of the file sees unless its code is strict.
 * `exported`: other files see it by its name, its own file does not, as `exports.a = …`.
 * `entry`: it is exported as an entry of an object, which may also be a value that code reaches in other ways.
 * `own`: it is visible in its file, but the module does not export it.
 * `static`: it is a member of the class itself and not of its objects; in C++, a constant of `enum class`.
 */
export type DefinitionMark = "inner" | "hoisted" | "exported" | "entry" | "own" | "static";

/** A name that an import or export statement connects with a name of another module. */
export interface ModuleBinding {
  /**
   * The name inside the module: `*` for the module itself, `default` for its default export, and `=` for what a call of
   * `require` returns, which is the module, what it exports with `export =`, or outside of modules of ECMAScript both;
   * `?` if a condition may give the name another value than one of the module. Empty for a value without a name.
   */
  readonly name: string;
  /** The name in this file, or for a re-export the name under which it is exported. */
  readonly as: string;
}

/** An import or export statement. */
export interface ModuleLink {
  readonly kind: "import" | "export";
  readonly line: number;
  /** The module or path as written; empty if the statement exports names of its own file. */
  readonly module: string;
  readonly names: readonly ModuleBinding[];
  /** True if the statement brings in, or exports, all names of the module. */
  readonly all: boolean;
  /** True if the names are bound only in the function or block around the statement. */
  readonly isInner?: boolean;
  /**
   * True if `module` is a name of the file, or a path of names that begins with one, and the statement names members of
   * what it refers to: `const { a } = module`.
   */
  readonly isLocal?: boolean;
}

/**
 * How a text shows the type of a value.
 * `type`: a use names the type. `applied`: it names the type before type arguments, as `Store` in `Store<A>`.
 * `promise`: the value is a promise of the type that a use names.
 * `value`: the value is that of a use: what a variable or member holds, or what a call returns.
 * `awaited`: the same after waiting for it.
 * `entered`: what `with` in Python gives a name for that value.
 * `created`: a use names the class of which `new` creates an object.
 * `language`: it is a type of the language, such as that of a string, which is no use.
 * `own`: it is the type of the object itself, as for a method that returns `this`; for the name of a type, the members
 * written there.
 */
export type TypeOrigin =
  | "type"
  | "applied"
  | "promise"
  | "value"
  | "awaited"
  | "entered"
  | "created"
  | "language"
  | "own";

/** Where a text shows the type of a value. */
export interface TypeSource {
  readonly origin: TypeOrigin;
  /** The position of the use in the list of uses; 0 if the type is `language` or `own`. */
  readonly use: number;
}

/** Where a text shows the type of what a definition holds, or of what it returns when it is called. */
export interface DefinitionType extends TypeSource {
  readonly isResult: boolean;
}

/** A member that a type gets by an assignment and not by a definition: `self.name = …`. */
export interface AssignedMember extends TypeSource {
  /** The position of the type in the outline. */
  readonly owner: number;
  readonly name: string;
}

/** Where a text shows the types of its values. What is not listed may have any type. */
export interface TypeFacts {
  /** The type of what is before a member, by the position of the member in the list of uses. */
  readonly receivers: ReadonlyMap<number, TypeSource>;
  /** The types of definitions, by their position in the outline. */
  readonly definitions: ReadonlyMap<number, DefinitionType>;
  readonly members: readonly AssignedMember[];
}

/** Everything that is known about the uses of names in one text, before it is known what they refer to. */
export interface UseFacts {
  /** The uses in source order. */
  readonly uses: readonly NameUse[];
  readonly links: readonly ModuleLink[];
  /** What is known of definitions, by their position in the outline. */
  readonly marks: ReadonlyMap<number, DefinitionMark>;
  /** True if statements say what the file exports, as in a module of ECMAScript. */
  readonly isModule: boolean;
  /** Absent if the text shows no types. */
  readonly types?: TypeFacts;
}

/** How a definition is used, in numbers. */
export interface UseCounts {
  readonly sure: number;
  readonly possible: number;
  /** Number of places with the name of which it is not known what they refer to. */
  readonly unresolved: number;
  readonly files: number;
  /** Paths of test files among them. */
  readonly tests: readonly string[];
  readonly isByName: boolean;
}
