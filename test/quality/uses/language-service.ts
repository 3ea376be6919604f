import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import type * as Compiler from "./typescript-api.ts";
import { sample, type TrueUses, type Truth } from "./truth.ts";

/** Definitions of each sort that are asked about per repository. */
const SYMBOLS_PER_SORT = 150;

/** Returns what TypeScript's language service finds in a repository. `files` are its sources, relative to the root. */
export function languageServiceTruth(
  root: string,
  files: readonly string[],
  packages: readonly string[],
  compilerFolder: string,
): Truth {
  const ts: Compiler.TypeScript = createRequire(join(compilerFolder, "package.json"))("typescript");
  linkPackages(root, packages);
  const service = createService(ts, root, files);
  const program = service.getProgram();
  const declared = files.flatMap((path) => {
    const source = program.getSourceFile(join(root, path));
    return source === undefined ? [] : declarationsIn(ts, source, path);
  });
  const asked = [false, true].flatMap((isMember) =>
    sample(
      declared.filter((one) => one.isMember === isMember),
      SYMBOLS_PER_SORT,
      ({ path, line, name }) => `${path}:${line}:${name}`,
    ),
  );
  const known = new Set(files);
  const ignored = new Set<string>();
  const symbols = asked.map(({ at, ...symbol }): TrueUses => {
    const uses = new Set<string>();
    for (const { references } of service.findReferences(join(root, symbol.path), at) ?? [])
      for (const { fileName, textSpan } of references) {
        const path = relative(root, fileName);
        const source = program.getSourceFile(fileName);
        if (source === undefined || !known.has(path)) continue;
        const place = `${path}:${source.getLineAndCharacterOfPosition(textSpan.start).line + 1}`;
        const sort = sortOf(ts, source, textSpan.start);
        if (sort === "use") uses.add(place);
        else ignored.add(`${place} ${symbol.name}`);
      }
    return { ...symbol, uses: [...uses] };
  });
  service.dispose();
  return { symbols, files, ignored: [...ignored] };
}

/** Links the packages of a workspace into `node_modules`, as an installation does. */
function linkPackages(root: string, packages: readonly string[]): void {
  for (const manifest of packages) {
    const folder = dirname(join(root, manifest));
    const { name } = JSON.parse(readFileSync(join(root, manifest), "utf8")) as { readonly name?: string };
    if (name === undefined || folder === root) continue;
    const link = join(root, "node_modules", name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folder, link);
  }
}

function createService(ts: Compiler.TypeScript, root: string, files: readonly string[]): Compiler.Service {
  const config = ["tsconfig.json", "jsconfig.json"].map((name) => join(root, name)).find(existsSync);
  const parsed =
    config === undefined
      ? undefined
      : ts.parseJsonConfigFileContent(
          ts.readConfigFile(config, (path) => ts.sys.readFile(path)).config ?? {},
          ts.sys,
          root,
        );
  const options = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    ...parsed?.options,
    allowJs: true,
    checkJs: false,
    allowImportingTsExtensions: true,
    noEmit: true,
    composite: false,
    types: [],
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts"],
  };
  const names = files.map((path) => join(root, path));
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getScriptFileNames: () => names,
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: () => ts.getDefaultLibFilePath(options),
  });
}

interface Declared extends Omit<TrueUses, "uses"> {
  /** Where the name begins in the text. */
  readonly at: number;
}

const TOP = new Set([
  "FunctionDeclaration",
  "ClassDeclaration",
  "InterfaceDeclaration",
  "TypeAliasDeclaration",
  "EnumDeclaration",
]);
const MEMBERS = new Set([
  "MethodDeclaration",
  "PropertyDeclaration",
  "MethodSignature",
  "PropertySignature",
  "GetAccessor",
  "SetAccessor",
  "EnumMember",
]);

/** Lists the definitions at the top of a file and the members of its types. */
function declarationsIn(ts: Compiler.TypeScript, source: Compiler.SourceFile, path: string): Declared[] {
  const found: Declared[] = [];
  const add = (node: Compiler.Node, owner: string): void => {
    const { name } = node;
    if (name === undefined || ts.SyntaxKind[name.kind] !== "Identifier") return;
    const at = name.getStart(source);
    const line = source.getLineAndCharacterOfPosition(at).line + 1;
    const text = name.getText(source);
    found.push({ path, line, at, isMember: owner !== "", name: owner === "" ? text : `${owner}.${text}` });
  };
  source.forEachChild((node) => {
    const kind = ts.SyntaxKind[node.kind] ?? "";
    if (TOP.has(kind)) {
      add(node, "");
      const owner = node.name?.getText(source) ?? "";
      if (owner !== "" && kind !== "FunctionDeclaration")
        node.forEachChild((child) => {
          if (MEMBERS.has(ts.SyntaxKind[child.kind] ?? "")) add(child, owner);
        });
    }
    // `const a = require("a")` is an import.
    for (const variable of node.declarationList?.declarations ?? [])
      if (!isRequire(variable.initializer?.getText(source))) add(variable, "");
  });
  return found;
}

function isRequire(text: string | undefined): boolean {
  return text !== undefined && /^\(?(?:await\s+)?(?:require|import)\s*\(/u.test(text);
}

/** Tells a use from an import, from the name of a declaration and from a comment. */
function sortOf(ts: Compiler.TypeScript, source: Compiler.SourceFile, at: number): "use" | "other" {
  const node = innermost(source, at);
  // The node around a name in a comment begins elsewhere.
  if (node.getStart(source) !== at) return "other";
  for (let around: Compiler.Node | undefined = node; around !== undefined; around = around.parent) {
    const kind = ts.SyntaxKind[around.kind] ?? "";
    if (/^(?:Import|JSDoc)/u.test(kind) && kind !== "ImportType") return "other";
    if (kind === "BindingElement" || kind === "VariableDeclaration") {
      const value = around.initializer ?? around.parent?.parent?.initializer;
      if (isRequire(value?.getText(source)) && at < (value?.getStart(source) ?? 0)) return "other";
    }
    if (/Statement$|Block$/u.test(kind)) break;
  }
  const { parent } = node;
  const isDeclared = parent?.name === node && DECLARING.test(ts.SyntaxKind[parent.kind] ?? "");
  return isDeclared ? "other" : "use";
}

/** Declarations whose name is not a use. A shorthand property and the name of a JSX attribute are uses. */
const DECLARING = /Declaration$|Signature$|^(?:GetAccessor|SetAccessor|EnumMember|Parameter)$/u;

function innermost(node: Compiler.Node, at: number): Compiler.Node {
  let found: Compiler.Node | undefined;
  node.forEachChild((child) => {
    if (found === undefined && child.getStart() <= at && at < child.getEnd()) found = child;
  });
  return found === undefined ? node : innermost(found, at);
}
