import { addToGroup } from "../../kernel/group-by.ts";
import { BODY_START, type SecretKind } from "./secret-kind.ts";

/**
 * A cheaper approximation of START (where a token may begin): it matches wherever START does, and at some other
 * positions.
 */
const NEAR_START = "(?:^|[^0-9A-Za-z])(?:[nrt]|[0-9A-Fa-f]{2})?";
/** Matches the first element of a regular expression if that is a letter, a digit or a small class of letters. */
const FIRST = /^(?:[A-Za-z0-9]|\[[A-Za-z]{2,3}\])/;

/**
 * Compiles marks into one expression. Those that begin with a letter or digit are tried only where a token may begin,
 * not at every character.
 */
export function anyOf(marks: readonly string[]): RegExp {
  const words = marks.filter((mark) => FIRST.test(mark));
  const others = marks.filter((mark) => !FIRST.test(mark));
  return new RegExp(
    [...(words.length === 0 ? [] : [`${NEAR_START}(?:${anyWord(words)})`]), ...others].join("|"),
  );
}

/** Joins marks that begin with a letter or digit. What most of them end with is written once, so that V8 compiles less. */
function anyWord(words: readonly string[]): string {
  const prefixes = words
    .filter((word) => word.endsWith(BODY_START))
    .map((word) => word.slice(0, -BODY_START.length));
  const others = words.filter((word) => !word.endsWith(BODY_START));
  return [
    ...(prefixes.length === 0 ? [] : [`(?:${groupByFirst(prefixes)})${BODY_START}`]),
    ...(others.length === 0 ? [] : [groupByFirst(others)]),
  ].join("|");
}

/**
 * Groups the alternatives of a regular expression by their first element, so that the engine tries fewer of them at
 * each position.
 */
function groupByFirst(marks: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const mark of marks) {
    const [first = ""] = FIRST.exec(mark) ?? [];
    addToGroup(groups, first, mark.slice(first.length));
  }
  return [...groups].map(([first, rests]) => `${first}(?:${rests.join("|")})`).join("|");
}

/** Kinds of secrets that have the same marks, and a quick test for these. */
export class MarkedKinds {
  readonly kinds: readonly SecretKind[];
  readonly #marks: readonly string[];
  /** A line without any of these texts has none of the marks; undefined if a mark does not begin with a fixed text. */
  readonly #literals: readonly string[] | undefined;
  /** Compiled on first use, because most programs never print a text that needs it. */
  #marked: RegExp | undefined;

  constructor(kinds: readonly SecretKind[]) {
    this.kinds = kinds;
    this.#marks = kinds[0]?.marks ?? [];
    const literals = this.#marks.map(leadingText);
    this.#literals = literals.includes("") ? undefined : literals;
  }

  /** Returns whether a line may have a secret of these kinds. */
  mayBeIn(line: string): boolean {
    if (this.#literals !== undefined && !this.#literals.some((literal) => line.includes(literal)))
      return false;
    this.#marked ??= anyOf(this.#marks);
    return this.#marked.test(line);
  }
}

/** Returns the fixed text with which every match of a regular expression begins. */
export function leadingText(source: string): string {
  const [text = ""] = /^(?:[\w:-]|\\[./-])+/.exec(source) ?? [];
  // A quantifier after the text means that its last character may be missing.
  const isFixed = !/^[?*{]/.test(source.slice(text.length));
  return (isFixed ? text : text.replace(/\\?.$/, "")).replaceAll("\\", "");
}

/** Puts kinds with the same marks together. */
export function groupByMarks(kinds: readonly SecretKind[]): MarkedKinds[] {
  const groups = new Map<string, SecretKind[]>();
  for (const kind of kinds) addToGroup(groups, kind.marks.join("\n"), kind);
  return [...groups.values()].map((group) => new MarkedKinds(group));
}
