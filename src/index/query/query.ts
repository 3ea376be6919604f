import type { SymbolKind } from "../../model/symbol.ts";
import { kindsBefore } from "./kinds.ts";
import { readLongQuery } from "./long-query.ts";
import type { Qualifier } from "./qualified.ts";
import { singleIdentifierIn } from "./single-identifier.ts";
import { stemOf } from "../text/stems.ts";
import { longGroups, shortGroups, type TermGroup } from "./term-groups.ts";
import { foldName, partsOfIdentifier, scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/** The type of a query; each route has its own ranking weights. */
export type QueryRoute = "symbol" | "path" | "phrase" | "text" | "long";

export interface ParsedQuery {
  readonly text: string;
  readonly route: QueryRoute;
  readonly groups: readonly TermGroup[];
  /** The words in order, folded (lower case, without separators), without stop words. */
  readonly words: readonly string[];
  /** All words in order, folded. */
  readonly allWords: readonly string[];
  /** Words that look like names (several parts, or a capital inside a sentence), folded, with their weights. */
  readonly names: ReadonlyMap<string, number>;
  readonly symbol?: RequestedName;
  /** A name that is used as the symbol if it is defined and no such file exists: `function format`, `Response.json`. */
  readonly guess?: RequestedName;
  /** Paths in the query's text. */
  readonly paths: readonly string[];
  /** The files of stack traces in an issue text, innermost first. */
  readonly frames: readonly string[];
  /** Texts in double quotes, which must occur literally. */
  readonly phrases: readonly string[];
  readonly roles: RequestedRoles;
}

/** The name in a symbol query, with its qualifiers and the kinds that a word such as `class` asks for. */
export interface RequestedName extends Qualifier {
  readonly name: string;
  readonly kinds?: ReadonlySet<SymbolKind>;
}

/** Roles and kinds of files that the query mentions, so that they are not ranked lower. */
export interface RequestedRoles {
  readonly test: boolean;
  readonly example: boolean;
  readonly legacy: boolean;
  readonly prose: boolean;
}

/** Queries of this many words or more are treated as issue texts, which need other weights than short questions. */
const MIN_LONG_WORDS = 24;

/** Parses a query: determines its route, its terms and the names and paths in it. */
export function parseQuery(query: string): ParsedQuery {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH);
  const symbol = symbolOf(text);
  const phrases = [...text.matchAll(/"([^"\n]{3,200})"/g)].map((match) => match[1] ?? "");
  const paths = pathsOf(text);
  const written = wordsOf(text);
  const kept = symbol === undefined ? written.filter((word) => !STOP_WORDS.has(word.toLowerCase())) : written;
  // A query of only stop words searches for those.
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
    // A long text mentions "test", "example" and "documentation" without asking for them.
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
  // `org.a.java.B` contains a file name but is not a path.
  const isPath = found.symbol === undefined || found.paths.some((path) => text.endsWith(path));
  if (found.paths.length === 1 && !/\s/.test(text) && isPath) return "path";
  if (found.symbol !== undefined) return "symbol";
  if (found.phrases.length > 0 && found.count < MIN_LONG_WORDS) return "phrase";
  return found.count >= MIN_LONG_WORDS ? "long" : "text";
}

const EXTENSIONS =
  "[cm]?[jt]sx?|py|pyi|rs|go|java|kts?|c|h|cc|cpp|hpp|cxx|cs|rb|php|swift|scala|sh|lua|md|json|ya?ml|toml|html|css|sql|vue|svelte";
/** Extensions that count only before a colon and a name; without those they could be member names. */
const RARE_EXTENSIONS =
  "hh|hxx|inl|ipp|tpp|cu|mm?|fsx?|vb|rake|gemspec|podspec|ru|bazel|bzl|phtml|sc|sbt|groovy|gradle|bash|zsh|fish|pl|pm|exs?|erl|hs|mli?|clj[sc]?|dart|zig|jl|r|pyx|cmake|mk|scss|less|proto|tf|graphql";

/** A name with its qualifiers, optionally followed by type arguments or call arguments. */
const SYMBOL =
  /^[@#&*\\]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|\.|->|#|\/|\\)[\p{L}_$][\p{L}\p{N}_$]*)*[!?]?(?:<[^<>]*>)?(?:\([^()\n]*\))?$/u;

/** File names without an extension, before a single colon; `Makefile::Rule` may be a symbol. */
const BARE_FILES =
  "(?:(?:GNU)?[Mm]ake|Rake|Gem|Docker|Pod|Fast|Vagrant|Jenkins|Brew|Guard|Cap|Proc|[Jj]ust|Berks|Thor)file(?=:[^:])";

/** A file and a name in it, separated by `:`, `::` or `#`, such as `src/a.ts:name`. */
const IN_FILE = new RegExp(
  String.raw`^(?:\./)?((?:[\w@.+ -]+/)+[\w@.+-]+|[\w@+-][\w@.+-]*\.(?:${EXTENSIONS}|${RARE_EXTENSIONS})|${BARE_FILES})(?:::?|#)([\p{L}_$].*)$`,
  "u",
);

/** Parses a query that is a name with qualifiers or the start of a definition. */
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

/** The start of a definition, such as `class Foo`, `pub fn foo(a: A) -> B {` or `async def foo(self):`. */
const DEFINITION_START =
  /^(?:(?:export|default|declare|pub(?:\([\w ]+\))?|public|private|protected|internal|static|final|abstract|async|inline|unsafe|override|virtual|open|sealed|data|suspend|local)\s+)*([a-z]+)\s+([\p{L}_$][\p{L}\p{N}_$.:#]*[!?]?)(\s*[^\s\p{L}\p{N}].*)?$/u;
/** Keywords that only occur before a name in code. */
const DEFINITION_KEYWORDS: ReadonlySet<string> = new Set(["def", "fn", "func", "fun", "mod", "typedef"]);

/** A word such as `class` may also start a question (`class loader`), so the next word must look like a name. */
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

/**
 * Texts with slashes or with a known file extension. Matches start only at a word boundary, to avoid quadratic time on
 * long words.
 */
const PATH = new RegExp(
  String.raw`(?<![\w@.-])(?:[\w@.-]+/)+[\w@.-]+|(?<![\w-])[\w-]+\.(?:${EXTENSIONS})\b`,
  "g",
);
/** The part of a code host's URL before the path in the repository. */
const IN_REPOSITORY = /\/(?:blob|blame|raw|tree|src)\/[^/]+\//;
/**
 * Upper bound on paths; from more, both ends are kept, because which end of a stack trace is innermost depends on the
 * language.
 */
const MAX_PATHS = 20;

function pathsOf(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: match, index } of text.matchAll(PATH)) {
    // URLs do not count unless they show a file of a repository, nor do fractions and alternatives (and/or).
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
