import { skipAnnotations } from "../signature.ts";
import { blanked } from "../blank.ts";
import { delegations } from "./delegation.ts";

const ANNOTATION_LINE = /^[ \t]*@(?!file:)/gmu;
/** Matches a guard: a condition in parentheses, possibly over several lines, or up to the end of its line. */
const GUARD =
  /(?=[ \t]+if\b)(?<=^[ \t]*(?:is[ \t]+[\w.<>*?, \t]+|[\w.]+))[ \t]+if\b(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)[ \t]*|[^\n{}]*?)(?=->)/gmu;
/** Matches `context(_: Scope)` above a declaration. */
const CONTEXT = /^[ \t]*context\((?:[^()]|\([^()]*\))*\)(?=\s*\n\s*\w)/gmu;
/** Matches a class constructor on its own line, which is read as one of the enclosing body. */
const CONSTRUCTOR_LINE =
  /(?=\r?\n\s*(?:\w+[ \t]+){0,3}constructor\b)(?<=\bclass[ \t]+\w+(?:<[^\n]*>)?[ \t]*)\s+(?:\w+[ \t]+){0,3}constructor[ \t]*\(/gu;
/** Misread syntax with a text that must occur, because searching for the text is faster. */
const MISREAD: readonly { readonly mark: string; readonly pattern: RegExp }[] = [
  { mark: " if ", pattern: GUARD },
  { mark: "context(", pattern: CONTEXT },
  { mark: '$$"', pattern: /\$\$+(?=")/gu },
  { mark: "suspend {", pattern: /\bsuspend(?=\s*\{)/gu },
  { mark: "?::", pattern: /\?(?=::)/gu },
];
/** Matches `get` and `set` where they are not accessors: `insert { … } get Users.id`, `set = 1`, `get("/") { … }`. */
const NO_ACCESSOR =
  /[gs]et(?:(?=[ \t]*\{|\((?:["\d]|\w+[ \t]*[.(]))(?<=^[ \t]*\wet)|(?=\(\s*[^)\s])(?<=^[ \t]*get)|(?=[ \t]+(?:\w|[-+*/%!<>=]?=))(?<=[ \t]\wet)|(?=[ \t]\()(?<=\}[ \t]\wet)|(?=[.,)])(?<=[ \t(,]\wet))/gmu;
/** Matches modifiers used as names: `open = isOpen`, `data.size`, `f(open(1))`. */
const MODIFIER_AS_NAME =
  /\b(?:open|data|inner|sealed|inline|operator|infix|external|expect|actual|final|where|suspend)(?:(?=[ \t]*(?:[-+*/%]?=(?!=)|\??\.|\[))(?<=(?:^|[({,=])[ \t]*\w+)|(?=\()(?<=(?:^|[({,=])[ \t]*(?!where|suspend)\w+)|(?=:)(?<=[(,][ \t]*suspend))/gmu;
/** Matches `in` as part of a name, such as `in1.read()`. */
const OPERATOR_IN_NAME = /\bin(?=\d)/gu;

/**
 * Blanks syntax that the grammar misreads: annotations on their own lines turn a class into an expression, and
 * guards in `when` are newer than the grammar. Contextual keywords that are used as names are replaced.
 */
export function prepareKotlin(text: string): string {
  const bare = withoutMisread(text);
  return (bare.includes("constructor") ? bare.replace(CONSTRUCTOR_LINE, parametersBeforeBreak) : bare)
    .replace(NO_ACCESSOR, "got")
    .replace(OPERATOR_IN_NAME, "im")
    .replace(MODIFIER_AS_NAME, (word) => "n".repeat(word.length));
}

function withoutMisread(text: string): string {
  const bare = blanked(text, annotations(text));
  const ranges = MISREAD.filter(({ mark }) => bare.includes(mark)).flatMap(({ pattern }) =>
    Array.from(bare.matchAll(pattern), ({ index, 0: match }) => [index, index + match.length] as const),
  );
  return blanked(
    bare,
    [...ranges, ...delegations(bare)].sort(([a], [b]) => a - b),
  );
}

/** Moves the parameters of a class to its line and the line breaks after them. */
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
