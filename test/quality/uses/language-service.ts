import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { addToGroup } from "../../../src/kernel/group-by.ts";
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
  // The service does not follow every chain of re-exports, so that the checker is asked about each name, too.
  const resolved = resolvedNames(ts, program, files, root);
  const symbols = asked.map(({ at, ...symbol }): TrueUses => {
    const uses = new Set<string>();
    const exported = new Set<string>();
    const found = (service.findReferences(join(root, symbol.path), at) ?? []).flatMap(({ references }) =>
      references.map(({ fileName, textSpan }) => ({ path: relative(root, fileName), start: textSpan.start })),
    );
    const places = [...found, ...(resolved.get(`${symbol.path}:${at}`) ?? [])];
    for (const { path, start } of places) {
      const source = program.getSourceFile(join(root, path));
      if (source === undefined || !known.has(path)) continue;
      const exportedAt = commonExport(ts, innermost(source, start));
      if (exportedAt !== undefined && !exported.has(`${path}:${exportedAt}`)) {
        exported.add(`${path}:${exportedAt}`);
        // The loop also reads what is added here.
        places.push(...(resolved.get(`${path}:${exportedAt}`) ?? []));
      }
      const place = `${path}:${source.getLineAndCharacterOfPosition(start).line + 1}`;
      if (sortOf(ts, source, start) === "use") uses.add(place);
      else ignored.add(`${place} ${symbol.name}`);
    }
    return { ...symbol, uses: [...uses] };
  });
  service.dispose();
  return { symbols, files, ignored: [...ignored] };
}

/**
 * Returns where the name begins under which CommonJS exports a value: `module.exports = { a, b: value }`,
 * `exports.c = value`. The language service takes it for another symbol than the value.
 */
function commonExport(ts: Compiler.TypeScript, node: Compiler.Node): number | undefined {
  const { parent } = node;
  const kind = ts.SyntaxKind[parent?.kind ?? 0] ?? "";
  if (
    kind === "ShorthandPropertyAssignment" ||
    (kind === "PropertyAssignment" && parent?.initializer === node)
  )
    return /^module\.exports\s*=/u.test(parent?.parent?.parent?.getText() ?? "")
      ? parent?.name?.getStart()
      : undefined;
  if (kind !== "BinaryExpression" || parent?.left === undefined || parent.left === node) return undefined;
  const isExport = /^(?:module\.)?exports(?:\.\w+)?$/u.test(parent.left.getText());
  return isExport ? (parent.left.name ?? parent).getStart() : undefined;
}

interface NamePlace {
  readonly path: string;
  readonly start: number;
}

/** Returns the places of all names by the place of the declaration that the checker resolves them to. */
function resolvedNames(
  ts: Compiler.TypeScript,
  program: Compiler.Program,
  files: readonly string[],
  root: string,
): ReadonlyMap<string, readonly NamePlace[]> {
  const checker = program.getTypeChecker();
  const found = new Map<string, NamePlace[]>();
  const add = (symbol: Compiler.Symbol | undefined, place: NamePlace): void => {
    const target =
      symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
        ? checker.getAliasedSymbol(symbol)
        : symbol;
    for (const declaration of target?.declarations ?? []) {
      const from = relative(root, declaration.getSourceFile().fileName);
      addToGroup(found, `${from}:${(declaration.name ?? declaration).getStart()}`, place);
    }
  };
  for (const path of files) {
    const visit = (node: Compiler.Node): void => {
      if (ts.SyntaxKind[node.kind] === "Identifier") {
        const place = { path, start: node.getStart() };
        add(checker.getSymbolAtLocation(node), place);
        // In `{ a }` the name is both a member and a value.
        add(checker.getShorthandAssignmentValueSymbol(node.parent), place);
      }
      node.forEachChild(visit);
    };
    program.getSourceFile(join(root, path))?.forEachChild(visit);
  }
  return found;
}

/**
 * Links the packages of a workspace into `node_modules`, as an installation does, and the package of the root, which its
 * examples and tests of the package install by its path.
 */
function linkPackages(root: string, packages: readonly string[]): void {
  for (const manifest of packages) {
    const folder = dirname(join(root, manifest));
    const { name } = JSON.parse(readFileSync(join(root, manifest), "utf8")) as { readonly name?: string };
    if (name === undefined) continue;
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
  // A file that declares a module hides the module itself, unless the project leaves the file out.
  const own = new Set(parsed?.fileNames);
  const isOwn = (name: string): boolean => own.size === 0 || !name.endsWith(".d.ts") || own.has(name);
  const names = files.map((path) => join(root, path)).filter(isOwn);
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
