/** A message split into its fixed text, with a placeholder for each variable part, and those parts in order. */
export interface ExtractedMessage {
  readonly skeleton: string;
  readonly values: readonly string[];
}

/** The character that stands for a variable part in the fixed text of a message. */
export const GAP = "\u0000";

/**
 * Matches the parts that tend to differ between two messages of the same kind: quoted text, numbers, words that look like identifiers or paths
 * (`snake_case`, `camelCase`, `a.b`, `a/b`, `A::b`, `A\\b`, `$name`), and a single word after the last colon. The quotes stay in the text.
 */
const VALUES =
  /(?<![\w'])'([^'\n]{1,300})'(?!\w)|"([^"\n]{1,300})"|`([^`\n]{1,300})`|‘([^’\n]{1,300})’|“([^”\n]{1,300})”|(?<![\w.$@/\\-])([\w$@/\\-]*(?:[a-z0-9][A-Z]|_|\d|(?<=\w)(?:[./\\]|::)(?=\w)|(?<![\w$])\$[a-zA-Z])(?:[\w$@./\\:<>-]*[\w$>])?)|(?<=: )([^\s:]{1,80})$/g;

/**
 * Maximum length of a message from which variable parts are extracted. Longer ones, and those with more than
 * `MAX_VALUES` variable parts, are data rather than prose; a template of them would be unreadable and slow to compute.
 */
const MAX_MESSAGE = 4_000;
const MAX_VALUES = 40;

/** Extracts the variable parts of a message. A message that contains an ellipsis is left whole, because templates mark gaps with one. */
export function extractValues(message: string): ExtractedMessage {
  if (message.length > MAX_MESSAGE || message.includes("…")) return unsplit(message);
  const values: string[] = [];
  const skeleton = message.replaceAll(GAP, "").replace(VALUES, (found, ...groups: unknown[]) => {
    const text = groups.slice(0, 7).find((group) => typeof group === "string") ?? found;
    values.push(text);
    return found.length === text.length ? GAP : `${found[0]}${GAP}${found.at(-1)}`;
  });
  return values.length > MAX_VALUES ? unsplit(message) : { skeleton, values };
}

function unsplit(message: string): ExtractedMessage {
  return { skeleton: message.replaceAll(GAP, ""), values: [] };
}

export interface FilledTemplate {
  readonly template: string;
  /** Returns the texts that fill the template's gaps in the message at this index of the group. */
  readonly valuesOf: (index: number) => readonly string[];
}

/**
 * Builds the template of a group of messages: variable parts that are equal in all of them are put back, and the others
 * stay gaps. A part that contains an earlier one refers to it by number, so that each value is given once; then all
 * gaps are numbered: `'…1' is unused, name it '_…1'`.
 */
export function fillTemplate(members: readonly ExtractedMessage[]): FilledTemplate {
  const columns: Column[] = [];
  const slots = members[0]?.values.length ?? 0;
  const fills = Array.from({ length: slots }, (_, slot) =>
    fillOf(
      members.map((member) => member.values[slot] ?? ""),
      columns,
    ),
  );
  const isNumbered = fills.flat().filter((part) => typeof part === "number").length > columns.length;
  const gap = (column: number): string => `…${isNumbered ? column + 1 : ""}`;
  let slot = 0;
  const template = (members[0]?.skeleton ?? "").replaceAll(GAP, () =>
    (fills[slot++] ?? []).map((part) => (typeof part === "string" ? part : gap(part))).join(""),
  );
  return { template, valuesOf: (index) => columns.map((column) => column[index] ?? "") };
}

/** The texts that fill one gap of a template, one for each message of the group. */
type Column = readonly string[];
/** What a template has in place of a placeholder: text that all messages share, or the number of a gap. */
type Fill = string | number;

/** Computes what replaces one placeholder, and adds to `columns` the values of each new gap. */
function fillOf(values: Column, columns: Column[]): Fill[] {
  const [first = ""] = values;
  if (values.every((value) => value === first)) return [first];
  for (const [number, column] of columns.entries()) {
    const around = aroundOf(values, column);
    if (around !== undefined) return [around.before, number, around.after];
    // A value may start with the value of an earlier gap and continue differently: `items: list[…]` after `items`.
    const rest = values.map((value, index) => value.slice(column[index]?.length));
    const follows = (value: string, index: number): boolean => value === `${column[index]}${rest[index]}`;
    if (values.every(follows) && !rest.some(startsWithDigit)) return [number, ...fillOf(rest, columns)];
  }
  const { before, after } = sharedEnds(values);
  const bare = values.map((value) => value.slice(before.length, value.length - after.length));
  const known = columns.findIndex((column) => column.every((value, index) => value === bare[index]));
  return [before, known >= 0 ? known : columns.push(bare) - 1, after];
}

/** Returns the text before and after an earlier gap's value inside these values, if it is the same in all messages. */
function aroundOf(values: Column, column: Column): { before: string; after: string } | undefined {
  const [first = ""] = values;
  const [part = ""] = column;
  const at = first.indexOf(part);
  if (part === "" || at < 0) return undefined;
  const [before, after] = [first.slice(0, at), first.slice(at + part.length)];
  if (startsWithDigit(after)) return undefined;
  const isMade = (value: string, index: number): boolean => value === before + column[index] + after;
  return values.every(isMade) ? { before, after } : undefined;
}

/** Returns whether the text starts with a digit, which would be read as part of the number of the gap before it. */
function startsWithDigit(text: string): boolean {
  return /^\d/.test(text);
}

/** Returns the common beginning and end of all values, cut at punctuation so that names stay whole and brackets balanced. */
function sharedEnds(values: Column): { before: string; after: string } {
  const [first = ""] = values;
  let start = first.length;
  let end = first.length;
  for (const value of values) {
    start = Math.min(start, sameStart(first, value));
    end = Math.min(end, sameEnd(first, value));
  }
  const befores = cuts(first.slice(0, start), "end").map((cut) => first.slice(0, cut));
  const tail = first.slice(first.length - end);
  const afters = cuts(tail, "start").map((cut) => tail.slice(cut));
  for (const before of [...befores, ""])
    for (const after of [...afters, ""])
      if (values.every((value) => isWholeWithout(value, { before, after }))) return { before, after };
  return { before: "", after: "" };
}

/** Upper bound on the cut positions that are tried at each end of a value; it bounds the search. */
const MAX_CUTS = 4;

/** Returns the positions after or before punctuation at which a text can be cut; those that keep the most text come first. */
function cuts(text: string, keeps: "start" | "end"): number[] {
  const found = [...text.matchAll(/[^\p{L}\p{N}_$]/gu)].map((sign) => sign.index);
  return keeps === "start"
    ? found.slice(0, MAX_CUTS)
    : found
        .slice(-MAX_CUTS)
        .reverse()
        .map((at) => at + 1);
}

/** Returns whether the value is not empty and has balanced brackets without the given beginning and end. */
function isWholeWithout(value: string, { before, after }: { before: string; after: string }): boolean {
  if (value.length <= before.length + after.length) return false;
  const rest = value.slice(before.length, value.length - after.length).replace(/[-=]>/g, "");
  let open = 0;
  for (const sign of rest) {
    if ("([{<".includes(sign)) open++;
    if (")]}>".includes(sign) && --open < 0) return false;
  }
  return open === 0;
}

function sameStart(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  return same;
}

function sameEnd(one: string, other: string): number {
  let same = 0;
  while (same < one.length && same < other.length && one.at(-1 - same) === other.at(-1 - same)) same++;
  return same;
}
