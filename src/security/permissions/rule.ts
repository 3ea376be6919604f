import { compileUntrusted } from "../untrusted-regex.ts";
import { PithError } from "../../kernel/errors.ts";

/** A word of a command as the rules see it. */
export interface Argument {
  readonly text: string;
  /** True if the shell changes the text, so that it is unknown what the program gets. */
  readonly expands: boolean;
  /** True if the expansion can result in several words or in none, so that the place of later words is unknown. */
  readonly splits: boolean;
}

/** A permission rule: the first words of a command, or a whole command line. */
export interface Rule {
  readonly source: string;
  /** The whole command line that a rule like `= make all` names; it has no words then. */
  readonly line?: string;
  readonly words: readonly RuleWord[];
  /** The number of characters that are not wildcards; of two matching rules the more specific one counts. */
  readonly specificity: number;
}

interface RuleWord {
  readonly text: string;
  readonly isAny: boolean;
  matches(text: string): boolean;
}

/** Whether a rule matches a command. `maybe` means that it depends on an expansion. */
export type Match = "yes" | "no" | "maybe";

/** True on systems where the names of programs are case-insensitive. */
const IGNORES_CASE = process.platform === "win32" || process.platform === "darwin";
const MAX_STARS = 10;
const EXACT = /^=\s+/;

/** Reads a rule. A malformed one denies every command, because a wrong guess could allow what it was meant to forbid. */
export function readRule(source: string): Rule {
  const known = knownRules.get(source);
  if (known !== undefined) return known;
  const rule = parseRule(source);
  if (knownRules.size >= MAX_KNOWN_RULES) knownRules.clear();
  knownRules.set(source, rule);
  return rule;
}

/** The rules that were read, because the same ones apply to every command. */
const knownRules = new Map<string, Rule>();
const MAX_KNOWN_RULES = 20_000;

function parseRule(source: string): Rule {
  if (EXACT.test(source)) {
    const line = source.replace(EXACT, "").trim();
    return { source, line, words: [], specificity: line.length };
  }
  const words = source.trim().split(/\s+/);
  const isReadable =
    source.trim() !== "" && !/[\p{Cc}"'`\\]/u.test(source) && source.split("*").length - 1 <= MAX_STARS;
  if (!isReadable)
    throw new PithError(
      "permission_denied",
      `[permissions] has a rule that cannot be read: ${JSON.stringify(source)}`,
      { suggestion: 'Write rules as the first words of a command, with * for anything: "npm run *".' },
    );
  return { source, words: words.map(readWord), specificity: source.replaceAll("*", "").trim().length };
}

function readWord(text: string): RuleWord {
  const folded = foldCase(text);
  // Most words have no wildcard, and there may be thousands of rules.
  if (!folded.includes("*")) return { text, isAny: false, matches: (word) => foldCase(word) === folded };
  const pattern = folded.split("*").map(escapeRegExp).join(".*");
  let expression: RegExp | undefined;
  return {
    text,
    isAny: text === "*",
    matches: (word) => (expression ??= compileUntrusted(`^${pattern}$`, "s")).test(foldCase(word)),
  };
}

function foldCase(text: string): string {
  return IGNORES_CASE ? text.toLowerCase() : text;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/**
 * Matches the words of an allowing rule with the words after the program's name. Each word must be where the rule has
 * it, and only `*` matches a word that expands.
 */
export function matchesStrictly({ words }: Rule, args: readonly Argument[]): boolean {
  const [, ...rest] = words;
  let at = 0;
  for (const [i, word] of rest.entries()) {
    // A `*` that stands alone matches one or more words.
    if (word.isAny)
      return i === rest.length - 1 ? args.length > at : matchesLater(rest.slice(i + 1), args, at + 1);
    const arg = args[at++];
    if (arg === undefined || arg.expands || !word.matches(arg.text)) return false;
  }
  return true;
}

function matchesLater(rest: readonly RuleWord[], args: readonly Argument[], from: number): boolean {
  const [next, ...later] = rest;
  if (next === undefined) return true;
  if (next.isAny) return matchesLater(later, args, from + 1);
  const known = args.findIndex((arg) => arg.splits);
  const at = args.findIndex(
    (arg, i) => i >= from && (known < 0 || i < known) && !arg.expands && next.matches(arg.text),
  );
  return at >= 0 && (later.length === 0 || matchesLater(later, args, at + 1));
}

/**
 * Matches the words of a forbidding rule with the words after the program's name. Options with their values may stand
 * between them: the rule `git push` matches `git -C x push`. If the program `takesGoals`, other words may too: the rule
 * `make deploy` matches `make test deploy`.
 */
export function matchLoosely({ words }: Rule, args: readonly Argument[], takesGoals: boolean): Match {
  let reached = new Set([0]);
  let isMaybe = false;
  for (const word of words.slice(1)) {
    const next = new Set<number>();
    for (const at of placesFrom(reached, args, word.isAny || takesGoals)) {
      const arg = args[at];
      if (arg === undefined) continue;
      if (arg.expands && !word.isAny) isMaybe = true;
      if (word.isAny || (!arg.expands && word.matches(arg.text))) next.add(at + 1);
    }
    reached = next;
    if (reached.size === 0) break;
  }
  if (reached.size > 0) return "yes";
  return isMaybe ? "maybe" : "no";
}

/** Words before a subcommand that are none: nothing, a variable, or the name of a toolchain such as `+nightly`. */
const NO_SUBCOMMAND = /^$|^[+@]|^[\w.-]+=/;

/**
 * The places where the next word of a rule may stand, if the words before one of `starts` are matched. Only an option,
 * the value of an option, or a word that may become one can be skipped.
 */
function placesFrom(starts: ReadonlySet<number>, args: readonly Argument[], isAny: boolean): Set<number> {
  const places = new Set<number>();
  for (const start of starts)
    for (let at = start; at < args.length && !places.has(at); at++) {
      places.add(at);
      const isOption =
        [args[at], args[at - 1]].some((arg) => arg?.text.startsWith("-") === true) ||
        NO_SUBCOMMAND.test(args[at]?.text ?? "");
      if (!isAny && !isOption && args[at]?.expands !== true) break;
    }
  return places;
}

/**
 * The rules whose program is named by words that a program may run as a command: by a whole word or inside a longer
 * text.
 */
export function rulesMentionedIn(args: readonly Argument[], rules: readonly Rule[]): Rule[] {
  const tokens = [
    ...new Set(
      args.flatMap(({ text }) => [text, ...tokensIn(text), ...tokensIn(text.replaceAll(/['"\\]/g, ""))]),
    ),
  ];
  const expands = args.some((arg) => arg.expands);
  const has = (word: RuleWord): boolean => tokens.some((token) => token !== "" && word.matches(token));
  return rules.filter(({ words: [program, ...rest] }) => {
    if (program === undefined || program.isAny || !has(program)) return false;
    return rest.every((word) => word.isAny || expands || has(word));
  });
}

function tokensIn(text: string): readonly string[] {
  return text.split(/[^\w.+*-]+/);
}
