import { ANNOUNCED_SECRETS } from "./announced-secrets.ts";
import { cookieSecrets } from "./cookies.ts";
import { environmentSecrets } from "./environment.ts";
import { anyOf, groupByMarks } from "./marks.ts";
import { NAMED_SECRETS } from "./named-secrets.ts";
import { PROVIDER_TOKENS } from "./provider-tokens.ts";
import type { Range, SecretKind } from "./secret-kind.ts";

const KINDS: readonly SecretKind[] = [...PROVIDER_TOKENS, ...ANNOUNCED_SECRETS, ...NAMED_SECRETS];
const MARKED_KINDS = groupByMarks(KINDS);

/** A line that does not match this expression holds no secret of any kind, so that most lines need only one pass. */
const TRIGGER = anyOf([
  ...new Set(KINDS.flatMap(({ marks }) => marks)),
  "[Cc]ookie\\\\{0,3}[\"']?\\s{0,4}:",
  // The end of a variable's name, as in `TOKEN=`. It begins with the sign, which is rarer than the letters before it.
  "=(?<=[A-Z0-9_]{3}=)",
]);

/** Matches line ends that are escaped once or several times, as in a string literal or in JSON. */
const ESCAPED_LINE_END = /(?:\\+[nr])+/g;

const NOTHING: readonly Range[] = [];

/** Finds the ranges of a line's secrets, in order and without overlap. A line may contain escaped line ends. */
export function findSecrets(line: string, isVariablesFile = false): readonly Range[] {
  if (!isVariablesFile && !TRIGGER.test(line)) return NOTHING;
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
  // A long line is searched in parts, and most of them have no mark.
  if (TRIGGER.test(line))
    for (const marked of MARKED_KINDS)
      if (marked.mayBeIn(line)) for (const kind of marked.kinds) found.push(...findOfKind(kind, line));
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

/** Joins ranges that overlap, and orders them. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last === undefined || from >= last[1]) result.push([from, to]);
    else if (to > last[1]) result[result.length - 1] = [last[0], to];
  }
  return result;
}
