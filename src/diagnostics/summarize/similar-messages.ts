import { GAP, type Lifted } from "./template.ts";

/** A longer message is not compared word by word. */
const MAX_WORDS = 60;
/** With more gaps a message cannot be read any more. */
const MAX_GAPS = 4;
/** So large a part of the words has to be the same. */
const SAME_SHARE = 0.5;
/** Fewer words that are the same are no message. */
const MIN_SAME = 2;
/** A message is compared with so many others. */
const MAX_COMPARED = 40;
/** So many pairs of words are compared for one list (a tenth of a second): messages that are all different stay cheap. */
const MAX_PAIRS = 5_000_000;

/** What is left of the comparing that one list may cost. */
export interface Effort {
  pairs: number;
}

/** The effort for one list, whatever it holds. */
export function effortForList(): Effort {
  return { pairs: MAX_PAIRS };
}

/** Messages of one form, and the form: words, with nothing where they differ. */
interface Form<T> {
  words: readonly Word[];
  known: ReadonlySet<Word>;
  size: number;
  readonly alike: (readonly T[])[];
}

/** A word that all share, or the gap where they differ. */
type Word = string | undefined;

/**
 * Joins kinds of messages that differ in some words only, so that the words which they share are said once. Gives the members of each new
 * kind with the same skeleton; what stood in a gap is a value now.
 */
export function joinAlike<T extends { readonly lifted: Lifted }>(
  kinds: readonly (readonly T[])[],
  effort: Effort,
): T[][] {
  const forms: Form<T>[] = [];
  for (const kind of kinds) {
    const words = effort.pairs > 0 ? wordsOf(kind[0]) : undefined;
    const near = forms.slice(-MAX_COMPARED);
    const found = words === undefined ? undefined : bestForm(near, { words, size: kind.length }, effort);
    if (found === undefined)
      forms.push({ words: words ?? [], known: new Set(words), alike: [kind], size: kind.length });
    else {
      found.form.words = found.words;
      found.form.known = new Set(found.words);
      found.form.alike.push(kind);
      found.form.size += kind.length;
    }
  }
  return forms.flatMap(({ words, alike }) =>
    alike.length < 2 ? alike.map((kind) => [...kind]) : relifted(words, alike),
  );
}

function wordsOf(member: { readonly lifted: Lifted } | undefined): string[] | undefined {
  const words = member?.lifted.skeleton.split(" ") ?? [];
  if (words.some((word) => word.includes("…"))) return undefined;
  return words.length < MIN_SAME || words.length > MAX_WORDS ? undefined : words;
}

/** The form that has most words in common with a message, and what both share. */
function bestForm<T>(
  forms: readonly Form<T>[],
  { words, size }: { readonly words: readonly string[]; readonly size: number },
  effort: Effort,
): { form: Form<T>; words: Word[] } | undefined {
  let best: { form: Form<T>; words: Word[] } | undefined;
  for (const form of forms) {
    const length = Math.max(form.words.length, words.length);
    if (form.words.length === 0 || !mayShare(form.known, words, length) || effort.pairs <= 0) continue;
    effort.pairs -= form.words.length * words.length;
    const shared = sharedWords(form.words, words);
    if (!isReadable(shared, length)) continue;
    const wrapped = wraps(form.words, shared) * form.size + wraps(words, shared) * size;
    const moved =
      (count(form.words) - count(shared)) * (form.size - 1) + (count(words) - count(shared)) * (size - 1);
    if (wrapped * WRAP_TOKENS + moved * MOVED_TOKENS > count(shared) + HEAD_TOKENS) continue;
    if (best === undefined || count(shared) > count(best.words)) best = { form, words: shared };
  }
  return best;
}

/** Whether enough words are in both, in whatever order: most messages differ already in that, and it is found out at once. */
function mayShare(known: ReadonlySet<Word>, words: readonly string[], length: number): boolean {
  let same = 0;
  for (const word of words) if (known.has(word)) same++;
  return same >= MIN_SAME && same >= length * SAME_SHARE;
}

function isReadable(words: readonly Word[], length: number): boolean {
  const same = count(words);
  const gaps = words.reduce((sum, word) => sum + (word === undefined ? 1 : word.split(GAP).length - 1), 0);
  return same >= MIN_SAME && same >= length * SAME_SHARE && gaps <= MAX_GAPS;
}

/** Quotes and the like that were in the message become part of the value. */
const WRAP_TOKENS = 2;
/** A word that becomes part of a value stands at each place then; but where many share it, it is mostly said once there as well. */
const MOVED_TOKENS = 0.1;
/** Severity, code and line end of a message of its own. */
const HEAD_TOKENS = 4;

/** How many words with a value in them are part of a larger gap now, with what stood around that value. */
function wraps(words: readonly Word[], shared: readonly Word[]): number {
  const inWords = (all: readonly Word[]): number =>
    all.filter((word) => word !== undefined && word !== GAP && word.includes(GAP)).length;
  return inWords(words) - inWords(shared);
}

/** How many words say something. */
function count(words: readonly Word[]): number {
  return words.filter((word) => word !== undefined && /\p{L}{2}/u.test(word)).length;
}

/** The longest sequence of words that both have, with a gap wherever both have something between. */
function sharedWords(form: readonly Word[], words: readonly string[]): Word[] {
  const pairs = filledBetween(commonPairs(form, words), form, words.length);
  const shared: Word[] = [];
  let last: Pair = [-1, -1];
  for (const pair of [...pairs, [form.length, words.length] satisfies Pair]) {
    if (pair[0] - last[0] > 1) shared.push(undefined);
    if (pair[0] < form.length) shared.push(form[pair[0]]);
    last = pair;
  }
  return shared;
}

/** Where a word stands in the form, and where among the words. */
type Pair = readonly [inForm: number, inWords: number];

/** Gives up words that stand beside a gap which one of the two would leave empty, until there is none. */
function filledBetween(pairs: readonly Pair[], form: readonly Word[], length: number): readonly Pair[] {
  const before: Pair = [-1, -1];
  const after: Pair = [form.length, length];
  const at = [...pairs, after].findIndex((pair, index) => {
    const last = pairs[index - 1] ?? before;
    return pair[0] - last[0] > 1 !== pair[1] - last[1] > 1;
  });
  if (at < 0) return pairs;
  const [left, right] = [pairs[at - 1], pairs[at]];
  const holdsGap = (pair: Pair | undefined): boolean =>
    pair !== undefined && form[pair[0]]?.includes(GAP) === true;
  // What varies already varies a little more then.
  const given =
    left === undefined || (right !== undefined && holdsGap(right) && !holdsGap(left)) ? right : left;
  return given === undefined
    ? []
    : filledBetween(
        pairs.filter((pair) => pair !== given),
        form,
        length,
      );
}

function commonPairs(form: readonly Word[], words: readonly string[]): Pair[] {
  const width = words.length + 1;
  const lengths = commonLengths(form, words);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < form.length && j < words.length) {
    const word = form[i];
    if (word !== undefined && word === words[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}

/** At `i * (words.length + 1) + j`: how many words the two have in common from there on. No message has more words than a byte counts. */
function commonLengths(form: readonly Word[], words: readonly string[]): Uint8Array {
  const width = words.length + 1;
  const lengths = new Uint8Array((form.length + 1) * width);
  for (let i = form.length - 1; i >= 0; i--)
    for (let j = words.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] =
        form[i] !== undefined && form[i] === words[j]
          ? (lengths[at + width + 1] ?? 0) + 1
          : Math.max(lengths[at + width] ?? 0, lengths[at + 1] ?? 0);
    }
  return lengths;
}

/** The members of all kinds with one skeleton; kinds that do not fill every gap stay as they are. */
function relifted<T extends { readonly lifted: Lifted }>(
  form: readonly Word[],
  kinds: readonly (readonly T[])[],
): T[][] {
  const skeleton = form.map((word) => word ?? GAP).join(" ");
  const joined: T[] = [];
  const apart: T[][] = [];
  for (const kind of kinds) {
    const ends = gapEnds(form, wordsOf(kind[0]) ?? []);
    if (ends === undefined) apart.push([...kind]);
    else
      for (const member of kind)
        joined.push({ ...member, lifted: { skeleton, values: valuesOf(member.lifted, form, ends) } });
  }
  return joined.length > 0 ? [joined, ...apart] : apart;
}

/** Behind which word each word of the form ends, where the words fill its gaps, each with one at least. */
function gapEnds(form: readonly Word[], words: readonly string[]): number[] | undefined {
  const dead = new Set<number>();
  const from = (at: number, used: number): number[] | undefined => {
    if (at === form.length) return used === words.length ? [] : undefined;
    const key = at * (MAX_WORDS + 1) + used;
    if (dead.has(key)) return undefined;
    const most = form[at] === undefined ? words.length : Math.min(used + 1, words.length);
    for (let end = used + 1; end <= most; end++) {
      if (form[at] !== undefined && form[at] !== words[used]) break;
      const rest = from(at + 1, end);
      if (rest !== undefined) return [end, ...rest];
    }
    dead.add(key);
    return undefined;
  };
  return from(0, 0);
}

function valuesOf(lifted: Lifted, form: readonly Word[], ends: readonly number[]): string[] {
  const words = lifted.skeleton.split(" ");
  const given = [...lifted.values];
  const values: string[] = [];
  let used = 0;
  for (const [at, end] of ends.entries()) {
    const text = words.slice(used, end).join(" ");
    used = end;
    if (form[at] === undefined) values.push(text.replaceAll(GAP, () => given.shift() ?? ""));
    else values.push(...given.splice(0, text.split(GAP).length - 1));
  }
  return values;
}
