export type Range = readonly [start: number, end: number];

/** One branch of an `#if`: what stands between its directive and the next. */
export interface Branch {
  readonly start: number;
  readonly end: number;
  /** Its first line, from 1 on, and how many there are. */
  readonly line: number;
  readonly lines: number;
  readonly hasCode: boolean;
}

/** An `#if` with all its branches, up to `#endif`. */
export interface Group {
  readonly directives: readonly Range[];
  readonly branches: readonly Branch[];
  /** Branches that define nothing, or are never compiled: under `#if 0`, or behind `#if 1`. */
  readonly dead: readonly Branch[];
  /** Each branch can stand beside the others. */
  readonly isWhole: boolean;
  /** Indexes of branches, the one to take first at the beginning; one that does not exist stands for none. */
  readonly order: readonly number[];
  /** It stands where declarations do, in no function's body. */
  readonly mayDefine: boolean;
}

/** Stand for the braces of a block of statements, of a value, and of an enum. */
export const STATEMENTS = 1;
export const VALUES = 2;
export const CONSTANTS = 3;

/** What is known of the code up to a place. */
export interface State {
  /** Open brackets by their codes, or what stands for them. */
  readonly stack: readonly number[];
  /** The last character of the code, 0 before any. */
  readonly last: number;
}

/** A branch as it was read; `first` and `last` are characters of its code, `low` the fewest brackets open in it. */
export interface ReadBranch extends Branch {
  /** Undefined for `#else`. */
  readonly condition: string | undefined;
  readonly isWhole: boolean;
  /** It defines nothing. */
  readonly isIdle: boolean;
  readonly after: State;
  readonly first: number;
  readonly low: number;
}

/** Characters behind which a declaration, a statement or an entry of a list may begin, and before which one has ended. */
const BEFORE = codes(";{},:([]");
const LAST = codes(";},:");
/** Characters that carry on what stands before them. */
const CARRIES_ON = codes("=),;.:?<>|^%/");

function codes(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}

/** Whether a branch cuts nothing in half. */
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

/** The condition of a directive, in one form for `#ifdef X` and `#if defined(X)`; undefined for `#else`. */
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
 * Which branches are read, and the one that the code behind them carries on. `known` keeps what was taken to be true where
 * a branch cut something in half, so that the other half is cut the same way.
 */
export function decided(
  { directives, branches, before }: Halves,
  known: Map<string, boolean>,
): { readonly group: Group; readonly taken: ReadBranch | undefined } {
  const always = branches.findIndex(({ condition }) => truth(condition, known) === "always");
  const dead = branches.filter(
    ({ condition, isIdle }, index) =>
      isIdle || truth(condition, known) === "never" || (always >= 0 && index > always),
  );
  const live = branches.filter((branch) => !dead.includes(branch));
  const isInList = before.stack.at(-1) === 0x28 && live.length > 1;
  const isWhole = !isInList && live.every((branch) => branch.isWhole);
  const mayDefine = before.stack.every((code) => code === 0x7b || code === CONSTANTS);
  const shared = { directives, branches, dead, isWhole, mayDefine };
  if (isWhole) return { group: { ...shared, order: [] }, taken: live.findLast(({ hasCode }) => hasCode) };
  const taken =
    live.find(({ condition }) => truth(condition, known) === true) ??
    live.find(({ condition }) => truth(condition, known) !== false);
  if (taken?.condition !== undefined) remember(taken.condition, known);
  const others = live.filter((branch) => branch !== taken).map((branch) => branches.indexOf(branch));
  const hasElse = branches.some(({ condition }) => condition === undefined);
  const none = hasElse ? [] : [branches.length];
  const order = taken === undefined ? [...none, ...others] : [branches.indexOf(taken), ...others, ...none];
  return { group: { ...shared, order }, taken };
}

function truth(
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

function remember(condition: string, known: Map<string, boolean>): void {
  const { name, isNegated } = bareCondition(condition);
  known.set(name, !isNegated);
}

function bareCondition(condition: string): { readonly name: string; readonly isNegated: boolean } {
  const isNegated = /^!\w+$/u.test(condition);
  return { name: isNegated ? condition.slice(1) : condition, isNegated };
}
