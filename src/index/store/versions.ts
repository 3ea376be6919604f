/**
 * What a stored record was made with. A record of another version is made anew from its blob; nothing else is lost.
 * 1: chunks of 50 lines, split identifiers, symbols and imports of the first grammars.
 * 2: the same, stored with checksums.
 * 3: owners of symbols that stand outside them; prototypes as a kind of their own.
 * 4: both sides of an unfinished merge; C and C++ through macros, Kotlin through words that are keywords in some places.
 * 5: attributes by names of their own in C and C++, newer words of Kotlin; front matter, fences in lists.
 * 6: the branches of #if in C, C++ and C#, each read; more of C and C++ through macros; Elixir, Haskell and Zig.
 * 7: names of tables and columns in single quotes.
 * 8: the last line of an import that takes several.
 */
export const FEATURE_VERSION = 8;
