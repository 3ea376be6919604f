import type { SymbolKind } from "../../model/symbol.ts";
import { kindsBefore } from "./kinds.ts";
import { readLongQuery } from "./long-query.ts";
import type { Qualifier } from "./qualified.ts";
import { singleIdentifierIn } from "./single-identifier.ts";
import { stemOf } from "../text/stems.ts";
import { longGroups, shortGroups, type TermGroup } from "./term-groups.ts";
import { foldName, partsOfIdentifier, scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/** How a query wants to be answered: each route has its own weights. */
export type QueryRoute = "symbol" | "path" | "phrase" | "text" | "long";

export interface ParsedQuery {
  readonly text: string;
  readonly route: QueryRoute;
  readonly groups: readonly TermGroup[];
  /** The words in order, folded, without stop words. */
  readonly words: readonly string[];
  /** All words in order, folded. */
  readonly allWords: readonly string[];
  /** The words that look like names (several parts, or a capital inside a sentence), folded, with how much each counts. */
  readonly names: ReadonlyMap<string, number>;
  readonly symbol?: RequestedName;
  /** A definition if there is one: `function format`, "where is Format defined"; or no such file: `Response.json`. */
  readonly guess?: RequestedName;
  /** Paths that the query spells out. */
  readonly paths: readonly string[];
  /** Of an issue text: the files of its stack traces, innermost first. */
  readonly frames: readonly string[];
  /** Texts in double quotes that must be there word by word. */
  readonly phrases: readonly string[];
  readonly roles: RequestedRoles;
}

/** A symbol query: the name itself, what stands before it, and the kinds that a word such as `class` asks for. */
export interface RequestedName extends Qualifier {
  readonly name: string;
  readonly kinds?: ReadonlySet<SymbolKind>;
}

/** What the query names itself, so that it is not ranked down. */
export interface RequestedRoles {
  readonly test: boolean;
  readonly example: boolean;
  readonly legacy: boolean;
  readonly prose: boolean;
}

/** Longer queries are issue texts: what helps a short question hurts them. */
const MIN_LONG_WORDS = 24;

/** Reads a query: what kind it is and which words it asks for. */
export function parseQuery(query: string): ParsedQuery {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH);
  const symbol = symbolOf(text);
  const phrases = [...text.matchAll(/"([^"\n]{3,200})"/g)].map((match) => match[1] ?? "");
  const paths = pathsOf(text);
  const written = wordsOf(text);
  const kept = symbol === undefined ? written.filter((word) => !STOP_WORDS.has(word.toLowerCase())) : written;
  // A query of nothing but stop words still asks for them.
  const words = kept.length === 0 ? written : kept;
  const route = routeOf(text, { symbol, phrases, paths, count: written.length });
  const long = route === "long" ? readLongQuery(text) : undefined;
  return {
    text,
    route,
    groups: long === undefined ? shortGroups(words, route === "text" ? written : []) : longGroups(long),
    words: words.map(foldName),
    allWords: written.map(foldName),
    names: long?.names ?? namesOf(words, text),
    ...(symbol !== undefined && route === "symbol" && { symbol }),
    ...(route === "text" && guessOf(text)),
    ...(route === "path" && symbol !== undefined && { guess: symbol }),
    paths,
    frames: long?.frames ?? [],
    phrases,
    // A long text says "test", "example" and "documentation" by the way.
    roles: long === undefined ? requestedRoles(words) : NO_ROLES,
  };
}

const MAX_QUERY_LENGTH = 20_000;

function routeOf(
  text: string,
  found: {
    symbol: RequestedName | undefined;
    phrases: readonly string[];
    paths: readonly string[];
    count: number;
  },
): QueryRoute {
  if (found.symbol?.path !== undefined) return "symbol";
  // `org.a.java.B` has a file's name inside, and is none.
  const isPath = found.symbol === undefined || found.paths.some((path) => text.endsWith(path));
  if (found.paths.length === 1 && !/\s/.test(text) && isPath) return "path";
  if (found.symbol !== undefined) return "symbol";
  if (found.phrases.length > 0 && found.count < MIN_LONG_WORDS) return "phrase";
  return found.count >= MIN_LONG_WORDS ? "long" : "text";
}

const EXTENSIONS =
  "[cm]?[jt]sx?|py|pyi|rs|go|java|kts?|c|h|cc|cpp|hpp|cxx|cs|rb|php|swift|scala|sh|lua|md|json|ya?ml|toml|html|css|sql|vue|svelte";
/** Before a colon and a name these are files too; by themselves they could be members. */
const RARE_EXTENSIONS =
  "hh|hxx|inl|ipp|tpp|cu|mm?|fsx?|vb|rake|gemspec|podspec|ru|bazel|bzl|phtml|sc|sbt|groovy|gradle|bash|zsh|fish|pl|pm|exs?|erl|hs|mli?|clj[sc]?|dart|zig|jl|r|pyx|cmake|mk|scss|less|proto|tf|graphql";

/** A name with its qualifiers; after it may come the arguments of a type or of a call. */
const SYMBOL =
  /^[@#&*\\]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|\.|->|#|\/|\\)[\p{L}_$][\p{L}\p{N}_$]*)*[!?]?(?:<[^<>]*>)?(?:\([^()\n]*\))?$/u;

/** Files without an extension; `Makefile::Rule` may be a name all the same. */
const BARE_FILES =
  "(?:(?:GNU)?[Mm]ake|Rake|Gem|Docker|Pod|Fast|Vagrant|Jenkins|Brew|Guard|Cap|Proc|[Jj]ust|Berks|Thor)file(?=:[^:])";

/** `src/a.ts:name`, and with `::` or `#` between them. */
const IN_FILE = new RegExp(
  String.raw`^(?:\./)?((?:[\w@.+ -]+/)+[\w@.+-]+|[\w@+-][\w@.+-]*\.(?:${EXTENSIONS}|${RARE_EXTENSIONS})|${BARE_FILES})(?:::?|#)([\p{L}_$].*)$`,
  "u",
);

/** A query that reads as a name, with its qualifiers apart, or as the beginning of a definition. */
function symbolOf(text: string): RequestedName | undefined {
  if (text.length > 200) return undefined;
  const bare = text.replace(/[.,;:]+$/, "").replaceAll(/^[`']+|[`']+$/g, "");
  const [, path, inside] = IN_FILE.exec(bare) ?? [];
  const found = path === undefined || inside === undefined ? undefined : nameOf(inside);
  return found === undefined || path === undefined
    ? (nameOf(bare) ?? definitionStartOf(bare))
    : { ...found, path };
}

function nameOf(text: string): RequestedName | undefined {
  if (!SYMBOL.test(text)) return undefined;
  const segments = text.replace(/^[@#&*\\]|(?:<[^<>]*>)?(?:\([^()]*\))?$/g, "").split(/::|\.|->|#|\/|\\/);
  const name = segments.pop() ?? "";
  return { name, qualifiers: segments };
}

/** `class Foo`, `pub fn foo(a: A) -> B {`, `async def foo(self):` */
const DEFINITION_START =
  /^(?:(?:export|default|declare|pub(?:\([\w ]+\))?|public|private|protected|internal|static|final|abstract|async|inline|unsafe|override|virtual|open|sealed|data|suspend|local)\s+)*([a-z]+)\s+([\p{L}_$][\p{L}\p{N}_$.:#]*[!?]?)(\s*[^\s\p{L}\p{N}].*)?$/u;
/** Words that nobody writes before a name but in code. */
const DEFINITION_KEYWORDS: ReadonlySet<string> = new Set(["def", "fn", "func", "fun", "mod", "typedef"]);

/** A word such as `class` may also begin a question (`class loader`): then what follows must look like a name. */
function definitionStartOf(text: string): RequestedName | undefined {
  const [, word = "", spelled = "", rest = ""] = DEFINITION_START.exec(text) ?? [];
  if (!DEFINITION_KEYWORDS.has(word) && rest === "" && !/[\p{Lu}\d_$.:#]/u.test(spelled)) return undefined;
  return nameAfter(word, spelled);
}

function guessOf(text: string): Pick<ParsedQuery, "guess"> {
  const [, word = "", spelled = "", rest] = DEFINITION_START.exec(text) ?? [];
  const headed = rest === undefined ? nameAfter(word, spelled) : undefined;
  const guess = headed ?? nameOf(singleIdentifierIn(text) ?? "");
  return guess === undefined ? {} : { guess };
}

function nameAfter(word: string, spelled: string): RequestedName | undefined {
  const kinds = word === "new" ? kindsBefore("class") : kindsBefore(word);
  const found = kinds.length === 0 ? undefined : nameOf(spelled.replace(/[.:#]+$/, ""));
  return found === undefined ? undefined : { ...found, kinds: new Set(kinds) };
}

/** Things with a slash and a file name, or with a file's extension. No match begins inside a word: a long one would take its square. */
const PATH = new RegExp(
  String.raw`(?<![\w@.-])(?:[\w@.-]+/)+[\w@.-]+|(?<![\w-])[\w-]+\.(?:${EXTENSIONS})\b`,
  "g",
);
/** How code hosts address a file. */
const IN_REPOSITORY = /\/(?:blob|blame|raw|tree|src)\/[^/]+\//;
/** Of a deep stack trace both ends: which one is the inner one depends on the language. */
const MAX_PATHS = 20;

function pathsOf(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: match, index } of text.matchAll(PATH)) {
    // URLs are no paths unless they show a file of a repository, and a fraction or an alternative (and/or) is not one either.
    const before = text.slice(Math.max(0, index - 3), index);
    if ((before.endsWith("://") || before.endsWith(":/")) && !IN_REPOSITORY.test(match)) continue;
    if (/\.\w+$/.test(match) || /^(?:\.{1,2}\/|src\/|lib\/)/.test(match))
      found.add(match.replace(/^\.\//, ""));
  }
  const all = [...found];
  return all.length <= MAX_PATHS ? all : [...all.slice(0, MAX_PATHS / 2), ...all.slice(-MAX_PATHS / 2)];
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  scanWords(text, 0, text.length, (word) => words.push(word));
  return words;
}

function namesOf(words: readonly string[], text: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const word of words) {
    const several = partsOfIdentifier(word).length > 1;
    const first = text.startsWith(word);
    if (several || (/^[A-Z]/.test(word) && !first && word.length > 2)) names.set(foldName(word), 1);
  }
  return names;
}

const NO_ROLES: RequestedRoles = { test: false, example: false, legacy: false, prose: false };

function requestedRoles(words: readonly string[]): RequestedRoles {
  const stems = new Set(words.flatMap((word) => partsOfIdentifier(word).map(stemOf)));
  const has = (...wanted: string[]) => wanted.some((word) => stems.has(stemOf(word)));
  return {
    test: has("test", "spec", "mock", "fixture"),
    example: has(
      "example",
      "sample",
      "demo",
      "benchmark",
      "bench",
      "script",
      "tool",
      "doc",
      "documentation",
      "tutorial",
    ),
    legacy: has("legacy", "compat", "compatibility", "deprecated", "old", "obsolete") || words.includes("v1"),
    prose: has("readme", "changelog", "documentation", "docs", "guide", "license", "tutorial", "example"),
  };
}
