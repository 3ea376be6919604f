/** The syntax of a language, as far as it is needed to find the names that code uses, without a parser. */
export interface CodeSyntax {
  /** Name shared by languages that can use each other's definitions, such as JavaScript and TypeScript. */
  readonly family: string;
  /** Matches a comment, a string or an identifier; the identifier is the first capture group. */
  readonly tokens: RegExp;
  /** True if a file must import the names of other files before it can use them. */
  readonly needsImport: boolean;
  /** True if files in the same folder can use each other's names without an import. */
  readonly sharesFolder: boolean;
  /** True if a method can call another one of its class without a qualifier. */
  readonly hasImplicitThis: boolean;
}

const SLASH_COMMENTS = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`;
const HASH_COMMENTS = String.raw`#[^\n]*`;
const DASH_COMMENTS = String.raw`--[^\n]*`;
const DOUBLE = String.raw`"(?:\\[^]|[^"\\\n])*"?`;
const SINGLE = String.raw`'(?:\\[^]|[^'\\\n])*'?`;
const BACKTICK = "`(?:\\\\[^]|[^`\\\\])*`?";
/**
 * Matches a literal of a single character only, because in some languages a lifetime or type variable also starts with
 * a single quote.
 */
const CHARACTER = String.raw`'(?:\\[^'\n]{1,8}|[^'\\\n])'`;
const TRIPLE = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)`;
const IDENTIFIER = String.raw`([\p{L}_$][\p{L}\p{N}_$]*)`;

function tokens(...skipped: readonly string[]): RegExp {
  return new RegExp([...skipped, IDENTIFIER].join("|"), "gu");
}

const TOKENS = {
  script: tokens(SLASH_COMMENTS, DOUBLE, SINGLE, BACKTICK),
  compiled: tokens(SLASH_COMMENTS, TRIPLE, DOUBLE, CHARACTER),
  go: tokens(SLASH_COMMENTS, DOUBLE, CHARACTER, BACKTICK),
  php: tokens(SLASH_COMMENTS, HASH_COMMENTS, DOUBLE, SINGLE),
  hash: tokens(HASH_COMMENTS, TRIPLE, DOUBLE, SINGLE),
  dash: tokens(DASH_COMMENTS, DOUBLE, SINGLE),
} as const;

const NO_FEATURES = { needsImport: false, sharesFolder: false, hasImplicitThis: false } as const;

const SCRIPT: CodeSyntax = { ...NO_FEATURES, family: "script", tokens: TOKENS.script, needsImport: true };
const JVM: CodeSyntax = {
  family: "jvm",
  tokens: TOKENS.compiled,
  needsImport: true,
  sharesFolder: true,
  hasImplicitThis: true,
};
const C: CodeSyntax = { ...NO_FEATURES, family: "c", tokens: TOKENS.compiled, hasImplicitThis: true };

/** The syntax of each language. Languages without an entry, such as data, markup and prose, do not use definitions. */
const SYNTAX: Readonly<Record<string, CodeSyntax>> = {
  typescript: SCRIPT,
  tsx: SCRIPT,
  javascript: SCRIPT,
  vue: SCRIPT,
  svelte: SCRIPT,
  java: JVM,
  kotlin: JVM,
  scala: JVM,
  c: C,
  cpp: C,
  python: { ...NO_FEATURES, family: "python", tokens: TOKENS.hash, needsImport: true },
  rust: { ...NO_FEATURES, family: "rust", tokens: TOKENS.compiled, needsImport: true },
  go: { ...NO_FEATURES, family: "go", tokens: TOKENS.go, needsImport: true, sharesFolder: true },
  csharp: { ...NO_FEATURES, family: "csharp", tokens: TOKENS.compiled, hasImplicitThis: true },
  swift: { ...NO_FEATURES, family: "swift", tokens: TOKENS.compiled, hasImplicitThis: true },
  ruby: { ...NO_FEATURES, family: "ruby", tokens: TOKENS.hash, hasImplicitThis: true },
  php: { ...NO_FEATURES, family: "php", tokens: TOKENS.php },
  elixir: { ...NO_FEATURES, family: "elixir", tokens: TOKENS.hash },
  lua: { ...NO_FEATURES, family: "lua", tokens: TOKENS.dash },
  haskell: { ...NO_FEATURES, family: "haskell", tokens: TOKENS.dash },
  bash: { ...NO_FEATURES, family: "bash", tokens: TOKENS.hash },
  zig: { ...NO_FEATURES, family: "zig", tokens: TOKENS.compiled, needsImport: true },
};

export function syntaxOf(language: string | undefined): CodeSyntax | undefined {
  return language === undefined ? undefined : SYNTAX[language];
}

/** Keywords and built-in types of all languages. Such a name never refers to a definition of the project. */
export const RESERVED: ReadonlySet<string> = new Set(
  `abstract actor alias all and any array as assert async await auto base bool boolean break byte case catch chan char checked class const
  constexpr constructor continue crate data debugger declare def default defer del delete do double dyn elif else elseif end ensure enum event
  except exec explicit export extends extension extern fallthrough false final finally fixed float fn for foreach friend from fun func function
  get global go goto guard if impl implements implicit import in include infer init inline inout instanceof int integer interface internal into
  is isset it iter keyof lambda lateinit lazy len let list local lock long loop macro map match mod module move mut mutable namespace native never new nil
  none nonlocal not null nullptr number object of open operator or out override package params pass print println private proc protected protocol pub
  public raise range readonly record ref register reified require rescue return satisfies sealed select self set short sig signed sizeof static str
  string struct super suspend switch symbol synchronized template then this throw throws trait transient true try tuple type typealias typedef
  typename typeof undefined union unique unknown unless unsafe unset unsigned until use using val var vararg virtual void volatile wchar when where
  while with yield
  Self Any Array Box Boolean Class Date Dict Double Error Exception Float Function HashMap Int Integer Iterable Iterator List Long Map None Number
  Object Option Optional Ok Err Some Pair Promise Range Rc Arc Record Regex RegExp Result Sequence Set Some String Symbol Task Thread Tuple Type Unit Vec Void`.split(
    /\s+/,
  ),
);
