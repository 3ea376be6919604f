import type { NameUse, UseFacts } from "../../../model/use.ts";
import type { View, ViewFile } from "../../live/view.ts";
import type { Entity } from "../entity.ts";

/** The files of a project, as far as the rules of a language need them to find modules. */
export interface ModuleTree {
  readonly view: View;
  /** Returns the files of the project in a folder (not in its subfolders); the root is "". */
  filesIn(folder: string): readonly ViewFile[];
  /** Returns true if the project has files in the folder or in its subfolders. */
  hasFolder(folder: string): boolean;
  /** Returns the text of a file, such as a manifest; undefined if there is none or it cannot be read. */
  textOf(path: string): Promise<string | undefined>;
  factsOf(file: ViewFile): Promise<UseFacts>;
}

/**
 * What a module name refers to: files of the project (of which a package may have many), a module of a dependency or of
 * the language (`outside`), or nothing that could be found (`missing`).
 */
export type ModuleTarget = readonly ViewFile[] | "outside" | "missing";

/** How the files of a language find the names of other files. */
export interface ModuleRules {
  /** Ids of the languages, as in `src/languages/registry.ts`. */
  readonly languages: readonly string[];
  /**
   * Finds the files that a module name or path in an import of `from` refers to. `isRequired` is true if the import is
   * known to be a call of `require`.
   */
  find(module: string, from: ViewFile, tree: ModuleTree, isRequired?: boolean): Promise<ModuleTarget>;
  /** Returns the other files whose outermost names a file sees without an import, such as those of its package. */
  neighbours?(file: ViewFile, tree: ModuleTree): Promise<readonly ViewFile[]>;
  /** Returns true if all files see the outermost names of a file, because it is no module. */
  isShared?(file: ViewFile, tree: ModuleTree): Promise<boolean>;
  /**
   * Finds the module that is a member of another module or folder, such as a submodule in Python: `from package import
   * module`.
   */
  submodule?(parent: ViewFile | string, name: string, tree: ModuleTree): readonly ViewFile[];
  /** Returns true if other files see only those names of a file that it exports. */
  hasExports?(file: ViewFile): boolean;
  /** Returns true for a file that is a value as a whole for those that import it, such as a component or a style sheet. */
  isWholeValue?(file: ViewFile): boolean;
  /** True if the name of a class leads only to its static members, and the name of another type to none. */
  readonly hasStaticMembers?: boolean;
  /** Returns true if an import of all names of a module leaves out this one. */
  isKept?(file: ViewFile, name: string, tree: ModuleTree): Promise<boolean>;
  /** Returns the name that an import without an alias gives a module, if the module itself says it, as in Go. */
  packageName?(file: ViewFile, tree: ModuleTree): string | undefined;
  /** Returns what a function with this name, which a test framework finds by the name of a parameter, may be. */
  argument?(
    tree: ModuleTree,
    file: ViewFile,
    use: NameUse,
    exportsOf: (file: ViewFile, name: string) => Promise<readonly Entity[]>,
  ): Promise<readonly Entity[]>;
  /** True if a name that a file imports is also a member of the file, as in Python. */
  readonly exportsImports?: boolean;
  /** True if a method can refer to the members of its class without a qualifier. */
  readonly hasImplicitThis?: boolean;
  /** True if the members of a type may be defined in other files of the same neighbourhood. */
  readonly hasOpenTypes?: boolean;
  /** True if a program has one definition of a name, so that definitions in several files exclude one another. */
  readonly hasOneDefinition?: boolean;
  /**
   * Returns true for a name of the language itself. Where the language has no other global names, one that a file neither
   * defines nor imports is a variable, such as that of a loop.
   */
  isBuiltIn?(name: string): boolean;
  /** Names of the object whose members are the global variables, which code may add to it: `window.store = …`. */
  readonly globalObjects?: ReadonlySet<string>;
  /** True if the key of a literal may also be the name of a value, as in a map of Go. */
  readonly keysMayBeNames?: boolean;
}

/** Returns the folder of a path; "" for a file in the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Joins a folder and a relative path; undefined if the path leads out of the project. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
