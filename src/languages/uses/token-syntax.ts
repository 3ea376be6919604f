/** How the tokens of a language are written, as far as names, strings and comments must be told apart. */
export interface TokenSyntax {
  /** What `#` begins: a comment, or only a comment unless `[` follows (PHP); otherwise it is punctuation. */
  readonly hash?: "comment" | "comment-or-attribute";
  /** True if `//` and `/* … *\/` are comments. */
  readonly slashComments?: boolean;
  /** True if block comments can contain block comments. */
  readonly nestedComments?: boolean;
  /** True if `--` begins a comment. */
  readonly dashComments?: boolean;
  /** The marks around a block comment of another form, such as `--[[` and `]]`. */
  readonly block?: readonly [open: string, close: string];
  /** What a single quote begins. A character may be preceded by a lifetime or a type variable with a single quote. */
  readonly single: "string" | "character";
  readonly backtick?: "template" | "raw" | "name";
  /** True if `"""` (or `'''`) begins a string of several lines. */
  readonly triple?: boolean;
  /** True if strings in double quotes may contain line breaks. */
  readonly multiline?: boolean;
  /** What begins code inside a string in double quotes. */
  readonly interpolation?: "${" | "#{" | "\\(" | "{$";
  /** How prefixes change a string: f and r in Python, r and b in Rust, R in C++, $ and @ in C#. */
  readonly prefixes?: "python" | "rust" | "cpp" | "csharp";
  /** True if `/…/` can be a regular expression. */
  readonly regex?: boolean;
  /** True if elements of JSX can occur. */
  readonly jsx?: boolean;
  readonly heredoc?: "php" | "ruby" | "bash";
  /** True if a name may end with `?` or `!`. */
  readonly nameMarks?: boolean;
  /** True if text outside of `<?php … ?>` is not code. */
  readonly phpTags?: boolean;
  /** Words that are never names of definitions. */
  readonly keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/u));

const SCRIPT: TokenSyntax = {
  slashComments: true,
  single: "string",
  backtick: "template",
  regex: true,
  keywords: words(
    `async await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements
    import in instanceof interface let new null of package private protected public return static super switch this throw true try typeof var void
    while with yield as declare abstract readonly namespace keyof infer is asserts satisfies override undefined unique`,
  ),
};
const TYPES = "any boolean number string symbol bigint object unknown never void";

const C_WORDS = `auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return
  short signed sizeof static struct switch typedef union unsigned void volatile while bool true false NULL nullptr`;

const SYNTAX: Readonly<Record<string, TokenSyntax>> = {
  javascript: { ...SCRIPT, jsx: true },
  typescript: { ...SCRIPT, keywords: new Set([...SCRIPT.keywords, ...words(TYPES)]) },
  tsx: { ...SCRIPT, jsx: true, keywords: new Set([...SCRIPT.keywords, ...words(TYPES)]) },
  python: {
    hash: "comment",
    single: "string",
    triple: true,
    prefixes: "python",
    keywords: words(
      `False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda
      nonlocal not or pass raise return try while with yield`,
    ),
  },
  go: {
    slashComments: true,
    single: "character",
    backtick: "raw",
    keywords: words(
      `break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select
      struct switch type var true false nil iota`,
    ),
  },
  rust: {
    slashComments: true,
    nestedComments: true,
    single: "character",
    multiline: true,
    prefixes: "rust",
    keywords: words(
      `as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self
      Self static struct super trait true type unsafe use where while`,
    ),
  },
  java: {
    slashComments: true,
    single: "character",
    triple: true,
    keywords: words(
      `abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for goto
      if implements import instanceof int interface long native new package private protected public return short static strictfp super switch
      synchronized this throw throws transient try void volatile while true false null var`,
    ),
  },
  kotlin: {
    slashComments: true,
    nestedComments: true,
    single: "character",
    backtick: "name",
    triple: true,
    interpolation: "${",
    keywords: words(
      `as break class continue do else false for fun if in interface is null object package return super this throw true try typealias typeof
      val var when while by catch constructor finally import init where abstract annotation companion const crossinline data enum external final
      infix inline inner internal lateinit noinline open operator out override private protected public reified sealed suspend tailrec vararg`,
    ),
  },
  scala: {
    slashComments: true,
    nestedComments: true,
    single: "character",
    backtick: "name",
    triple: true,
    interpolation: "${",
    keywords: words(
      `abstract case catch class def do else enum export extends false final finally for given if implicit import lazy match new null object
      override package private protected return sealed super then this throw trait true try type val var while with yield using`,
    ),
  },
  c: { slashComments: true, single: "character", prefixes: "cpp", keywords: words(C_WORDS) },
  cpp: {
    slashComments: true,
    single: "character",
    prefixes: "cpp",
    keywords: words(
      `${C_WORDS} alignas alignof and asm catch char16_t char32_t char8_t class co_await co_return co_yield concept consteval constexpr
      constinit const_cast decltype delete dynamic_cast explicit export final friend import module mutable namespace new noexcept not operator or
      override private protected public reinterpret_cast requires static_assert static_cast template this thread_local throw try typeid typename
      using virtual wchar_t`,
    ),
  },
  csharp: {
    // Directives such as `#if` and `#region` are no code.
    hash: "comment",
    slashComments: true,
    single: "character",
    triple: true,
    prefixes: "csharp",
    keywords: words(
      `abstract as async await base bool break byte case catch char checked class const continue decimal default delegate do double else enum
      event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new null
      object operator out override params partial private protected public readonly record ref required return sbyte sealed short sizeof
      stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using var virtual void volatile
      when where while with yield nameof init get set`,
    ),
  },
  ruby: {
    hash: "comment",
    block: ["\n=begin", "\n=end"],
    single: "string",
    backtick: "raw",
    multiline: true,
    interpolation: "#{",
    regex: true,
    heredoc: "ruby",
    nameMarks: true,
    keywords: words(
      `BEGIN END alias and begin break case class def defined? do else elsif end ensure false for if in module next nil not or redo rescue retry
      return self super then true undef unless until when while yield __FILE__ __LINE__ __method__`,
    ),
  },
  php: {
    hash: "comment-or-attribute",
    slashComments: true,
    single: "string",
    backtick: "raw",
    multiline: true,
    interpolation: "{$",
    heredoc: "php",
    phpTags: true,
    keywords: words(
      `abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor
      endforeach endif endswitch endwhile enum eval exit extends final finally fn for foreach function global goto if implements include
      include_once instanceof insteadof interface isset list match namespace new or print private protected public readonly require require_once
      return static switch throw trait try unset use var while xor yield true false null self parent bool int float string void mixed never
      iterable object`,
    ),
  },
  swift: {
    slashComments: true,
    nestedComments: true,
    single: "character",
    backtick: "name",
    triple: true,
    interpolation: "\\(",
    keywords: words(
      `actor as associatedtype async await break case catch class continue convenience default defer deinit didSet do dynamic else enum
      extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let mutating nil
      nonmutating open operator override postfix precedencegroup prefix private protocol public repeat required rethrows return self Self set
      some static struct subscript super switch throw throws true try typealias unowned var weak where while willSet any`,
    ),
  },
  elixir: {
    hash: "comment",
    single: "string",
    triple: true,
    multiline: true,
    interpolation: "#{",
    nameMarks: true,
    keywords: words(
      `after and case catch cond do else end false fn for if in nil not or quote receive rescue true try unless unquote when with def defp
      defmodule defmacro defmacrop defstruct defimpl defprotocol import alias require use`,
    ),
  },
  lua: {
    dashComments: true,
    block: ["--[[", "]]"],
    single: "string",
    keywords: words(
      `and break do else elseif end false for function goto if in local nil not or repeat return then true until while self`,
    ),
  },
  haskell: {
    dashComments: true,
    block: ["{-", "-}"],
    single: "character",
    keywords: words(
      `case class data default deriving do else family forall foreign hiding if import in infix infixl infixr instance let mdo module newtype of
      proc qualified rec then type where`,
    ),
  },
  bash: {
    hash: "comment",
    single: "string",
    backtick: "raw",
    multiline: true,
    interpolation: "${",
    heredoc: "bash",
    keywords: words(
      `if then else elif fi case esac for select while until do done in function time local export declare readonly return exit set unset
      shift echo true false`,
    ),
  },
  zig: {
    slashComments: true,
    single: "character",
    keywords: words(
      `addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const continue defer else enum errdefer error
      export extern false fn for if inline noalias noinline nosuspend null opaque or orelse packed pub resume return linksection struct suspend
      switch test threadlocal true try undefined union unreachable usingnamespace var volatile while void type bool`,
    ),
  },
};

/** Returns how the tokens of a language are written, or undefined for languages whose texts use no definitions. */
export function tokenSyntaxOf(language: string): TokenSyntax | undefined {
  return SYNTAX[language];
}
