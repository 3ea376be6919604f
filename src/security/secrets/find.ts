import { addToGroup } from "../../kernel/group-by.ts";
import { ANNOUNCED_SECRETS } from "./announced-secrets.ts";
import { cookieSecrets } from "./cookies.ts";
import { environmentSecrets } from "./environment.ts";
import { NAMED_SECRETS } from "./named-secrets.ts";
import { PROVIDER_TOKENS } from "./provider-tokens.ts";
import type { Range, SecretKind } from "./secret-kind.ts";

/**
 * A cheaper approximation of START (where a token may begin): it matches wherever START does, and at some other
 * positions.
 */
const NEAR_START = "(?:^|[^0-9A-Za-z])(?:[nrt]|[0-9A-Fa-f]{2})?";
/** Matches the first element of a regular expression if that is a letter, a digit or a small class of letters. */
const FIRST = /^(?:[A-Za-z0-9]|\[[A-Za-z]{2,3}\])/;

const KINDS: readonly (SecretKind & { readonly marked: RegExp })[] = [
  ...PROVIDER_TOKENS,
  ...ANNOUNCED_SECRETS,
  ...NAMED_SECRETS,
].map((kind) => ({ ...kind, marked: anyOf(kind.marks) }));

/**
 * A line that does not match this expression holds no secret of any kind, so that most lines need only one pass.
 * Alternatives that begin with a letter or digit are tried only where a token may begin, not at every character.
 */
const TRIGGER = anyOf([
  ...new Set(KINDS.flatMap(({ marks }) => marks)),
  "[Cc]ookie\\\\{0,3}[\"']?\\s{0,4}:",
  // The end of a variable's name, as in `TOKEN=`.
  "(?:[A-Z0-9_]{3}=)",
]);

function anyOf(marks: readonly string[]): RegExp {
  const words = marks.filter((mark) => FIRST.test(mark));
  const others = marks.filter((mark) => !FIRST.test(mark));
  return new RegExp(
    [...(words.length === 0 ? [] : [`${NEAR_START}(?:${groupByFirst(words)})`]), ...others].join("|"),
  );
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

/** Matches line ends that are escaped once or several times, as in a string literal or in JSON. */
const ESCAPED_LINE_END = /(?:\\+[nr])+/g;

/** Finds the ranges of a line's secrets, in order and without overlap. A line may contain escaped line ends. */
export function findSecrets(line: string, isVariablesFile = false): Range[] {
  if (!isVariablesFile && !TRIGGER.test(line)) return [];
  const found: Range[] = [];
  let from = 0;
  for (const end of [...line.matchAll(ESCAPED_LINE_END), { index: line.length, 0: "" }]) {
    for (const [start, to] of findInLine(line.slice(from, end.index), isVariablesFile))
      found.push([from + start, from + to]);
    from = end.index + end[0].length;
  }
  return found;
}

function findInLine(line: string, isVariablesFile: boolean): Range[] {
  const found: Range[] = [...cookieSecrets(line), ...environmentSecrets(line, isVariablesFile)];
  for (const kind of KINDS) if (kind.marked.test(line)) found.push(...findOfKind(kind, line));
  return mergeRanges(found);
}

function findOfKind({ shape, isReal }: SecretKind, line: string): Range[] {
  const found: Range[] = [];
  for (const match of line.matchAll(shape)) {
    const { secret = match[0], body = secret } = match.groups ?? {};
    const range = match.indices?.groups?.["secret"] ?? match.indices?.[0];
    if (range !== undefined && isReal(body, match)) found.push(range);
  }
  return found;
}

function mergeRanges(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last === undefined || from >= last[1]) result.push([from, to]);
    else if (to > last[1]) result[result.length - 1] = [last[0], to];
  }
  return result;
}
