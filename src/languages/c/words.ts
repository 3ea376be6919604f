import { blankRanges } from "../repair/blank-ranges.ts";

/** Matches the beginning of a test, such as `TEST_CASE(` or `SECTION(`, which is a definition and not an attribute. */
const TEST =
  "(?:[A-Z_]{0,40}TEST[A-Z_]{0,40}|(?:DYNAMIC_)?SECTION|SUBCASE|SCENARIO[A-Z_]*|(?:AND_)?(?:GIVEN|WHEN|THEN))[ \\t]*\\(";

/**
 * Matches names in capitals. Where C allows no name, such a name is a macro that expands to nothing or to attributes.
 */
export const MACRO = `(?!${TEST})[A-Z][A-Z0-9_]{3,}`;

/** Matches built-in types; a name directly before one of them is not valid C and must be a macro. */
const BUILT_IN =
  "(?:void|bool|char|short|int|long|float|double|signed|unsigned|size_t|u?int(?:8|16|32|64)_t|struct|union|enum)";
const WORD_BEFORE = new RegExp(
  `\\b[A-Za-z_]\\w*(?=[ \\t]+(?:const[ \\t]+)?${BUILT_IN}\\b[ \\t*])(?<!(?:[.>:~#]|\\bdefine[ \\t]+)\\w+)`,
  "gu",
);
/**
 * Matches three names in a row before the parameters of a function; the first name is a macro, because C allows only
 * two.
 */
const THREE =
  /^[ \t]*(?:[a-z_]\w*[ \t]+)+(?=(?!const\b|volatile\b)[A-Za-z_]\w*[ \t*]+[A-Za-z_]\w*[ \t]*\()/gmu;

/** Keywords that may precede a type. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  "alignas and asm auto break case catch class co_await co_return co_yield const const_cast consteval constexpr constinit continue decltype default define delete do else enum explicit extern for friend goto if inline int long mutable namespace new noexcept not operator or private protected public register restrict return short signed sizeof static struct switch template this thread_local throw try typedef typename union unsigned using virtual volatile while _Noreturn _Thread_local __extension__ __inline __inline__ __restrict bool char double float void".split(
    " ",
  ),
);

/**
 * Replaces with spaces the words before a type that are not part of the language, such as the attribute in `my_unused
 * int a`.
 */
export function withoutStrayWords(text: string): string {
  let result = text;
  // The search is repeated, because several such words may follow one another.
  for (let times = 0; times < 3; times += 1) {
    const stray = Array.from(result.matchAll(WORD_BEFORE)).flatMap(strayWord);
    if (stray.length === 0) break;
    result = blankRanges(result, stray);
  }
  const heads = Array.from(result.matchAll(THREE)).flatMap(({ index, 0: words }) =>
    Array.from(words.matchAll(/\w+/gu)).flatMap((word) =>
      strayWord(word).map(([start, end]) => [start + index, end + index] as const),
    ),
  );
  return blankRanges(result, heads);
}

function strayWord({ index, 0: word }: RegExpExecArray): [number, number][] {
  return KEYWORDS.has(word) ? [] : [[index, index + word.length]];
}
