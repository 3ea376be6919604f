import { blanked } from "../blank.ts";

/** Names in capitals that stand where no name can: macros that the preprocessor would have turned into nothing or into attributes. */
const MACRO = "[A-Z][A-Z0-9_]{3,}";
const ARGUMENTS = "(?:[ \\t]*\\([^()\\n;{}]*\\))?";

/** Looked for first: looking back from every letter of a text takes long. */
const HERE = "\\b(?=[A-Z])";
/** Words that may stand between the parameters and the body. */
const AFTER_PARAMETERS = "(?:\\s*(?:(?:const|volatile|noexcept|override|final)\\b|&&?))*";

const PATTERNS: readonly RegExp[] = [
  // Alone on a line between declarations: `MY_BEGIN_NAMESPACE`, `Q_OBJECT`.
  new RegExp(
    `${HERE}(?<=(?:^|[;{}>:/"]|\\*/)\\s{0,200}\\n[ \\t]*)${MACRO}${ARGUMENTS}(?=[ \\t]*\\r?\\n\\s*[A-Za-z_#~/}\\[])(?!\\s*\\n\\s*[},])`,
    "gu",
  ),
  // Before a type and a name: `API_EXPORT int f(`.
  new RegExp(
    `${HERE}(?<=^[ \\t]*(?:template[ \\t]*<[^\\n]*>[ \\t]*)?(?:(?:static|extern|inline|virtual|constexpr|explicit|friend)[ \\t]+)*)${MACRO}${ARGUMENTS}(?=[ \\t]+(?:[A-Za-z_][\\w:<>,]*[ \\t*&]+)+[\\w~(*&])`,
    "gmu",
  ),
  // Behind the parameters: `) ATTRIBUTE(x);`, `) const ATTRIBUTE {`.
  new RegExp(`${HERE}(?<=\\)${AFTER_PARAMETERS}\\s*)${MACRO}${ARGUMENTS}(?=\\s*(?:;|\\{))`, "gu"),
  // Behind a parameter or a field: `T& a ATTRIBUTE,`, `int a GUARDED_BY(b);`.
  new RegExp(`${HERE}(?<=[\\w>][ \\t*&]+\\w+[ \\t]+)${MACRO}(?=[ \\t]*[,)])`, "gu"),
  new RegExp(`${HERE}(?<=[\\w>][ \\t*&]+\\w+[ \\t]+)${MACRO}[ \\t]*\\([^()\\n;{}]*\\)(?=[ \\t]*[;={])`, "gu"),
  // Calling conventions: `int WINAPI f(`, `int (WINAPI *f)(`.
  new RegExp(
    `${HERE}(?<=^[ \\t]*(?:[A-Za-z_]\\w*[ \\t*]+)+)${MACRO}(?=[ \\t]+[a-zA-Z_]\\w*[ \\t]*\\()`,
    "gmu",
  ),
  new RegExp(`${HERE}(?<=\\([ \\t]*)${MACRO}(?=[ \\t]*\\*[ \\t]*\\w+[ \\t]*\\))`, "gu"),
  // Between `class` and the name.
  new RegExp(
    `${HERE}(?<=\\b(?:class|struct|union|enum)[ \\t]+)${MACRO}${ARGUMENTS}(?=[ \\t]+[A-Za-z_]\\w*\\s*(?:final\\s*)?[:{])`,
    "gu",
  ),
];

/** C++ alone: before a name that a body or initializers follow stands no type, since it is a constructor. */
const CONSTRUCTOR = new RegExp(
  `${HERE}(?<=^[ \\t]*(?:template[ \\t]*<[^\\n]*>[ \\t]*)?(?:(?:inline|constexpr|explicit)[ \\t]+)*)${MACRO}${ARGUMENTS}(?=[ \\t]+(?:explicit[ \\t]+)?(?:[A-Za-z_][\\w:<>]*::)?~?[A-Za-z_]\\w*\\([^;{}]{0,400}\\)${AFTER_PARAMETERS}\\s*[:{])`,
  "gmu",
);

const ENUM = /\benum\b[^{};()]*\{[^{}]*\}/gu;
/** In a list of constants: directives, and macros that stand for several of them. */
const NO_ENUMERATOR = /^[ \t]*(?:#(?:[^\n]*\\\r?\n)*[^\n]*|[A-Z]\w*\(\w+\)[ \t]*)$/gmu;

const RECORD = /\b(?:struct|union)\b[^{};()=,]*\{[^{}]*/gu;
/** In a list of fields: a macro that stands for several of them. */
const NO_FIELD = new RegExp(`^[ \\t]*${MACRO}${ARGUMENTS}[ \\t]*\\r?$`, "gmu");

/** C++ text without the macros that keep the grammar from reading it, each blanked in place. */
export function withoutCppMacros(text: string): string {
  return blankedMatches(withoutMacros(text), CONSTRUCTOR);
}

/** The same for C. */
export function withoutMacros(text: string): string {
  let result = text
    .replace(ENUM, (list) => blankedMatches(list, NO_ENUMERATOR))
    .replace(RECORD, (fields) => blankedMatches(fields, NO_FIELD));
  // Twice, for where one stands behind another.
  for (const pattern of [...PATTERNS, ...PATTERNS.slice(0, 2)]) result = blankedMatches(result, pattern);
  return result;
}

function blankedMatches(text: string, pattern: RegExp): string {
  return blanked(
    text,
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => [index, index + match.length] as const),
  );
}
