import type { CodeSyntax } from "./code-syntax.ts";

/** One name that a piece of code uses, and how it is used. */
export interface Mention {
  readonly name: string;
  /** The name before this one: `util` in `util.parse`, `Claims` in `Claims::new`. It is empty after an expression. */
  readonly qualifier?: string;
  /** True if the separator (`::` or `\`) shows that the qualifier is a type or a module; a dot does not show that. */
  readonly isPath: boolean;
  readonly isCalled: boolean;
  readonly count: number;
}

/** Matches the operator between a qualifier and a name. */
const MEMBER_OPERATOR = /(?:\?\.|!\.|\.|->|::|\\)$/;
const LAST_NAME = /[\p{L}\p{N}_$]+$/u;
/** Matches what follows a name that is called: parentheses, optionally after type arguments or the `!` of a macro. */
const CALL = /^!?(?:::)?(?:<[^<>()\n]{0,60}>)?\(/;
/**
 * Matches what follows an object key, a named argument or a typed parameter; such a name is not a use of a definition.
 */
const KEY_SUFFIX = /^\??\s*:(?!:)|^\s*=(?![=>])/;
const KEY_PREFIX = /[{,(|]\s*$/;
/** Number of characters before and after a name that are checked for how it is used. */
const MAX_CONTEXT_CHARS = 80;

/** Finds the names that code uses, except in comments and strings. */
export function mentionsIn(code: string, { tokens }: CodeSyntax): Mention[] {
  const found = new Map<string, Mention>();
  for (const { 1: name, index } of code.matchAll(tokens)) {
    if (name === undefined || name.length < 3) continue;
    const after = code.slice(index + name.length, index + name.length + MAX_CONTEXT_CHARS);
    if (KEY_SUFFIX.test(after) && KEY_PREFIX.test(code.slice(Math.max(0, index - MAX_CONTEXT_CHARS), index)))
      continue;
    const { qualifier, isPath } = qualifierBefore(code, index);
    const key = `${qualifier ?? " "} ${name}`;
    const known = found.get(key);
    found.set(key, {
      name,
      ...(qualifier !== undefined && { qualifier }),
      isPath,
      isCalled: known?.isCalled === true || CALL.test(after),
      count: (known?.count ?? 0) + 1,
    });
  }
  return [...found.values()];
}

function qualifierBefore(code: string, index: number): Pick<Mention, "qualifier" | "isPath"> {
  const joint = MEMBER_OPERATOR.exec(code.slice(Math.max(0, index - 2), index))?.[0];
  if (joint === undefined) return { isPath: false };
  const end = index - joint.length;
  const [qualifier = ""] = LAST_NAME.exec(code.slice(Math.max(0, end - MAX_CONTEXT_CHARS), end)) ?? [];
  return { qualifier, isPath: joint === "::" || joint === "\\" };
}
