import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile } from "../../model/diagnostic-group.ts";

/** The fewest tokens that listing two messages together must save. */
const MIN_SAVED = 8;
/** The tokens of the punctuation after the name of a file or a rule, including the line end. */
const SIGN_TOKENS = 2;
/**
 * How many messages of a rule are tried as partners of one of them. A rule with more messages is a compiler's, and
 * these have little in common.
 */
const MAX_TRIED = 8;

/**
 * Lists two messages of one rule together if they are about the same files and that saves tokens: `Function '…' {is too
 * long (… > 60), +has too many statements (… > 40)}`, with a `+` before the line numbers of the second.
 */
export function pairMessages(groups: readonly DiagnosticGroup[]): readonly DiagnosticGroup[] {
  const byRule = new Map<string, DiagnosticGroup[]>();
  for (const group of groups) {
    const known = byRule.get(ruleOf(group));
    if (known === undefined) byRule.set(ruleOf(group), [group]);
    else known.push(group);
  }
  /** Maps the first message of each pair to the joined one, and the second to undefined. */
  const joined = new Map<DiagnosticGroup, DiagnosticGroup | undefined>();
  for (const all of byRule.values())
    for (const [at, group] of all.entries()) {
      if (joined.has(group)) continue;
      const others = all.slice(at + 1, at + 1 + MAX_TRIED).filter((other) => !joined.has(other));
      const partner = bestPartner(group, others);
      if (partner === undefined) continue;
      // The message that is reported at fewer places comes second, and its places get the `+` marks.
      joined.set(group, group.count < partner.count ? join(partner, group) : join(group, partner));
      joined.set(partner, undefined);
    }
  return groups.flatMap((group) => (joined.has(group) ? (joined.get(group) ?? []) : [group]));
}

/** Writes two messages as one text: the words they share once, the different ones in braces. */
export function joinMessages(one: string, other: string): string {
  if (one === other) return one;
  const start = sharedStart(one, other).length;
  const end = sharedEnd(one.slice(start), other.slice(start));
  const rest = (text: string): string => text.slice(start, text.length - end);
  return `${one.slice(0, start)}{${rest(one)}, +${rest(other)}}${one.slice(one.length - end)}`;
}

function ruleOf({ tool, severity, code, url, help }: DiagnosticGroup): string {
  return [tool, severity, code, url, ...(help ?? [])].join("\0");
}

/**
 * Finds the message that saves most tokens if it is listed together with this one: shared words and file names, and the
 * name of the rule.
 */
function bestPartner(
  group: DiagnosticGroup,
  others: readonly DiagnosticGroup[],
): DiagnosticGroup | undefined {
  const files = new Set(group.files.map(({ file }) => file));
  let best: DiagnosticGroup | undefined;
  let mostSaved = MIN_SAVED - 1;
  for (const other of others) {
    if (!isPair(group, other)) continue;
    const texts = [group.template, other.template, joinMessages(group.template, other.template)];
    const [one = 0, two = 0, either = 0] = texts.map(estimateTokens);
    let saved = one + two - either + estimateTokens(group.code ?? "") + SIGN_TOKENS;
    for (const { file } of other.files)
      if (file !== undefined && files.has(file)) saved += estimateTokens(file) + SIGN_TOKENS;
    if (saved > mostSaved) [best, mostSaved] = [other, saved];
  }
  return best;
}

/**
 * Checks whether two messages can be listed together: they share words and have the same number of gaps (`…`), stay
 * distinguishable, and every place can carry a mark.
 */
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

/** Joins two messages. They may be equal, if only some of their places come with help. */
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

/** The words that two messages begin with, up to a space in the first line. */
export function sharedStart(one: string, other: string): string {
  let same = 0;
  while (same < one.length && one[same] === other[same] && one[same] !== "\n") same++;
  return one.slice(0, one.lastIndexOf(" ", same - 1) + 1);
}

/** The length of the words that two messages end with, counted from a space on. */
function sharedEnd(one: string, other: string): number {
  let same = 0;
  while (same < Math.min(one.length, other.length) && one.at(-1 - same) === other.at(-1 - same)) same++;
  const from = one.indexOf(" ", one.length - same);
  return from < 0 || same === 0 ? 0 : one.length - from;
}
