import type { SymbolKind } from "../../model/symbol.ts";
import { kindsBefore } from "./kinds.ts";
import { readLongQuery } from "./long-query.ts";
import type { Qualifier } from "./qualified.ts";
import { singleIdentifierIn } from "./single-identifier.ts";
import { stemOf } from "../text/stems.ts";
import { longGroups, shortGroups, type TermGroup } from "./term-groups.ts";
import { foldName, partsOfIdentifier, scanWords } from "../text/terms.ts";
import { STOP_WORDS } from "../text/words.ts";

/** The type of a query. It determines the weights that are used for ranking. */
export type QueryRoute = "symbol" | "path" | "phrase" | "text" | "long";

export interface ParsedQuery {
  readonly text: string;
  readonly route: QueryRoute;
  readonly groups: readonly TermGroup[];
  /** The words of the query in order, without stop words, folded (in lower case, without separators). */
  readonly words: readonly string[];
  /** All words of the query in order, folded (in lower case, without separators). */
  readonly allWords: readonly string[];
  /**
   * Words that look like names (several parts, or a capital inside a sentence), folded to lower case without
   * separators, with their weights.
   */
  readonly names: ReadonlyMap<string, number>;
  readonly symbol?: RequestedName;
  /**
   * A name that is searched for as a symbol if such a definition, but no such file, exists: `function format`,
   * `Response.json`.
   */
  readonly guess?: RequestedName;
  /** File paths that the query contains. */
  readonly paths: readonly string[];
  /** The files of stack traces in an issue text (a long query, such as a bug report), innermost call first. */
  readonly frames: readonly string[];
  /** Texts in double quotes; a result must contain them literally. */
  readonly phrases: readonly string[];
  readonly roles: RequestedRoles;
}

/** The name that a query asks for, with its qualifiers and the symbol kinds that a word such as `class` asks for. */
export interface RequestedName extends Qualifier {
  readonly name: string;
  readonly kinds?: ReadonlySet<SymbolKind>;
}

/** Roles of files, such as tests, that the query mentions; files in these roles are then not ranked lower. */
export interface RequestedRoles {
  readonly test: boolean;
  readonly example: boolean;
  readonly legacy: boolean;
  readonly prose: boolean;
}

/**
 * Number of words from which a query is treated as an issue text (a bug report), which needs other weights than a
 * question.
 */
const MIN_LONG_WORDS = 24;

/** Parses a query: determines its type, its search terms, and the names and paths in it. */
export function parseQuery(query: string): ParsedQuery {
  const text = query.trim().slice(0, MAX_QUERY_LENGTH);
  const symbol = symbolOf(text);
  const phrases = [...text.matchAll(/"([^"\n]{3,200})"/g)].map((match) => match[1] ?? "");
  const paths = pathsOf(text);
  const written = wordsOf(text);
  const kept = symbol === undefined ? written.filter((word) => !STOP_WORDS.has(word.toLowerCase())) : written;
  // If the query consists only of stop words, those are searched for.
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
    // A long text mentions words such as "test", "example" and "documentation" without asking for files of these roles.
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
  // A name such as `org.a.java.B` contains what looks like a file name, but is not a path.
  const isPath = found.symbol === undefined || found.paths.some((path) => text.endsWith(path));
  if (found.paths.length === 1 && !/\s/.test(text) && isPath) return "path";
  if (found.symbol !== undefined) return "symbol";
  if (found.phrases.length > 0 && found.count < MIN_LONG_WORDS) return "phrase";
  return found.count >= MIN_LONG_WORDS ? "long" : "text";
}

const EXTENSIONS =
  "[cm]?[jt]sx?|py|pyi|rs|go|java|kts?|c|h|cc|cpp|hpp|cxx|cs|rb|php|swift|scala|sh|lua|md|json|ya?ml|toml|html|css|sql|vue|svelte";
/** File extensions that count only before a colon and a name, because elsewhere they could be names of members. */
const RARE_EXTENSIONS =
  "hh|hxx|inl|ipp|tpp|cu|mm?|fsx?|vb|rake|gemspec|podspec|ru|bazel|bzl|phtml|sc|sbt|groovy|gradle|bash|zsh|fish|pl|pm|exs?|erl|hs|mli?|clj[sc]?|dart|zig|jl|r|pyx|cmake|mk|scss|less|proto|tf|graphql";

/** Matches a name with its qualifiers, optionally followed by type arguments or call arguments. */
const SYMBOL =
  /^[@#&*\\]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|\.|->|#|\/|\\)[\p{L}_$][\p{L}\p{N}_$]*)*[!?]?(?:<[^<>]*>)?(?:\([^()\n]*\))?$/u;

/**
 * Matches file names without an extension before a single colon; before two colons, as in `Makefile::Rule`, it may be a
 * symbol.
 */
const BARE_FILES =
  "(?:(?:GNU)?[Mm]ake|Rake|Gem|Docker|Pod|Fast|Vagrant|Jenkins|Brew|Guard|Cap|Proc|[Jj]ust|Berks|Thor)file(?=:[^:])";

/** Matches a file and a name in it, separated by `:`, `::` or `#`, such as `src/a.ts:name`. */
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

/** Matches the start of a definition, such as `class Foo`, `pub fn foo(a: A) -> B {` or `async def foo(self):`. */
const DEFINITION_START =
  /^(?:(?:export|default|declare|pub(?:\([\w ]+\))?|public|private|protected|internal|static|final|abstract|async|inline|unsafe|override|virtual|open|sealed|data|suspend|local)\s+)*([a-z]+)\s+([\p{L}_$][\p{L}\p{N}_$.:#]*[!?]?)(\s*[^\s\p{L}\p{N}].*)?$/u;
/** Keywords that always stand before a name in code; other words, such as `class`, may also start a question. */
const DEFINITION_KEYWORDS: ReadonlySet<string> = new Set(["def", "fn", "func", "fun", "mod", "typedef"]);

/**
 * Returns the name if a query is the start of a definition. A word such as `class` may also start a question (`class
 * loader`), so the next word must look like a name.
 */
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
 * Matches texts with slashes or with a known file extension. Matches start only at a word boundary, to avoid quadratic
 * time on long words.
 */
const PATH = new RegExp(
  String.raw`(?<![\w@.-])(?:[\w@.-]+/)+[\w@.-]+|(?<![\w-])[\w-]+\.(?:${EXTENSIONS})\b`,
  "g",
);
/** Matches the part of a code host's URL directly before the path in the repository. */
const IN_REPOSITORY = /\/(?:blob|blame|raw|tree|src)\/[^/]+\//;
/**
 * Upper bound on the paths of a query. From more, the first and the last are kept, because the innermost call of a
 * stack trace is at the start or the end, depending on the language.
 */
const MAX_PATHS = 20;

function pathsOf(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: match, index } of text.matchAll(PATH)) {
    // URLs do not count as paths unless they show a file of a repository, nor do fractions and alternatives (and/or).
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
