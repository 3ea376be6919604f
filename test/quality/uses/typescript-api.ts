/** The part of the TypeScript 5 API that is used here; TypeScript 7 has no language service in JavaScript. */
export interface TypeScript {
  readonly SyntaxKind: Readonly<Record<number, string>>;
  readonly SymbolFlags: { readonly Alias: number };
  readonly ModuleKind: { readonly ESNext: number };
  readonly ModuleResolutionKind: { readonly Bundler: number };
  readonly ScriptTarget: { readonly ESNext: number };
  readonly ScriptSnapshot: { fromString(text: string): object };
  readonly sys: { readFile(path: string): string | undefined };
  readConfigFile(path: string, read: (path: string) => string | undefined): { readonly config?: object };
  parseJsonConfigFileContent(
    config: object,
    host: object,
    root: string,
  ): { readonly options: object; readonly fileNames: readonly string[] };
  getDefaultLibFilePath(options: object): string;
  createLanguageService(host: Host): Service;
}

interface Host {
  useCaseSensitiveFileNames(): boolean;
  getScriptFileNames(): readonly string[];
  getScriptVersion(name: string): string;
  getScriptSnapshot(name: string): object | undefined;
  getCurrentDirectory(): string;
  getCompilationSettings(): object;
  getDefaultLibFileName(): string;
}

export interface Service {
  getProgram(): Program;
  findReferences(path: string, at: number): readonly Referenced[] | undefined;
  dispose(): void;
}

export interface Program {
  getSourceFile(path: string): SourceFile | undefined;
  getTypeChecker(): {
    getSymbolAtLocation(node: Node): Symbol | undefined;
    getShorthandAssignmentValueSymbol(node: Node | undefined): Symbol | undefined;
    getAliasedSymbol(symbol: Symbol): Symbol;
  };
}

export interface Symbol {
  readonly flags: number;
  readonly declarations?: readonly (Node & { getSourceFile(): SourceFile })[];
}

interface Referenced {
  readonly references: readonly {
    readonly fileName: string;
    readonly textSpan: { readonly start: number };
  }[];
}

export interface Node {
  readonly kind: number;
  readonly parent?: Node;
  readonly name?: Node;
  readonly text?: string;
  readonly initializer?: Node;
  readonly left?: Node;
  readonly declarationList?: { readonly declarations: readonly Node[] };
  forEachChild(visit: (child: Node) => void): void;
  getStart(source?: SourceFile): number;
  getEnd(): number;
  getText(source?: SourceFile): string;
}

export interface SourceFile extends Node {
  readonly fileName: string;
  getLineAndCharacterOfPosition(at: number): { readonly line: number };
}
