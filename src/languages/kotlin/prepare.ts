import { skipAnnotations } from "../signature.ts";
import { blankRanges } from "../repair/blank-ranges.ts";

const ANNOTATION_LINE = /^[ \t]*@(?!file:)/gmu;
/**
 * Matches the guard of a `when` branch, such as `is A if x ->`; its condition is in parentheses, which may span lines,
 * or ends with the line.
 */
const GUARD =
  /(?=[ \t]+if\b)(?<=^[ \t]*(?:is[ \t]+[\w.<>*?, \t]+|[\w.]+))[ \t]+if\b(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)[ \t]*|[^\n{}]*?)(?=->)/gmu;
/** Matches context parameters such as `context(_: Scope)` above a declaration. */
const CONTEXT = /^[ \t]*context\((?:[^()]|\([^()]*\))*\)(?=\s*\n\s*\w)/gmu;
/**
 * Matches the constructor of a class if it begins on a new line; the grammar would read it as a constructor of the
 * enclosing class.
 */
const CONSTRUCTOR_LINE =
  /(?=\r?\n\s*(?:\w+[ \t]+){0,3}constructor\b)(?<=\bclass[ \t]+\w+(?:<[^\n]*>)?[ \t]*)\s+(?:\w+[ \t]+){0,3}constructor[ \t]*\(/gu;
/**
 * Patterns for syntax that the grammar misreads. A pattern runs only if the text contains its `mark`, because a plain
 * search is faster than a pattern.
 */
const MISREAD: readonly { readonly mark: string; readonly pattern: RegExp }[] = [
  { mark: " if ", pattern: GUARD },
  { mark: "context(", pattern: CONTEXT },
  { mark: '$$"', pattern: /\$\$+(?=")/gu },
  { mark: "suspend {", pattern: /\bsuspend(?=\s*\{)/gu },
  { mark: "?::", pattern: /\?(?=::)/gu },
];
/**
 * Matches `get` and `set` where they do not define an accessor: `insert { … } get Users.id`, `set = 1`, `get("/") { …
 * }`.
 */
const NO_ACCESSOR =
  /[gs]et(?:(?=[ \t]*\{|\((?:["\d]|\w+[ \t]*[.(]))(?<=^[ \t]*\wet)|(?=\(\s*[^)\s])(?<=^[ \t]*get)|(?=[ \t]+(?:\w|[-+*/%!<>=]?=))(?<=[ \t]\wet)|(?=[ \t]\()(?<=\}[ \t]\wet)|(?=[.,)])(?<=[ \t(,]\wet))/gmu;
/** Matches modifiers that are used as names: `open = isOpen`, `data.size`, `f(open(1))`. */
const MODIFIER_AS_NAME =
  /\b(?:open|data|inner|sealed|inline|operator|infix|external|expect|actual|final|where|suspend)(?:(?=[ \t]*(?:[-+*/%]?=(?!=)|\??\.|\[))(?<=(?:^|[({,=])[ \t]*\w+)|(?=\()(?<=(?:^|[({,=])[ \t]*(?!where|suspend)\w+)|(?=:)(?<=[(,][ \t]*suspend))/gmu;
/** Matches `in` at the start of a name such as `in1`, where the grammar reads the operator `in`. */
const OPERATOR_IN_NAME = /\bin(?=\d)/gu;

/**
 * Replaces with spaces the Kotlin syntax that the grammar misreads, such as annotations on their own lines, which make
 * it read a class as an expression, and guards in `when`, which it does not know. Contextual keywords that are used as
 * names become other names.
 */
export function prepareKotlin(text: string): string {
  const bare = withoutMisread(text);
  return (bare.includes("constructor") ? bare.replace(CONSTRUCTOR_LINE, parametersBeforeBreak) : bare)
    .replace(NO_ACCESSOR, "got")
    .replace(OPERATOR_IN_NAME, "im")
    .replace(MODIFIER_AS_NAME, (word) => "n".repeat(word.length));
}

function withoutMisread(text: string): string {
  const bare = blankRanges(text, annotations(text));
  const ranges = MISREAD.filter(({ mark }) => bare.includes(mark)).flatMap(({ pattern }) =>
    Array.from(bare.matchAll(pattern), ({ index, 0: match }) => [index, index + match.length] as const),
  );
  return blankRanges(
    bare,
    [...ranges, ...delegations(bare)].sort(([a], [b]) => a - b),
  );
}

/** Moves the opening bracket of a constructor to the line of its class and puts the line breaks after the bracket. */
function parametersBeforeBreak(between: string): string {
  const breaks = between.replace(/[^\n]/gu, "");
  const before = between.indexOf("constructor");
  return `${" ".repeat(before)}(${breaks}`.padEnd(between.length);
}

function annotations(text: string): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { index } of text.matchAll(ANNOTATION_LINE)) {
    const start = text.indexOf("@", index);
    if ((ranges.at(-1)?.[1] ?? 0) <= start) ranges.push([start, skipAnnotations(text, start, false)]);
  }
  return ranges;
}

/**
 * Matches a delegation `by name(…)` before the body of a class, which the grammar would read as a lambda. Its arguments
 * may contain calls but no lambdas.
 */
const BY = /\bby\s+[\w.]+(?:<[\w., ]*>)?(?:\((?:[^(){}]|\((?:[^(){}]|\([^(){}]*\))*\))*\))?(?=\s*\{)/gu;
const WORD_END = /(?<![\w.])(class|object|interface|val|var|fun)$/u;
/** Maximum number of characters that are searched backwards for the keyword of a class. */
const MAX_HEAD = 3000;

/** Finds delegations `by name` before the body of a class, which the grammar would read as a call with a lambda. */
function delegations(text: string): [number, number][] {
  if (!text.includes(" by ")) return [];
  return Array.from(text.matchAll(BY)).flatMap(({ index, 0: match }) =>
    isInClassHead(text, index) ? [[index, index + match.length] as [number, number]] : [],
  );
}

/**
 * True if the offset is in the header of a class; searches backwards for the keyword that declares a class or a
 * property.
 */
function isInClassHead(text: string, at: number): boolean {
  let depth = 0;
  for (let index = at - 1; index > Math.max(0, at - MAX_HEAD); index -= 1) {
    const code = text.charCodeAt(index);
    if (code === 0x29) depth += 1;
    else if (code === 0x28) depth -= 1;
    if (depth < 0) return false;
    if (depth > 0) continue;
    if (code === 0x7b || code === 0x7d || code === 0x3b || code === 0x3d) return false;
    // Continues only at a letter that may end `class`, `object`, `interface`, `val`, `var` or `fun` and precedes a
    // space.
    if (text.charCodeAt(index + 1) !== 0x20 || !"steclrn".includes(text.charAt(index))) continue;
    const word = WORD_END.exec(text.slice(Math.max(0, index - 9), index + 1))?.[1];
    if (word !== undefined) return /^(?:class|object|interface)$/u.test(word);
  }
  return false;
}
