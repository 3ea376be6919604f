/** A message taken apart: its text with a mark at each part that may vary, and those parts in order. */
export interface Lifted {
  readonly skeleton: string;
  readonly values: readonly string[];
}

const MARK = "\u0000";

/**
 * The parts of a message that tend to differ between two of the same kind: what stands in quotes, numbers, words that look
 * like identifiers or paths (`snake_case`, `camelCase`, `a.b`, `a/b`, `A::b`, `A\\b`, `$name`), and a lone word after the last colon.
 * Quotes stay in the text.
 */
const VALUES =
  /(?<![\w'])'([^'\n]{1,300})'(?!\w)|"([^"\n]{1,300})"|`([^`\n]{1,300})`|‘([^’\n]{1,300})’|“([^”\n]{1,300})”|(?<![\w.$@/\\-])([\w$@/\\-]*(?:[a-z0-9][A-Z]|_|\d|(?<=\w)(?:[./\\]|::)(?=\w)|(?<![\w$])\$[a-zA-Z])(?:[\w$@./\\:<>-]*[\w$>])?)|(?<=: )([^\s:]{1,80})$/g;

/** Lifts what may vary out of a message. */
export function liftValues(message: string): Lifted {
  const values: string[] = [];
  const skeleton = message.replaceAll(MARK, "").replace(VALUES, (whole, ...groups: unknown[]) => {
    const text = groups.slice(0, 7).find((group) => typeof group === "string") ?? whole;
    values.push(text);
    return whole.length === text.length ? MARK : `${whole[0]}${MARK}${whole.at(-1)}`;
  });
  return { skeleton, values };
}

export interface Filled {
  readonly template: string;
  /** What stands in the template's gaps for the member of this index. */
  readonly valuesOf: (index: number) => readonly string[];
}

/**
 * Puts back what all members of a group share. Gaps that always hold the same as an earlier gap get its number, so that the
 * value is given once.
 */
export function fillTemplate(members: readonly Lifted[]): Filled {
  const [first] = members;
  const slots = first?.values.length ?? 0;
  const sources: number[] = [];
  const fills: (string | number)[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const value = first?.values[slot] ?? "";
    if (members.every((member) => member.values[slot] === value)) {
      fills.push(value);
      continue;
    }
    const known = sources.findIndex((source) =>
      members.every((member) => member.values[source] === member.values[slot]),
    );
    fills.push(known >= 0 ? known : sources.push(slot) - 1);
  }
  const prefixes = sources.map((source) =>
    sharedPrefix(members.map((member) => member.values[source] ?? "")),
  );
  let slot = 0;
  const template = (first?.skeleton ?? "").replaceAll(MARK, () => {
    const fill = fills[slot++] ?? "";
    if (typeof fill === "string") return fill;
    return `${prefixes[fill] ?? ""}…${sources.length > 1 ? fill + 1 : ""}`;
  });
  const valueOf = (index: number, source: number, at: number): string =>
    (members[index]?.values[source] ?? "").slice(prefixes[at]?.length ?? 0);
  return { template, valuesOf: (index) => sources.map((source, at) => valueOf(index, source, at)) };
}

const SEPARATORS = ["\\", "/", ".", ":"];

/** What all begin with, up to a sign that parts names from each other. */
function sharedPrefix(values: readonly string[]): string {
  let [prefix = ""] = values;
  for (const value of values) {
    let same = 0;
    while (same < prefix.length && prefix[same] === value[same]) same++;
    prefix = prefix.slice(0, same);
  }
  const end = Math.max(...SEPARATORS.map((sign) => prefix.lastIndexOf(sign))) + 1;
  return values.every((value) => value.length > end) ? prefix.slice(0, end) : "";
}
