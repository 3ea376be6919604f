import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { ctagsTruth } from "../outlines/ctags.ts";
import { sourceFiles } from "../outlines/files.ts";
import { pythonTruth } from "../outlines/python-ast.ts";
import type { Truth, TruthByFile } from "../outlines/truth.ts";
import { compilerTruth } from "./compiler.ts";
import { indentedTruth } from "../outlines/indented.ts";

/** Groups of definitions that a query by name can ask for. */
export type Group = "type" | "function" | "method" | "const" | "macro" | "module" | "other";

/** A definition found by a reference program. */
export interface Definition {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly group: Group;
  readonly language: string;
  /** Names of the enclosing definitions, outermost first. */
  readonly owners: readonly string[];
  /** True for definitions in tests, examples, benchmarks and vendored code. */
  readonly isAside: boolean;
  /** True for definitions inside a function, which are not queried. */
  readonly isLocal: boolean;
}

/** Returns all definitions below a folder, found by programs independent of Pith. */
export function definitionsIn(folder: string): Definition[] {
  const found: Definition[] = [];
  for (const [language, files] of sourceFiles(folder, Number.POSITIVE_INFINITY))
    for (const [file, truths] of truthOf(language, files) ?? [])
      for (const truth of withoutLines(truths, file, language)) {
        const definition = read(truth, relative(folder, file).replaceAll("\\", "/"), language);
        if (definition !== undefined) found.push(definition);
      }
  return found;
}

/** Removes lines that are not definitions: `mod name;` in Rust, Objective-C headers, and heredoc texts in Ruby. */
function withoutLines(truths: readonly Truth[], file: string, language: string): readonly Truth[] {
  if (language !== "rust" && language !== "c" && language !== "ruby") return truths;
  const text = readFileSync(file, "utf8");
  if (language === "ruby") {
    const inText = heredocLines(text);
    return truths.filter(({ line }) => !inText.has(line));
  }
  if (language === "c") return /^@(?:interface|protocol|property|import)\b/mu.test(text) ? [] : truths;
  const lines = text.split("\n");
  return truths.filter(({ kind, line }) => kind !== "module" || !/;\s*$/u.test(lines[line - 1] ?? ""));
}

/** Returns the lines inside heredocs, which extend from `<<~WORD` to a line with that word. */
function heredocLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  const open: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const [end] = open;
    if (end === undefined)
      open.push(...Array.from(line.matchAll(/<<[-~]?(["'`]?)([A-Z_]+)\1/gu), ([, , word = ""]) => word));
    else if (line.trim() === end) open.shift();
    else found.add(index + 1);
  }
  return found;
}

function truthOf(language: string, files: readonly string[]): TruthByFile | undefined {
  if (language === "python") return pythonTruth(files);
  if (/^(?:typescript|tsx|javascript)$/u.test(language)) return compilerTruth(files);
  if (language === "swift" || language === "scala") return indentedTruth(files, language);
  return /^(?:sql|css|markdown)$/u.test(language) ? undefined : ctagsTruth(files, language);
}

const GROUPS: readonly (readonly [Group, RegExp])[] = [
  [
    "type",
    /^(?:class|struct|interface|enum|trait|typedef|type|union|protocol|object|record|actor|typealias|ClassDef|ClassDeclaration|InterfaceDeclaration|TypeAliasDeclaration|EnumDeclaration)$/u,
  ],
  [
    "method",
    /^(?:method|singletonMethod|MethodDeclaration|MethodSignature|GetAccessor|SetAccessor|getter|setter)$/u,
  ],
  [
    "function",
    /^(?:function|func|fn|def|subroutine|FunctionDef|AsyncFunctionDef|FunctionDeclaration|FunctionVariable)$/u,
  ],
  ["macro", /^macro$/u],
  ["module", /^(?:module|namespace|ModuleDeclaration)$/u],
  ["const", /^(?:constant|const|define|static|variable|VariableDeclaration|val|let)$/u],
];

function read(truth: Truth, path: string, language: string): Definition | undefined {
  const { name, line, kind, isOptional, scope, isLocal = false } = truth;
  const bare = name.replaceAll(/^\$|^.*[.:](?=\w)/gu, "");
  if (isOptional === true || !/^[\p{L}_]\w*[!?]?$/u.test(bare)) return undefined;
  const owners = [
    ...(scope ?? "").replaceAll(/<[^<>]*>/gu, "").split(/::|[.\\/]/u),
    ...name.slice(0, name.length - bare.length).split(/[.:]/u),
  ].filter((owner) => /^\w+$/u.test(owner) && !owner.startsWith("__anon"));
  // In C# and PHP a namespace is repeated in every file, like a package in Java.
  if (kind === "namespace" && (language === "csharp" || language === "php")) return undefined;
  const group = GROUPS.find(([, kinds]) => kinds.test(kind))?.[0] ?? "other";
  const inType = owners.length > 0 && language !== "go" && !(group === "const" && language === "c");
  return {
    name: bare,
    path,
    line,
    group: group === "function" && inType ? "method" : group,
    language,
    owners,
    isAside: ASIDE.test(path),
    isLocal,
  };
}

const ASIDE =
  /(?:^|\/)(?:[Tt]ests?|specs?|__tests__|[^/]*[-_.]tests?|testing|testdata|test-?fixtures?|fixtures?|mocks?|bench(?:es|marks?)?|examples?|samples?|demos?|docs?|documentation[^/]*|site|website|deps|vendor|third_?party|node_modules|dist|[a-z]\w*Tests?)\/|[._-](?:tests?|specs?)\.\w+$|Tests?\.\w+$|Spec\.\w+$|(?:^|\/)(?:test|tests|test_[^/]*|conftest)\.\w+$|\.d\.[cm]?ts$|\.min\./u;
