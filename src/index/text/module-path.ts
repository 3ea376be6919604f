import type { CodeSymbol, Outline } from "../../model/symbol.ts";
import type { View } from "../live/view.ts";

/** The module of a file in the language's notation, such as `auth::jwt` or `requests.sessions`. */
export interface ModulePath {
  readonly name: string;
  readonly separator: string;
}

type Files = Pick<View, "fileAt">;

/**
 * Returns the module that a file belongs to, if it is certain: for Rust from Cargo's layout, for Python from the
 * enclosing packages, for Java, Kotlin and Scala from the package clause. In other languages, the names of definitions
 * contain the module, or there is none.
 */
export function modulePathOf(path: string, outline: Outline, files: Files): ModulePath | undefined {
  switch (outline.language) {
    case "rust":
      return rustModule(path, files);
    case "python":
      return pythonModule(path, files);
    case "java":
    case "kotlin":
    case "scala":
      return packageClause(outline.symbols);
    default:
      return undefined;
  }
}

function rustModule(path: string, files: Files): ModulePath | undefined {
  const [, crate = "", inside = ""] = /^((?:.*\/)?src\/)(.*)\.rs$/.exec(path) ?? [];
  const isCrate = ["lib.rs", "main.rs"].some((root) => files.fileAt(`${crate}${root}`) !== undefined);
  // Each file in src/bin is a crate of its own, so it belongs to no module of this one.
  if (!isCrate || inside.startsWith("bin/")) return undefined;
  const parts = inside.split("/");
  const isRoot = parts.length === 1 && (inside === "lib" || inside === "main");
  const names = isRoot || parts.at(-1) === "mod" ? parts.slice(0, -1) : parts;
  return names.length === 0 ? undefined : { name: names.join("::"), separator: "::" };
}

function pythonModule(path: string, files: Files): ModulePath | undefined {
  const folders = path.split("/");
  const stem = (folders.pop() ?? "").replace(/\.pyi?$/, "");
  const names = stem === "__init__" ? [] : [stem];
  const isPackage = (): boolean =>
    folders.length > 0 && files.fileAt([...folders, "__init__.py"].join("/")) !== undefined;
  if (!isPackage()) return undefined;
  while (isPackage()) names.unshift(folders.pop() ?? "");
  return { name: names.join("."), separator: "." };
}

function packageClause(symbols: readonly CodeSymbol[]): ModulePath | undefined {
  const names = symbols.flatMap(({ kind, parent, signature, name }) =>
    kind === "module" && parent === undefined && /^package\s/.test(signature) ? [name] : [],
  );
  return names.length === 0 ? undefined : { name: names.join("."), separator: "." };
}

/** Returns the qualified name of a definition, preceded by its module. */
export function nameInModule({ qualifiedName, kind }: CodeSymbol, path: ModulePath | undefined): string {
  const isModule = kind === "module" && qualifiedName === path?.name;
  return path === undefined || isModule ? qualifiedName : `${path.name}${path.separator}${qualifiedName}`;
}
