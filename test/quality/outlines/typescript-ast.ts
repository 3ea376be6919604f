import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { addTruth, type Truth } from "./truth.ts";

/** The part of TypeScript 5's programming interface that is used here; TypeScript 7 has none. */
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

/** Declarations that are asked for wherever they stand. */
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
/** Asked for outside functions, and in named types only. */
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

/** What the TypeScript compiler of a folder with `node_modules/typescript` finds. */
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

/** What a parsed file declares. */
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
  /** In a function at any depth: also what a class in it has. */
  readonly isLocal: boolean;
  /** The names around, with dots. */
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

/** A name, computed ones as written; a pattern's names come with its elements. */
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

/** `const a = require("a")` brings in what is defined elsewhere. */
function isImport({ initializer, parent }: SyntaxNode): boolean {
  const value = initializer ?? parent.parent.initializer;
  return value !== undefined && /^(?:await\s+)?(?:require|import)\s*\(/u.test(value.getText());
}

/** The variable of a loop or of a catch clause lives for a moment. */
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
