import { ANNOUNCED_SECRETS } from "./announced-secrets.ts";
import { cookieSecrets } from "./cookies.ts";
import { environmentSecrets } from "./environment.ts";
import { PROVIDER_TOKENS } from "./provider-tokens.ts";
import type { SecretKind } from "./secret-kind.ts";

/** A stretch of text to be masked: from (inclusive), to (exclusive). */
export type Range = readonly [from: number, to: number];

/** Where a mark may begin that begins with a letter or digit: a little more than START, and cheaper to look for. */
const NEAR_START = "(?:^|[^0-9A-Za-z])(?:[nrt]|[0-9A-Fa-f]{2})?";
/** What an expression begins with: a letter, a digit, or a few of them to choose from. */
const FIRST = /^(?:[A-Za-z0-9]|\[[A-Za-z]{2,3}\])/;

const KINDS: readonly (SecretKind & { readonly marked: RegExp })[] = [
  ...PROVIDER_TOKENS,
  ...ANNOUNCED_SECRETS,
].map((kind) => ({ ...kind, marked: anyOf(kind.marks) }));

/**
 * A line without a match of this holds no secret of any kind: one pass over it is what most lines cost. Marks that
 * begin with a letter or digit are not tried at every character, but where a token may begin.
 */
const TRIGGER = anyOf([
  ...KINDS.flatMap(({ marks }) => marks),
  "[Cc]ookie\\\\{0,3}[\"']?\\s{0,4}:",
  // The end of a variable's name.
  "(?:[A-Z0-9_]{3}=)",
]);

function anyOf(marks: readonly string[]): RegExp {
  const words = marks.filter((mark) => FIRST.test(mark));
  const others = marks.filter((mark) => !FIRST.test(mark));
  return new RegExp(
    [...(words.length === 0 ? [] : [`${NEAR_START}(?:${byFirst(words)})`]), ...others].join("|"),
  );
}

/** The same alternatives, each beginning once: an engine tries them one after the other. */
function byFirst(marks: readonly string[]): string {
  const groups = new Map<string, string[]>();
  for (const mark of marks) {
    const [first = ""] = FIRST.exec(mark) ?? [];
    groups.set(first, [...(groups.get(first) ?? []), mark.slice(first.length)]);
  }
  return [...groups].map(([first, rests]) => `${first}(?:${rests.join("|")})`).join("|");
}

/** A line end that is escaped, in a string or in JSON, once or more. */
const ESCAPED_LINE_END = /(?:\\+[nr])+/g;

/** Where the secrets of one line stand, in order, without overlap. A line may be a string that holds several lines. */
export function findSecrets(line: string, isVariablesFile = false): Range[] {
  if (!isVariablesFile && !TRIGGER.test(line)) return [];
  const found: Range[] = [];
  let from = 0;
  for (const end of [...line.matchAll(ESCAPED_LINE_END), { index: line.length, 0: "" }]) {
    for (const [start, to] of secretsOfLine(line.slice(from, end.index), isVariablesFile))
      found.push([from + start, from + to]);
    from = end.index + end[0].length;
  }
  return found;
}

function secretsOfLine(line: string, isVariablesFile: boolean): Range[] {
  const found: Range[] = [...cookieSecrets(line), ...environmentSecrets(line, isVariablesFile)];
  for (const kind of KINDS) if (kind.marked.test(line)) found.push(...secretsOfKind(kind, line));
  return merged(found);
}

function secretsOfKind({ shape, isReal }: SecretKind, line: string): Range[] {
  const found: Range[] = [];
  for (const match of line.matchAll(shape)) {
    const { secret = match[0], body = secret } = match.groups ?? {};
    const range = match.indices?.groups?.["secret"] ?? match.indices?.[0];
    if (range !== undefined && isReal(body, match)) found.push(range);
  }
  return found;
}

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last === undefined || from >= last[1]) result.push([from, to]);
    else if (to > last[1]) result[result.length - 1] = [last[0], to];
  }
  return result;
}
