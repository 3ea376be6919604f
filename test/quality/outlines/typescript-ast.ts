import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { addTruth, type Truth } from "./truth.ts";

/** The part of the TypeScript 5 API that is used here; TypeScript 7 has no API. */
interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number | string>>;
  readonly createSourceFile: (
    name: string,
    text: string,
    target: number,
    parents: boolean,
  ) => SourceFile & { readonly parseDiagnostics: readonly unknown[] };
}

interface SyntaxNode {
  readonly kind: number;
  readonly name?: SyntaxNode & { readonly text?: string; readonly elements?: readonly SyntaxNode[] };
  readonly initializer?: SyntaxNode;
  readonly body?: SyntaxNode;
  readonly parent: SyntaxNode;
  forEachChild(visit: (child: SyntaxNode) => void): void;
  getStart(): number;
  getText(): string;
}

interface SourceFile extends SyntaxNode {
  getLineAndCharacterOfPosition(at: number): { readonly line: number };
}

/** Declarations that are expected everywhere. */
const ALWAYS = new Set([
  "FunctionDeclaration",
  "ClassDeclaration",
  "InterfaceDeclaration",
  "TypeAliasDeclaration",
  "EnumDeclaration",
  "EnumMember",
  "ModuleDeclaration",
  "MethodDeclaration",
  "PropertyDeclaration",
  "GetAccessor",
  "SetAccessor",
  "Constructor",
]);
/** Declarations that are expected only outside functions and in named types. */
const OUTSIDE = new Set(["VariableDeclaration", "BindingElement"]);
const MEMBERS = new Set(["PropertySignature", "MethodSignature"]);
const SCOPES = new Set([
  "ClassDeclaration",
  "InterfaceDeclaration",
  "EnumDeclaration",
  "ModuleDeclaration",
  "TypeAliasDeclaration",
]);
const FUNCTIONS = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunction",
  "MethodDeclaration",
  "Constructor",
  "GetAccessor",
  "SetAccessor",
  "ClassStaticBlockDeclaration",
]);

/** Returns what the TypeScript compiler installed in a folder finds. */
export function typescriptTruth(files: readonly string[], folder: string): Map<string, Truth[]> {
  const compiler: Compiler = createRequire(join(folder, "package.json"))("typescript");
  const found = new Map<string, Truth[]>();
  for (const path of files) {
    const file = compiler.createSourceFile(path, readFileSync(path, "utf8"), 99, true);
    if (file.parseDiagnostics.length > 0) continue;
    found.set(path, declarationsOf(file, path, compiler));
  }
  return found;
}

/** Returns the declarations of a parsed file. */
export function declarationsOf(
  file: SourceFile,
  path: string,
  compiler: Pick<Compiler, "SyntaxKind">,
): Truth[] {
  const found = new Map<string, Truth[]>();
  walk(file, {
    file,
    path,
    compiler,
    found,
    inFunction: false,
    inNamedType: false,
    isLocal: false,
    scope: "",
  });
  return found.get(path) ?? [];
}

interface Walk {
  readonly file: SourceFile;
  readonly path: string;
  readonly compiler: Pick<Compiler, "SyntaxKind">;
  readonly found: Map<string, Truth[]>;
  readonly inFunction: boolean;
  readonly inNamedType: boolean;
  /** True inside a function at any depth, including members of a class in it. */
  readonly isLocal: boolean;
  /** Names of the enclosing declarations, joined with dots. */
  readonly scope: string;
}

function walk(node: SyntaxNode, state: Walk): void {
  node.forEachChild((child) => {
    const kind = kindOf(child, state.compiler);
    const text = kind === "Constructor" ? "constructor" : nameOf(child, state);
    if (text !== undefined && text !== "") {
      const start = (child.name ?? child).getStart();
      const line = state.file.getLineAndCharacterOfPosition(start).line + 1;
      addTruth(state.found, state.path, {
        name: text,
        line,
        kind,
        isOptional: !isAsked(child, kind, state),
        ...(state.scope !== "" && { scope: state.scope }),
        isLocal: state.isLocal,
      });
    }
    walk(child, inside(kind, state, text));
  });
}

/** Returns the name of a declaration; computed names are returned as written, patterns have names in their elements. */
function nameOf({ name }: SyntaxNode, { compiler }: Walk): string | undefined {
  if (name === undefined || kindOf(name, compiler).endsWith("BindingPattern")) return undefined;
  return name.text ?? name.getText();
}

function inside(kind: string, state: Walk, name: string | undefined): Walk {
  const isType = kind === "InterfaceDeclaration" || kind === "TypeAliasDeclaration";
  return {
    ...state,
    inFunction: FUNCTIONS.has(kind) || (state.inFunction && kind !== "ClassDeclaration"),
    isLocal: state.isLocal || FUNCTIONS.has(kind),
    scope: SCOPES.has(kind) ? [state.scope, name ?? ""].filter((part) => part !== "").join(".") : state.scope,
    inNamedType: isType || (state.inNamedType && (kind === "TypeLiteral" || MEMBERS.has(kind))),
  };
}

function isAsked(node: SyntaxNode, kind: string, { inFunction, inNamedType, compiler }: Walk): boolean {
  if (ALWAYS.has(kind)) return true;
  if (MEMBERS.has(kind)) return inNamedType;
  if (!OUTSIDE.has(kind) || isOfLoop(node, compiler) || isImport(node)) return false;
  const value = node.initializer === undefined ? "" : kindOf(node.initializer, compiler);
  return !inFunction || (kind === "VariableDeclaration" && FUNCTIONS.has(value));
}

/** Returns true for `const a = require("a")`, which imports a definition. */
function isImport({ initializer, parent }: SyntaxNode): boolean {
  const value = initializer ?? parent.parent.initializer;
  return value !== undefined && /^(?:await\s+)?(?:require|import)\s*\(/u.test(value.getText());
}

/** Returns true for the variable of a loop or catch clause, which is not expected. */
function isOfLoop(node: SyntaxNode, compiler: Walk["compiler"]): boolean {
  let around = node.parent;
  while (
    /^(?:VariableDeclaration|VariableDeclarationList|BindingElement|(?:Object|Array)BindingPattern)$/u.test(
      kindOf(around, compiler),
    )
  )
    around = around.parent;
  return /^(?:For(?:Of|In)?Statement|CatchClause)$/u.test(kindOf(around, compiler));
}

function kindOf(node: SyntaxNode, compiler: Walk["compiler"]): string {
  return String(compiler.SyntaxKind[node.kind]);
}
