import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile } from "../../model/diagnostic-group.ts";
import { sharedStart } from "./families.ts";

/** Two messages on one list have to save so many tokens. */
const MIN_SAVED = 8;
/** The signs behind a file's name, or behind a rule's, and a line's end. */
const SIGN_TOKENS = 2;
/** A rule with more messages than that is a compiler's, and they have little in common. */
const MAX_TRIED = 8;

/**
 * Lists two messages of one rule together where that costs less, as they are about the same files:
 * `Function '…' {is too long (… > 60), +has too many statements (… > 40)}`, and `+` before the lines of the second.
 */
export function inTwos(groups: readonly DiagnosticGroup[]): readonly DiagnosticGroup[] {
  const byRule = new Map<string, DiagnosticGroup[]>();
  for (const group of groups) {
    const known = byRule.get(ruleOf(group));
    if (known === undefined) byRule.set(ruleOf(group), [group]);
    else known.push(group);
  }
  /** What becomes of groups: the first of two is both, the second nothing. */
  const joined = new Map<DiagnosticGroup, DiagnosticGroup | undefined>();
  for (const all of byRule.values())
    for (const [at, group] of all.entries()) {
      if (joined.has(group)) continue;
      const others = all.slice(at + 1, at + 1 + MAX_TRIED).filter((other) => !joined.has(other));
      const partner = bestPartner(group, others);
      if (partner === undefined) continue;
      // The marks stand where they are fewer.
      joined.set(group, group.count < partner.count ? join(partner, group) : join(group, partner));
      joined.set(partner, undefined);
    }
  return groups.flatMap((group) => (joined.has(group) ? (joined.get(group) ?? []) : [group]));
}

/** Both messages as one text: what they share once, the rest in braces. */
export function eitherOf(one: string, other: string): string {
  if (one === other) return one;
  const start = sharedStart(one, other).length;
  const end = sharedEnd(one.slice(start), other.slice(start));
  const rest = (text: string): string => text.slice(start, text.length - end);
  return `${one.slice(0, start)}{${rest(one)}, +${rest(other)}}${one.slice(one.length - end)}`;
}

function ruleOf({ tool, severity, code, url, help }: DiagnosticGroup): string {
  return [tool, severity, code, url, ...(help ?? [])].join("\0");
}

/** The one with which most is saved: words of the messages, the names of files they share, and that of the rule. */
function bestPartner(
  group: DiagnosticGroup,
  others: readonly DiagnosticGroup[],
): DiagnosticGroup | undefined {
  const files = new Set(group.files.map(({ file }) => file));
  let best: DiagnosticGroup | undefined;
  let most = MIN_SAVED - 1;
  for (const other of others) {
    if (!isPair(group, other)) continue;
    const texts = [group.template, other.template, eitherOf(group.template, other.template)];
    const [one = 0, two = 0, either = 0] = texts.map(estimateTokens);
    let saved = one + two - either + estimateTokens(group.code ?? "") + SIGN_TOKENS;
    for (const { file } of other.files)
      if (file !== undefined && files.has(file)) saved += estimateTokens(file) + SIGN_TOKENS;
    if (saved > most) [best, most] = [other, saved];
  }
  return best;
}

/** Whether the messages share words and the number of gaps, and can be told apart; and each place can carry the mark. */
function isPair(one: DiagnosticGroup, other: DiagnosticGroup): boolean {
  const gaps = (text: string): number => text.match(/…/g)?.length ?? 0;
  return (
    gaps(one.template) === gaps(other.template) &&
    (sharedStart(one.template, other.template) !== "" || sharedEnd(one.template, other.template) > 0) &&
    ![one, other].some(
      ({ template, files }) =>
        /[{}\n]|, \+|…\d/.test(template) ||
        files.some(({ file, places }) => file === undefined || places.some(({ line }) => line === undefined)),
    )
  );
}

/** The same message is twice in a list where only some of its places have help. */
function join(main: DiagnosticGroup, other: DiagnosticGroup): DiagnosticGroup {
  const isSame = main.template === other.template;
  const files = new Map<string | undefined, GroupedFile>(main.files.map((one) => [one.file, one]));
  for (const { file, places } of other.files) {
    const marked = isSame ? places : places.map((place) => ({ ...place, isOther: true }) as const);
    const known = files.get(file);
    files.set(file, {
      ...known,
      ...(file === undefined ? {} : { file }),
      places: [...(known?.places ?? []), ...marked],
    });
  }
  return {
    ...main,
    ...(isSame ? {} : { other: other.template }),
    files: [...files.values()],
    count: main.count + other.count,
  };
}

/** From a blank on. */
function sharedEnd(one: string, other: string): number {
  let same = 0;
  while (same < Math.min(one.length, other.length) && one.at(-1 - same) === other.at(-1 - same)) same++;
  const from = one.indexOf(" ", one.length - same);
  return from < 0 || same === 0 ? 0 : one.length - from;
}
