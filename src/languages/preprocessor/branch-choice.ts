export type Range = readonly [start: number, end: number];

/** One branch of an `#if`: the text between its directive and the next one. */
export interface Branch {
  readonly start: number;
  readonly end: number;
  /** First line of the branch, counted from 1, and the number of lines. */
  readonly line: number;
  readonly lines: number;
  readonly hasCode: boolean;
}

/** An `#if` with all its branches up to `#endif`. */
export interface Group {
  readonly directives: readonly Range[];
  readonly branches: readonly Branch[];
  /** Branches that define nothing or are never compiled, such as those under `#if 0`. */
  readonly dead: readonly Branch[];
  /** True if no branch cuts a declaration in half, so that all branches can be read together. */
  readonly isWhole: boolean;
  /** Indexes of the branches in order of preference; an index without a branch means that none is taken. */
  readonly order: readonly number[];
  /** True if the group is in a place for declarations and not in the body of a function. */
  readonly mayDefine: boolean;
}

/** Codes for braces that open a block of statements, a value or an enum. */
export const STATEMENTS = 1;
export const VALUES = 2;
export const CONSTANTS = 3;

/** State of the brackets at a position in the code. */
export interface State {
  /** Open brackets, as character codes or as one of the codes above. */
  readonly stack: readonly number[];
  /** Last character of the code, or 0 at the beginning. */
  readonly last: number;
}

/**
 * A branch after reading. `first` and `last` are characters of its code, and `low` is the lowest bracket depth in
 * it.
 */
export interface ReadBranch extends Branch {
  /** The normalised condition of the branch; undefined for `#else`. */
  readonly condition: string | undefined;
  readonly isWhole: boolean;
  /** True if the branch defines nothing. */
  readonly isIdle: boolean;
  readonly after: State;
  readonly first: number;
  readonly low: number;
}

/** A declaration, statement or list entry may begin after these characters. */
const BEFORE = toCharCodes(";{},:([]");
const LAST = toCharCodes(";},:");
/** Characters that continue the code before them. */
const CARRIES_ON = toCharCodes("=),;.:?<>|^%/");

function toCharCodes(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}

/** True if a branch does not cut a declaration or a statement in half. */
export function isWholeBranch({
  before,
  after,
  first,
  low,
}: {
  readonly before: State;
  readonly after: State;
  readonly first: number;
  readonly low: number;
}): boolean {
  if (first === 0) return true;
  const depth = before.stack.length;
  if (low < depth || after.stack.length !== depth) return false;
  if ((before.last !== 0 && !BEFORE.has(before.last)) || CARRIES_ON.has(first)) return false;
  const isAttribute = first === 0x5b && after.last === 0x5d;
  return LAST.has(after.last) || isAttribute;
}

/** Normalises the condition of a directive, so that `#ifdef X` equals `#if defined(X)`; undefined for `#else`. */
export function conditionOf(word: string, rest: string): string | undefined {
  if (word === "else") return undefined;
  const bare = rest.replace(/\/\/.*|\/\*[^]*?\*\//gu, "").replace(/\bdefined\b|[\s\\]+/gu, "");
  const condition = /^\(\w+\)$/u.test(bare) ? bare.slice(1, -1) : bare.replace(/^!\((\w+)\)$/u, "!$1");
  return word.endsWith("ndef") ? `!${condition}` : condition;
}

interface Halves {
  readonly directives: readonly Range[];
  readonly branches: readonly ReadBranch[];
  readonly before: State;
}

/**
 * Decides which branches are read and after which one the following code continues. `known` keeps the conditions
 * assumed true where a branch cut something in half, so that the other half is cut the same way.
 */
export function chooseBranches(
  { directives, branches, before }: Halves,
  known: Map<string, boolean>,
): { readonly group: Group; readonly taken: ReadBranch | undefined } {
  const always = branches.findIndex(({ condition }) => evaluate(condition, known) === "always");
  const dead = branches.filter(
    ({ condition, isIdle }, index) =>
      isIdle || evaluate(condition, known) === "never" || (always >= 0 && index > always),
  );
  const live = branches.filter((branch) => !dead.includes(branch));
  const isInList = before.stack.at(-1) === 0x28 && live.length > 1;
  const isWhole = !isInList && live.every((branch) => branch.isWhole);
  const mayDefine = before.stack.every((code) => code === 0x7b || code === CONSTANTS);
  const shared = { directives, branches, dead, isWhole, mayDefine };
  if (isWhole) return { group: { ...shared, order: [] }, taken: live.findLast(({ hasCode }) => hasCode) };
  const taken =
    live.find(({ condition }) => evaluate(condition, known) === true) ??
    live.find(({ condition }) => evaluate(condition, known) !== false);
  if (taken?.condition !== undefined) assumeTrue(taken.condition, known);
  const others = live.filter((branch) => branch !== taken).map((branch) => branches.indexOf(branch));
  const hasElse = branches.some(({ condition }) => condition === undefined);
  const none = hasElse ? [] : [branches.length];
  const order = taken === undefined ? [...none, ...others] : [branches.indexOf(taken), ...others, ...none];
  return { group: { ...shared, order }, taken };
}

function evaluate(
  condition: string | undefined,
  known: ReadonlyMap<string, boolean>,
): boolean | "always" | "never" | undefined {
  if (condition === undefined) return undefined;
  if (/^0$/u.test(condition)) return "never";
  if (/^1$/u.test(condition)) return "always";
  const { name, isNegated } = bareCondition(condition);
  const value = known.get(name);
  return value === undefined ? undefined : value !== isNegated;
}

function assumeTrue(condition: string, known: Map<string, boolean>): void {
  const { name, isNegated } = bareCondition(condition);
  known.set(name, !isNegated);
}

function bareCondition(condition: string): { readonly name: string; readonly isNegated: boolean } {
  const isNegated = /^!\w+$/u.test(condition);
  return { name: isNegated ? condition.slice(1) : condition, isNegated };
}
