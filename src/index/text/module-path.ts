import type { CodeSymbol, Outline } from "../../model/symbol.ts";
import type { View } from "../live/view.ts";

/** Where in its program a file's definitions are, in the language's notation: `auth::jwt`, `requests.sessions`. */
export interface ModulePath {
  readonly name: string;
  readonly separator: string;
}

type Files = Pick<View, "fileAt">;

/**
 * The module of a file as far as it is certain: Rust's by Cargo's layout below a crate's root, Python's by the packages around the file,
 * that of Java, Kotlin and Scala by the clause in the file. Other languages say it in the definitions themselves, or have none.
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
  // Each file in src/bin is a crate of its own.
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

/** A definition's name with its module before it. */
export function nameInModule({ qualifiedName, kind }: CodeSymbol, path: ModulePath | undefined): string {
  const isModule = kind === "module" && qualifiedName === path?.name;
  return path === undefined || isModule ? qualifiedName : `${path.name}${path.separator}${qualifiedName}`;
}
