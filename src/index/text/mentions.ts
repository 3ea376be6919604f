import type { CodeSyntax } from "./code-syntax.ts";

/** How a piece of code uses a name. */
export interface Mention {
  readonly name: string;
  /** What stands before it: `util` in `util.parse`, `Claims` in `Claims::new`. Empty for the result of an expression. */
  readonly qualifier?: string;
  /** The qualifier is a type or a module by its sign (`::`), which a dot does not say. */
  readonly isPath: boolean;
  readonly isCalled: boolean;
  readonly count: number;
}

/** What joins a name to the one before it. */
const MEMBER_OPERATOR = /(?:\?\.|!\.|\.|->|::|\\)$/;
const LAST_NAME = /[\p{L}\p{N}_$]+$/u;
/** A call, perhaps with type arguments or, of a macro, a mark before its brackets. */
const CALL = /^!?(?:::)?(?:<[^<>()\n]{0,60}>)?\(/;
/** A key of an object, a named argument, or a parameter with its type: not a use of the name. */
const KEY_SUFFIX = /^\??\s*:(?!:)|^\s*=(?![=>])/;
const KEY_PREFIX = /[{,(|]\s*$/;
/** How far around a name is looked. */
const MAX_CONTEXT_CHARS = 80;

/** The names that code uses, outside comments and strings. */
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
