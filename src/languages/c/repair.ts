import { blanked } from "../blank.ts";

/** Names in capitals that stand where no name can: macros that the preprocessor would have turned into nothing or into attributes. */
const MACRO = "[A-Z][A-Z0-9_]{3,}";
const ARGUMENTS = "(?:[ \\t]*\\([^()\\n;{}]*\\))?";

const PATTERNS: readonly RegExp[] = [
  // Alone on a line between declarations: `MY_BEGIN_NAMESPACE`, `Q_OBJECT`.
  new RegExp(
    `(?<=(?:^|[;{}>:/]|\\*/)[ \\t]*\\n[ \\t]*)${MACRO}${ARGUMENTS}(?=[ \\t]*\\r?\\n\\s*[A-Za-z_#~/}\\[])(?!\\s*\\n\\s*[},])`,
    "gu",
  ),
  // Before a type and a name: `API_EXPORT int f(`.
  new RegExp(
    `(?<=^[ \\t]*(?:(?:static|extern|inline|virtual|constexpr)[ \\t]+)*)${MACRO}${ARGUMENTS}(?=[ \\t]+(?:[A-Za-z_][\\w:<>,]*[ \\t*&]+)+[\\w~(*&])`,
    "gmu",
  ),
  // Behind the parameters: `) ATTRIBUTE(x);`.
  new RegExp(`(?<=\\)[ \\t]*)${MACRO}${ARGUMENTS}(?=[ \\t]*(?:;|\\{|\\r?\\n[ \\t]*\\{))`, "gu"),
  // Between `class` and the name.
  new RegExp(
    `(?<=\\b(?:class|struct|union|enum)[ \\t]+)${MACRO}${ARGUMENTS}(?=[ \\t]+[A-Za-z_]\\w*\\s*(?:final\\s*)?[:{])`,
    "gu",
  ),
];

/** The text without the macros that keep the grammar from reading it, each blanked in place. */
export function withoutMacros(text: string): string {
  let result = text;
  for (const pattern of PATTERNS) {
    const ranges = [...result.matchAll(pattern)].map(
      ({ index, 0: match }) => [index, index + match.length] as const,
    );
    result = blanked(result, ranges);
  }
  return result;
}
