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

/** The name before a dot or a colon pair that ends a text, if a name stands there. */
const QUALIFIER = /([\p{L}_$][\p{L}\p{N}_$]*)?(\?\.|!\.|\.|->|::|\\)$/u;
/** A call, perhaps with type arguments or, of a macro, a mark before its brackets. */
const CALL = /^!?(?:::)?(?:<[^<>()\n]{0,60}>)?\(/;
/** A key of an object, a named argument, or a parameter with its type: not a use of the name. */
const KEY = /^\??\s*:(?!:)|^\s*=(?![=>])/;
const OPENS_KEY = /[{,(|]\s*$/;
/** How far back a key's opening sign is looked for. */
const BEFORE = 80;

/** The names that code uses, outside comments and strings. */
export function mentionsIn(code: string, { tokens }: CodeSyntax): Mention[] {
  const found = new Map<string, Mention>();
  for (const { 1: name, index } of code.matchAll(tokens)) {
    if (name === undefined) continue;
    const before = code.slice(Math.max(0, index - BEFORE), index);
    const after = code.slice(index + name.length, index + name.length + BEFORE);
    if (KEY.test(after) && OPENS_KEY.test(before)) continue;
    const joint = QUALIFIER.exec(before);
    const qualifier = joint === null ? undefined : (joint[1] ?? "");
    const isPath = joint?.[2] === "::" || joint?.[2] === "\\";
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
