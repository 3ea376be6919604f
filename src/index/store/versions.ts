/**
 * Version of the stored index records. A record of another version is created again from the content of its file.
 * What each version added:
 * 1: chunks of 50 lines, split identifiers, symbols and imports of the first grammars.
 * 2: the same, stored with checksums.
 * 3: owners of symbols defined outside their class; prototypes as a separate kind.
 * 4: both sides of an unfinished merge; macros in C and C++, contextual keywords in Kotlin.
 * 5: custom attributes in C and C++, newer keywords of Kotlin; front matter and code fences in lists in Markdown.
 * 6: all branches of #if in C, C++ and C#; more macros in C and C++; Elixir, Haskell and Zig.
 * 7: names of tables and columns in single quotes in SQL.
 * 8: the last line of a multi-line import.
 * 9: shell functions whose end is hidden by a misread quotation mark.
 * 10: blocks of test frameworks; outlines without repeated texts; modules and constructors in Haskell, types that
 *     functions return in Zig.
 * 11: each name of a grouped `use`, and traits, in PHP.
 * 12: C++ types behind an attribute of any case.
 * 13: uses of names and import statements.
 * 14: types that arrow functions return are uses.
 * 15: scopes and imports of Go.
 * 16: imports and local variables of Java, PHP, C# and Ruby.
 * 17: scopes and imports of Rust, C and C++.
 * 18: base classes of C++; captures of `case` and modules loaded by name in Python.
 * 19: modules that a function of JavaScript or TypeScript loads.
 * 20: variables that hide the function around them; type arguments with commas in TypeScript; `this::a` in Java.
 * 21: compressed features.
 * 22: where definitions of JavaScript and TypeScript are visible, and which definition a local name refers to; imports
 *     inside of functions, type parameters and defaults of parameters in Python; lambdas and prototypes in C++.
 * 23: names of functions in expressions of JavaScript and TypeScript are no uses, and default exports have no other
 *     name; forward declarations of C and C++ are no uses, nor
 *     variables if a macro precedes the name.
 * 24: what JavaScript exports with `module.exports = { … }` and passes on with `require`.
 * 25: private members and classes in expressions of JavaScript; modules that a condition chooses; where blocks, methods
 *     and lambdas of Ruby end; targets in brackets and defaults of lambdas in Python; `namespace\a` in PHP; words of lines
 *     with more than 2,000 characters.
 * 26: words in brackets of macros of Rust, such as `Token![use]`.
 * 27: members of namespaces that JavaScript and TypeScript give names to, values that they export by default, assigned
 *     members and entries with the name of a variable; types in strings, annotated members, `__all__` and bodies of
 *     classes in Python; joined strings and code in strings in PHP; code in heredocs.
 * 28: types that JavaScript, TypeScript and Python show of values: declared types, created objects and results.
 * 29: keys of objects in JavaScript and TypeScript that are definitions and also members of the type that is expected, and
 *     entries of exported objects; calls of `super` in Ruby; templates of Vue, Svelte and Astro; fixtures of pytest;
 *     modules, types and macros of Rust, C and C++ whose name a variable has, too; calls with type arguments in Rust and Go;
 *     macros of C that write the head of a function; classes without a name and references to methods in Java; lambdas
 *     after other arguments and code around directives in C#; values in attributes and methods inside macros in Rust;
 *     objects that a declaration of C++ creates.
 * 30 and 31: variables, patterns, setters and characters with quotes in Ruby; callables in arrays in PHP; raw strings, lambdas in
 *     initializers, variables of patterns and names such as `@a` in C#; the whole owner of members of nested classes, `::a`,
 *     `a.B::c()`, local types and prototypes in C and C++; names such as `r#type` in Rust; modules that JavaScript assigns to
 *     variables, members in brackets and the bases of headers.
 */
export const FEATURE_VERSION = 31;
