import { matchAt, type Statement } from "./statement.ts";

export interface BoundName {
  readonly name: string;
  /** True for a name defined by `type X = …`. */
  readonly isType: boolean;
}

const TYPE_ALIAS = /type[ \t]+([\p{ID_Start}_][\p{ID_Continue}]*)[ \t]*[[=]/uy;
const TARGET = /^[\s(*[\\]*([\p{ID_Start}_][\p{ID_Continue}]*)[\s)\]\\]*$/u;
/** A longer list of targets is unpacked data rather than definitions. */
const MAX_TARGETS_TEXT = 2000;

/** Returns the names that a statement assigns, declares or defines as an alias. */
export function namesBound({ start, end, colon, equals }: Statement, text: string): readonly BoundName[] {
  const alias = equals.length > 0 ? matchAt(TYPE_ALIAS, start, text)?.[1] : undefined;
  if (alias !== undefined) return [{ name: alias, isType: true }];
  const isAnnotated = colon >= 0 && (equals.length === 0 || colon < (equals[0] ?? end));
  const last = lastTargetEnd(equals, text);
  if (last < 0 && !isAnnotated) return [];
  const targets = isAnnotated ? text.slice(start, colon) : text.slice(start, last);
  if (targets.length > MAX_TARGETS_TEXT) return [];
  return withoutSubscripts(targets)
    .split(/[=,]/u)
    .flatMap((target) => {
      const name = TARGET.exec(target)?.[1];
      return name === undefined ? [] : [{ name, isType: false }];
    });
}

/** Returns the end of the last target in `a = b = value`; default values of a lambda are not targets. */
function lastTargetEnd(equals: readonly number[], text: string): number {
  const [first = -1] = equals;
  const real = equals.filter((at) => at === first || !/\blambda\b/u.test(text.slice(first, at)));
  return real.at(-1) ?? -1;
}

/** Replaces brackets after a name with a dot, because `a[b, c]` and `f(x).a` define no names. */
function withoutSubscripts(targets: string): string {
  if (!/[\p{ID_Continue}\])"'][ \t]*[[(]/u.test(targets)) return targets;
  let result = "";
  // Depth inside the brackets that follow a name.
  let depth = 0;
  for (const char of targets) {
    const isOpening = char === "[" || char === "(";
    if (depth > 0) depth += isOpening ? 1 : char === "]" || char === ")" ? -1 : 0;
    else if (isOpening && /[\p{ID_Continue}\])"'.][ \t]*$/u.test(result)) {
      depth = 1;
      result += ".";
    } else result += char;
  }
  return result;
}
