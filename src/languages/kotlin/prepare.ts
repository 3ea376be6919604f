import { skipAnnotations } from "../signature.ts";
import { blanked } from "../blank.ts";
import { delegations } from "./delegation.ts";

const ANNOTATION_LINE = /^[ \t]*@(?!file:)/gmu;
/** A condition in parentheses, which may go on over lines, or one to the end of its own. */
const GUARD =
  /(?=[ \t]+if\b)(?<=^[ \t]*(?:is[ \t]+[\w.<>*?, \t]+|[\w.]+))[ \t]+if\b(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)[ \t]*|[^\n{}]*?)(?=->)/gmu;
/** `context(_: Scope)` above a declaration. */
const CONTEXT = /^[ \t]*context\((?:[^()]|\([^()]*\))*\)(?=\s*\n\s*\w)/gmu;
/** A class's constructor on a line of its own, which is taken for one of the body around the class. */
const CONSTRUCTOR_LINE =
  /(?=\r?\n\s*(?:\w+[ \t]+){0,3}constructor\b)(?<=\bclass[ \t]+\w+(?:<[^\n]*>)?[ \t]*)\s+(?:\w+[ \t]+){0,3}constructor[ \t]*\(/gu;
/** With a text that has to be there, which is found faster. */
const MISREAD: readonly { readonly mark: string; readonly pattern: RegExp }[] = [
  { mark: " if ", pattern: GUARD },
  { mark: "context(", pattern: CONTEXT },
  { mark: '$$"', pattern: /\$\$+(?=")/gu },
  { mark: "suspend {", pattern: /\bsuspend(?=\s*\{)/gu },
  { mark: "?::", pattern: /\?(?=::)/gu },
];
/** `insert { … } get Users.id`, `set = 1`, `get("/") { … }`, `get { … }`: an accessor is followed by none of these. */
const NO_ACCESSOR =
  /[gs]et(?:(?=[ \t]*\{|\((?:["\d]|\w+[ \t]*[.(]))(?<=^[ \t]*\wet)|(?=\(\s*[^)\s])(?<=^[ \t]*get)|(?=[ \t]+(?:\w|[-+*/%!<>=]?=))(?<=[ \t]\wet)|(?=[ \t]\()(?<=\}[ \t]\wet)|(?=[.,)])(?<=[ \t(,]\wet))/gmu;
/** `open = isOpen`, `data.size`, `f(open(1))`: a modifier is never assigned to, called or looked into. */
const MODIFIER_AS_NAME =
  /\b(?:open|data|inner|sealed|inline|operator|infix|external|expect|actual|final|where|suspend)(?:(?=[ \t]*(?:[-+*/%]?=(?!=)|\??\.|\[))(?<=(?:^|[({,=])[ \t]*\w+)|(?=\()(?<=(?:^|[({,=])[ \t]*(?!where|suspend)\w+)|(?=:)(?<=[(,][ \t]*suspend))/gmu;
/** `in1.read()`: a name, not the operator and a number. */
const OPERATOR_IN_NAME = /\bin(?=\d)/gu;

/**
 * Blanks what the grammar misreads: annotations on their own lines turn a class into an expression, and guards in
 * `when` are newer than it. Words that are keywords only in some places are replaced in all others.
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

/** The class's parameters begin on its line; the line breaks before them come after. */
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
