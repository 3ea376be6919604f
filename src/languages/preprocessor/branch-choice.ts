export type Range = readonly [start: number, end: number];

/** One branch of a preprocessor `#if`: the text between its directive and the next directive of the same `#if`. */
export interface Branch {
  readonly start: number;
  readonly end: number;
  /** First line of the branch, counted from 1, and the number of lines. */
  readonly line: number;
  readonly lines: number;
  readonly hasCode: boolean;
}

/** A preprocessor `#if` with all its branches, up to the `#endif`. */
export interface Group {
  readonly directives: readonly Range[];
  readonly branches: readonly Branch[];
  /** Branches that are not parsed, because they define nothing or are never compiled, such as those under `#if 0`. */
  readonly dead: readonly Branch[];
  /** True if no branch cuts a declaration in half, so that all branches can be parsed in one text. */
  readonly isWhole: boolean;
  /**
   * Indexes of the branches in the order in which they are chosen. The number of branches as an index means that no
   * branch is chosen.
   */
  readonly order: readonly number[];
  /** True if the `#if` is in a place where declarations may occur, and not in the body of a function. */
  readonly mayDefine: boolean;
}

/** These codes stand for braces that open a block of statements, a value or an enum. */
export const STATEMENTS = 1;
export const VALUES = 2;
export const CONSTANTS = 3;

/** The open brackets at a position in the code. */
export interface State {
  /** Open brackets from the outermost to the innermost, as character codes or as one of the codes for braces. */
  readonly stack: readonly number[];
  /** Code of the last character before the position that is not white space or a comment, or 0 at the beginning. */
  readonly last: number;
}

/** A branch after scanning. `first` is its first character of code, and `low` is the lowest bracket depth in it. */
export interface ReadBranch extends Branch {
  /** The normalised condition under which the branch is compiled; undefined for `#else`. */
  readonly condition: string | undefined;
  readonly isWhole: boolean;
  /** True if the branch defines nothing, because it consists only of macro calls. */
  readonly isIdle: boolean;
  readonly after: State;
  readonly first: number;
  readonly low: number;
}

/** Characters after which a declaration, statement or list entry may begin. */
const BEFORE = toCharCodes(";{},:([]");
const LAST = toCharCodes(";},:");
/** Characters that cannot begin a declaration or statement, because they continue the code before them. */
const CARRIES_ON = toCharCodes("=),;.:?<>|^%/");

function toCharCodes(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}

/** True if a branch of an `#if` does not cut a declaration or statement in half. */
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
 * Decides which branches of an `#if` are parsed and after which of them the following code continues. `known` contains
 * the conditions that were assumed where a branch cut a declaration in half, so that the other half is chosen by the
 * same condition.
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
