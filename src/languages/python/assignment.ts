import { matchAt, type Statement } from "./statement.ts";

export interface BoundName {
  readonly name: string;
  /** Bound by `type X = …`. */
  readonly isType: boolean;
}

const TYPE_ALIAS = /type[ \t]+([\p{ID_Start}_][\p{ID_Continue}]*)[ \t]*[[=]/uy;
const TARGET = /^[\s(*[\\]*([\p{ID_Start}_][\p{ID_Continue}]*)[\s)\]\\]*$/u;
/** A longer list of targets is data that was unpacked. */
const MAX_TARGETS_TEXT = 2000;

/** The names that a statement assigns to, declares or makes an alias. */
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

/** Where the last target of `a = b = value` ends; a lambda's defaults are no targets. */
function lastTargetEnd(equals: readonly number[], text: string): number {
  const [first = -1] = equals;
  const real = equals.filter((at) => at === first || !/\blambda\b/u.test(text.slice(first, at)));
  return real.at(-1) ?? -1;
}

/** `a[b, c]` and `f(x).a` name nothing, nor do the names in their brackets: such brackets become a dot. */
function withoutSubscripts(targets: string): string {
  if (!/[\p{ID_Continue}\])"'][ \t]*[[(]/u.test(targets)) return targets;
  let result = "";
  // How deep we are inside the brackets that follow a name.
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
