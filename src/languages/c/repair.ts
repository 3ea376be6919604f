import { blankRanges } from "../repair/blank-ranges.ts";
import { MACRO, withoutStrayWords } from "./words.ts";

const NO_BRACKETS = "[^()\\n;{}]";
const ARGUMENTS = `(?:[ \\t]*\\((?:${NO_BRACKETS}|\\((?:${NO_BRACKETS}|\\(${NO_BRACKETS}*\\))*\\))*\\))?`;

const TYPE = "[A-Za-z_][\\w:]*(?:<[^;(){}\\n]*>)?[\\w:]*";

/**
 * Matches the position before a capital letter, where a macro name may begin. It comes first in patterns, because a
 * look-behind at every letter of a text is slow.
 */
const HERE = "\\b(?=[A-Z])";
/** Matches specifiers such as `static`; the word after them is the type, even if it looks like a macro. */
const SPECIFIER =
  "static|extern|inline|const|virtual|constexpr|explicit|friend|typedef|volatile|struct|enum|union";
/** Matches words such as `const` or `override` between the parameters of a function and its body. */
const AFTER_PARAMETERS = "(?:\\s*(?:(?:const|volatile|noexcept|override|final)\\b|&&?))*";

const PATTERNS: readonly RegExp[] = [
  // Matches a macro before the type and name of a declaration: `API_EXPORT int f(`. The name may begin the next line.
  new RegExp(
    `${HERE}(?<=^[ \\t]*(?:template[ \\t]*<[^\\n]*>[ \\t]*)?(?:(?:static|extern|inline|virtual|constexpr|explicit|friend)[ \\t]+)*)(?:${MACRO}${ARGUMENTS}[ \\t]+){0,3}${MACRO}${ARGUMENTS}(?=[ \\t]+(?:(?:${TYPE}[ \\t*&]+)+(?:[\\w~*&]|\\([ \\t]*(?:[*&^]|\\w+[ \\t]*\\)[ \\t]*\\())|(?:${TYPE}[ \\t*&]+)*${TYPE}[ \\t*&]*\\r?\\n[ \\t]*[\\w~:]+(?:\\(\\))?\\())`,
    "gmu",
  ),
  // Matches a macro after the parameters of a function: `) ATTRIBUTE(x);`, `) const ATTRIBUTE {`.
  new RegExp(
    `${HERE}(?<=\\)${AFTER_PARAMETERS}\\s*)${MACRO}${ARGUMENTS}(?=\\s*(?:;|\\{|=[ \\t]*(?:0|default|delete)\\b|override\\b|final\\b))`,
    "gu",
  ),
  // Matches a macro at the end of a line, such as `int NO_THROW` or `ALLOCATES(2)`, if the name of a function begins
  // the next line.
  new RegExp(
    `${HERE}(?<=^[ \\t]*(?:\\w+[ \\t*]+)*)${MACRO}${ARGUMENTS}(?=[ \\t*]*\\r?\\n[ \\t]*[A-Za-z_]\\w*[ \\t]*\\()`,
    "gmu",
  ),
  /(?<=[\w*][ \t*])\b[a-z_]\w*\([\d, ]+\)(?=[ \t]*\r?\n[ \t]*\w+[ \t]*\()/gu,
  // Matches a macro in the place of an initial value: `a[] NAMES;`.
  new RegExp(`${HERE}(?<=\\][ \\t]*)${MACRO}(?=[ \\t]*;)`, "gu"),
  // Matches a macro after the name of a parameter or field: `T& a ATTRIBUTE,`, `int a GUARDED_BY(b);`.
  new RegExp(`${HERE}(?<=[\\w>][ \\t*&]+\\w+[ \\t]+)${MACRO}(?=[ \\t]*[,)])`, "gu"),
  new RegExp(
    `${HERE}(?<=[\\w>][ \\t*&]+\\w+[ \\t]+)(?<!\\b(?:${SPECIFIER})[ \\t]+(?:\\w+[ \\t]+)?)${MACRO}[ \\t]*\\([^()\\n;{}]*\\)(?=[ \\t]*[;=])`,
    "gu",
  ),
  // Matches macros for calling conventions: `int WINAPI f(`, `int (WINAPI *f)(`.
  new RegExp(
    `${HERE}(?<=^[ \\t]*(?:[A-Za-z_]\\w*[ \\t*]+)+)(?<!^[ \\t]*(?:(?:${SPECIFIER})[ \\t]+)+)${MACRO}(?=[ \\t]+[a-zA-Z_]\\w*[ \\t]*\\()`,
    "gmu",
  ),
  new RegExp(`${HERE}(?<=\\([ \\t]*)${MACRO}(?=[ \\t]*\\*[ \\t]*\\w+[ \\t]*\\)[ \\t]*\\()`, "gu"),
  // Matches a macro after the name of a type: `struct A FINAL : B {`, `enum A UNDERLYING {`.
  new RegExp(
    `${HERE}(?<=\\b(?:class|struct|union|enum)[ \\t]+[A-Za-z_]\\w*[ \\t]+)${MACRO}${ARGUMENTS}(?=\\s*[:{])`,
    "gu",
  ),
  // Matches a macro between `class`, `struct`, `union` or `enum` and the name of the type.
  new RegExp(
    `${HERE}(?<=\\b(?:class|struct|union|enum)[ \\t]+(?:\\[\\[[^\\]\\n]*\\]\\][ \\t]*)?)${MACRO}${ARGUMENTS}(?=[ \\t]+(?:\\[\\[[^\\]\\n]*\\]\\][ \\t]*)?[A-Za-z_][\\w:]*(?:<[^;(){}]*>)?\\s*(?:final\\s*)?[:{])`,
    "gu",
  ),
];

/**
 * Matches a macro before a C++ constructor, which is recognised by the body or the initialisers after its parameters.
 */
const CONSTRUCTOR = new RegExp(
  `${HERE}(?<=^[ \\t]*(?:template[ \\t]*<[^\\n]*>[ \\t]*)?(?:(?:inline|constexpr|explicit)[ \\t]+)*)${MACRO}${ARGUMENTS}(?=[ \\t]+(?:explicit[ \\t]+)?(?:[A-Za-z_][\\w:<>]*::)?~?[A-Za-z_]\\w*\\([^;{}]{0,400}\\)${AFTER_PARAMETERS}\\s*[:{])`,
  "gmu",
);

/** Matches the arguments of a macro that stands for a type: `(x)` in `typedef TYPE_OF(x) name;`. */
const TYPE_ARGUMENTS = new RegExp(
  `(?<=\\b${MACRO})\\([^()\\n;]*\\)(?=[ \\t*&]+[A-Za-z_]\\w*[ \\t]*[;,)=(])`,
  "gu",
);
/** Matches the class in the type of a pointer to a member: `A::` in `int A::*p`. */
const MEMBER_POINTER = /\b[A-Za-z_]\w*(?:<[^<>\n]*>)?::(?=[ \t]*\*)/gu;
/** Matches the argument of `#if __has_include(<version>)`, which the grammar does not accept. */
const INCLUDE_TEST = /\([ \t]*<[^<>()\n]*>[ \t]*\)/gu;

/**
 * Matches an enum with its body. The length before the brace is limited, because a long run of words would otherwise
 * take quadratic time.
 */
const ENUM = /\benum\b[^{};()]{0,300}\{[^{}]*\}/gu;
/**
 * Matches lines of an enum body that name no single constant: directives, and macros that stand for several constants.
 */
const NO_ENUMERATOR = /^[ \t]*(?:#(?:[^\n]*\\\r?\n)*[^\n]*|[A-Z]\w*\(\w+\)[ \t]*)$/gmu;

/** Matches an entry of an enum that is written as a macro call whose first argument is the name of the constant. */
const MADE_ENUMERATOR = /^([ \t]*)([A-Z]\w*\()([ \t]*[A-Za-z]\w*)([ \t]*,[^()\n]*\))(?=[ \t]*(?:,|\r?$))/gmu;

/** Matches a macro call around the whole header of a function: `EXPORT(int f(void)) {`. */
const WRAPPED = new RegExp(
  `^([ \\t]*)(${MACRO}\\()((?:\\w+[ \\t*]+)+\\w+\\([^(){};]*\\))\\)(?=\\s*\\{)`,
  "gmu",
);

/** Matches a word of any case between `class` and the name of the type, such as `my_api` in `class my_api Name {`. */
const ATTRIBUTE =
  /\b((?:class|struct|union)[ \t]+)((?!final\b|alignas\b)[A-Za-z_]\w*)(?=[ \t]+(?!final\b)[A-Za-z_]\w*[ \t]*(?:final\b[ \t]*)?(?:\{|:(?!:)|\r?\n[ \t]*[{:](?!:)))/gu;

const RECORD = /\b(?:struct|union)\b[^{};()=,]{0,300}\{[^{}]*/gu;
/** Matches a line in the body of a struct or union that is a macro for several fields. */
const NO_FIELD = new RegExp(`^[ \\t]*${MACRO}${ARGUMENTS}[ \\t]*\\r?$`, "gmu");

/** Replaces with spaces the macros that keep the grammar from reading C++ code. */
export function withoutCppMacros(text: string): string {
  const named = withoutMacros(text).replace(
    ATTRIBUTE,
    (_all, word: string, attribute: string) => `${word}${blank(attribute)}`,
  );
  return [MEMBER_POINTER, TYPE_ARGUMENTS, CONSTRUCTOR].reduce(blankMatches, named);
}

/** Replaces with spaces the macros that keep the grammar from reading C code. */
export function withoutMacros(text: string): string {
  let result = text
    .replace(ENUM, (list) => blankMatches(list.replace(MADE_ENUMERATOR, nameAlone), NO_ENUMERATOR))
    .replace(
      WRAPPED,
      (_all, indent: string, macro: string, head: string) => `${indent}${blank(macro)}${head} `,
    )
    .replace(RECORD, (fields) => blankMatches(fields, NO_FIELD));
  if (result.includes("(<")) result = blankMatches(result, INCLUDE_TEST);
  result = blankRanges(result, macroLines(result));
  // The first pattern runs a second time, because one run does not reach all macros that follow one another.
  for (const pattern of [...PATTERNS, ...PATTERNS.slice(0, 1)]) result = blankMatches(result, pattern);
  return withoutStrayWords(result);
}

function nameAlone(...[, indent, macro, name, rest]: readonly string[]): string {
  return `${indent ?? ""}${blank(macro)}${name ?? ""}${blank(rest)}`;
}

function blank(text = ""): string {
  return " ".repeat(text.length);
}

function blankMatches(text: string, pattern: RegExp): string {
  return blankRanges(
    text,
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => [index, index + match.length] as const),
  );
}

/**
 * Matches the arguments of a macro call over several lines, with parentheses nested up to three levels. Text with `;`
 * or braces contains statements and is not matched.
 */
const NESTED = "\\((?:[^(){};]|\\((?:[^(){};]|\\([^(){};]*\\))*\\))*\\)";
const MACRO_LINE = new RegExp(
  `[ \\t]*${MACRO}(?:[ \\t]*${NESTED})?[ \\t]*(;?)[ \\t]*(?:/[/*][^\\n]*)?(?=\\r?\\n|$)`,
  "uy",
);
const DIRECTIVE = /[ \t]*#(?:[^\n\\]|\\\r?\n|\\.)*(?:\n|$)/uy;
const COMMENT = /[ \t]*(?:\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)[ \t\r]*)(?:\n|$)/uy;
const COMMENTS = /\/\/[^\n]*|\/\*[^\n]*?(?:\*\/|$)/gu;
const NEXT = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*([^\s])?/uy;

/**
 * Finds macros that stand alone on a line in the place of a declaration or statement. Their expansion is unknown, and
 * the grammar would read them as part of the next line.
 */
function macroLines(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  let before = ";";
  for (let at = 0; at < text.length;) {
    const first = firstCode(text, at);
    const skipped =
      first === 0x23
        ? matchEnd(DIRECTIVE, text, at)
        : first === 0x2f
          ? matchEnd(COMMENT, text, at)
          : undefined;
    const macro =
      first >= 0x41 && first <= 0x5a && ";{}:>".includes(before) ? matchEnd(MACRO_LINE, text, at) : undefined;
    if (skipped !== undefined) at = skipped;
    else if (macro !== undefined && isBeforeDeclaration(text, macro, before)) {
      ranges.push([at, macro]);
      at = macro;
    } else {
      const end = lineEnd(text, at);
      before = lastCode(text.slice(at, end)) ?? before;
      at = end + 1;
    }
  }
  return ranges;
}

/** Returns the code of the first character of a line that is neither a space nor a tab. */
function firstCode(text: string, lineStart: number): number {
  let at = lineStart;
  while (text.charCodeAt(at) === 0x20 || text.charCodeAt(at) === 0x09) at += 1;
  return text.charCodeAt(at);
}

function lastCode(line: string): string | undefined {
  return (line.includes("/") ? line.replace(COMMENTS, "") : line).trimEnd().at(-1);
}

/**
 * Returns the offset of the end of a line; if a block comment begins on the line, the end of the line on which it
 * closes.
 */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  const end = found < 0 ? text.length : found;
  const line = text.slice(at, end);
  const open = line.lastIndexOf("/*");
  if (open < 0 || line.includes("*/", open) || line.lastIndexOf("//", open) >= 0) return end;
  const close = text.indexOf("*/", end);
  return close < 0 ? text.length : lineEnd(text, close + 2);
}

/**
 * True if the macro that ends at `end` precedes a declaration. A body after it would make it a function, an operator
 * would make it part of an expression, and alone in braces it is a constant.
 */
function isBeforeDeclaration(text: string, end: number, before: string): boolean {
  NEXT.lastIndex = end;
  const next = NEXT.exec(text)?.[1];
  if (next === undefined) return true;
  return next === "}" ? before !== "{" : /[A-Za-z_#~[:]/u.test(next);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
