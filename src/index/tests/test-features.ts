import { foldName, partsOfIdentifier } from "../text/terms.ts";
import { stemOf } from "../text/stems.ts";
import { compareChanges, type SimilarChanges } from "./similar-changes.ts";
import { countCoChange, type CoChange } from "./co-change.ts";
import { isTestFile, subjectOf, topicFolders } from "./test-file.ts";
import { scoreTerms } from "./term-scores.ts";
import type { TestsByUse, UsedChange } from "./tests-by-use.ts";
import type { TestHistory } from "./test-history.ts";
import { importStrength, moduleParts, type TestText } from "./test-text.ts";

/** A changed file that is no test, with the names of what changed in it. */
export interface ChangedSource {
  readonly path: string;
  /** Names in the changed lines and of the definitions around them, with their weights. */
  readonly names: ReadonlyMap<string, number>;
}

export interface TestQuestion {
  readonly sources: readonly ChangedSource[];
  readonly tests: readonly string[];
  readonly history: TestHistory;
  readonly textOf: (path: string) => TestText | undefined;
  /** The tests that use what changed. */
  readonly using: TestsByUse;
}

/** What speaks for a test, each from 0 to 1. */
export const FEATURES = [
  "onlyName",
  "nameWithin",
  "stemWithin",
  "folders",
  "subjectInChange",
  "changeInSubject",
  "coChange",
  "coChangeOfAll",
  "coChangeCount",
  "coChangeOfFolder",
  "similarChange",
  "mostSimilar",
  "lately",
  "imports",
  "importsRarely",
  "terms",
  "termShare",
  "mentionsFile",
  "size",
  "usesDirectly",
  "usesRarely",
  "usesMost",
] as const;

export type TestFeatures = Readonly<Record<(typeof FEATURES)[number], number>>;

interface Facts {
  readonly subject: string;
  readonly words: ReadonlySet<string>;
  readonly subjectWords: readonly string[];
  readonly topics: readonly string[];
}

/** Computes what speaks for each test file, in the order of `tests`. */
export function testFeatures(question: TestQuestion): TestFeatures[] {
  const { sources, tests, history } = question;
  const facts = tests.map(factsOf);
  const sourceFacts = sources.map(({ path }) => ({ ...factsOf(path), module: moduleParts(path) }));
  const coChange = countCoChange(
    history,
    sources.map(({ path }) => path),
    isTestFile,
  );
  const rarity = rarityOf(facts.map(({ words }) => words));
  const subjects = countBy(facts.map(({ subject }) => subject));
  const names = mergeNames(sources);
  const texts = scoreTexts(
    question,
    sourceFacts.map(({ module }) => module),
    names,
  );
  const uses = scoreUses(question);
  const changed = scoreSubjects(names, rarity);
  const similar = compareChanges(names, history.past);
  return tests.map((test, at) => {
    const own = facts[at] ?? factsOf(test);
    const text = texts[at] ?? NO_TEXT;
    const named = best(sourceFacts.map((source) => nameFeatures(source, own, { rarity, subjects })));
    return {
      ...named,
      ...changed(own),
      ...historyFeatures({ coChange, similar }, sources, test),
      ...text,
      ...uses(test),
    };
  });
}

function factsOf(path: string): Facts {
  const slash = path.lastIndexOf("/");
  const subject = subjectOf(path);
  const subjectWords = partsOfIdentifier(subject.replaceAll(/[-.]/g, "_")).map(stemOf);
  const topics = topicFolders(path).map(stemOf);
  const folderWords = path
    .slice(0, Math.max(0, slash))
    .split("/")
    .flatMap((part) => partsOfIdentifier(part.replaceAll(/[-.]/g, "_")))
    .map(stemOf);
  return {
    subject: stemOf(foldName(subject)),
    words: new Set([...subjectWords, ...folderWords]),
    subjectWords,
    topics,
  };
}

type NameFeatures = Pick<TestFeatures, "onlyName" | "nameWithin" | "stemWithin" | "folders">;

interface NameStatistics {
  readonly rarity: (word: string) => number;
  readonly subjects: ReadonlyMap<string, number>;
}

function nameFeatures(source: Facts, test: Facts, { rarity, subjects }: NameStatistics): NameFeatures {
  const isSame = source.subject !== "" && source.subject === test.subject;
  return {
    onlyName: isSame ? 1 / (subjects.get(test.subject) ?? 1) : 0,
    nameWithin: shareWithin(test.subjectWords, source.words, rarity),
    stemWithin: shareWithin(source.subjectWords, test.words, rarity),
    folders: overlap(source.topics, test.topics, rarity),
  };
}

function shareWithin(
  words: readonly string[],
  others: ReadonlySet<string>,
  rarity: (word: string) => number,
): number {
  let [found, all] = [0, 0];
  for (const word of words) {
    const weight = rarity(word);
    all += weight;
    if (others.has(word)) found += weight;
  }
  return all === 0 ? 0 : found / all;
}

/** What two lists of folders have in common; two files without folders of their own are in the same place. */
function overlap(a: readonly string[], b: readonly string[], rarity: (word: string) => number): number {
  const [first, second] = [new Set(a), new Set(b)];
  let [shared, all] = [0, 0];
  for (const word of new Set([...first, ...second])) {
    const weight = rarity(word);
    all += weight;
    if (first.has(word) && second.has(word)) shared += weight;
  }
  return all === 0 ? 1 : shared / all;
}

/** How much a word tells one test file from another: near 1 for a word of one path, near 0 for a word of all. */
function rarityOf(sets: readonly ReadonlySet<string>[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  const total = Math.log(2 + sets.length);
  return (word) => Math.max(0.05, Math.log((2 + sets.length) / (1 + (counts.get(word) ?? 0))) / total);
}

function countBy(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function best(all: readonly NameFeatures[]): NameFeatures {
  const max = (key: keyof NameFeatures): number => all.reduce((most, one) => Math.max(most, one[key]), 0);
  return {
    onlyName: max("onlyName"),
    nameWithin: max("nameWithin"),
    stemWithin: max("stemWithin"),
    folders: max("folders"),
  };
}

type SubjectFeatures = Pick<TestFeatures, "subjectInChange" | "changeInSubject">;

/** Compares the names of test files with the names of what changed, as of a test of one method of a large class. */
function scoreSubjects(
  names: ReadonlyMap<string, number>,
  rarity: (word: string) => number,
): (test: Facts) => SubjectFeatures {
  const heaviest = Math.max(1, ...names.values());
  const terms = new Map<string, number>();
  const parts = Array.from(names, ([name, weight]) => {
    const own = partsOfIdentifier(name).map(stemOf);
    for (const part of own) terms.set(part, Math.max(terms.get(part) ?? 0, weight / heaviest));
    return { own, weight: weight / heaviest };
  });
  return ({ subjectWords }) => {
    const words = new Set(subjectWords);
    let [found, all, most] = [0, 0, 0];
    for (const word of subjectWords) {
      found += rarity(word) * (terms.get(word) ?? 0);
      all += rarity(word);
    }
    if (found > 0)
      for (const { own, weight } of parts) most = Math.max(most, weight * shareWithin(own, words, rarity));
    return { subjectInChange: all === 0 ? 0 : found / all, changeInSubject: most };
  };
}

type HistoryFeatures = Pick<
  TestFeatures,
  | "coChange"
  | "coChangeOfAll"
  | "coChangeCount"
  | "coChangeOfFolder"
  | "similarChange"
  | "mostSimilar"
  | "lately"
>;

/** As many shared changes say as much as more of them. */
const ENOUGH_SHARED_CHANGES = 20;

function historyFeatures(
  { coChange, similar }: { readonly coChange: CoChange; readonly similar: SimilarChanges },
  sources: readonly ChangedSource[],
  test: string,
): HistoryFeatures {
  let [share, sum, count, folder] = [0, 0, 0, 0];
  for (const { path } of sources) {
    const own = coChange.share(path, test);
    share = Math.max(share, own);
    sum += own;
    count = Math.max(count, coChange.count(path, test));
    folder = Math.max(folder, coChange.folderShare(path, test));
  }
  return {
    coChange: share,
    coChangeOfAll: sum / Math.max(1, sources.length),
    coChangeCount: Math.min(1, Math.log(1 + count) / Math.log(1 + ENOUGH_SHARED_CHANGES)),
    coChangeOfFolder: folder,
    similarChange: similar.share(test),
    mostSimilar: similar.most(test),
    lately: Math.max(...sources.map(({ path }) => coChange.lately(path, test))),
  };
}

type TextFeatures = Pick<
  TestFeatures,
  "imports" | "importsRarely" | "terms" | "termShare" | "mentionsFile" | "size"
>;

const NO_TEXT: TextFeatures = {
  imports: 0,
  importsRarely: 0,
  terms: 0,
  termShare: 0,
  mentionsFile: 0,
  size: 0,
};

/** Scores the texts of all tests by what they import and by the changed names that they mention. */
function scoreTexts(
  { sources, tests, textOf }: TestQuestion,
  modules: readonly (readonly string[])[],
  names: ReadonlyMap<string, number>,
): TextFeatures[] {
  const texts = tests.map(textOf);
  const imports = texts.map((text, at) => {
    let most = 0;
    for (const one of text?.imports ?? [])
      for (const module of modules) most = Math.max(most, importStrength(one, tests[at] ?? "", module));
    return most;
  });
  const importers = imports.filter((strength) => strength >= 0.6).length;
  const files = new Set(sources.flatMap(({ path }) => namesOfFile(path)));
  const holders = new Map<string, number>();
  for (const text of texts)
    if (text !== undefined)
      for (const name of files) if (text.has(name)) holders.set(name, (holders.get(name) ?? 0) + 1);
  const idf = (name: string): number => Math.log((1 + tests.length) / (1 + (holders.get(name) ?? 0))) + 0.05;
  const longest = Math.log(2 + Math.max(1, ...texts.map((text) => text?.length ?? 0)));
  const top = Math.log(2 + tests.length);
  const terms = scoreTerms(texts, names);
  return texts.map((text, at) => {
    const strength = imports[at] ?? 0;
    let mentioned = 0;
    for (const name of files) if (text?.has(name)) mentioned = Math.max(mentioned, idf(name) / top);
    return {
      imports: strength,
      importsRarely: strength >= 0.6 ? strength / (1 + Math.log(Math.max(1, importers))) : 0,
      terms: terms[at]?.terms ?? 0,
      termShare: terms[at]?.termShare ?? 0,
      mentionsFile: mentioned,
      size: Math.log(2 + (text?.length ?? 0)) / longest,
    };
  });
}

/** The words that stand for a file in code: its name as written, and as the name of a class. */
export function namesOfFile(path: string): string[] {
  const stem = (path.split("/").at(-1) ?? "").replace(/\.\w+$/, "");
  if (/^(?:index|mod|__init__|main|lib)$/.test(stem)) return [];
  const parts = partsOfIdentifier(stem.replaceAll(/[-.]/g, "_"));
  const camel = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join("");
  return [...new Set([stem, camel, foldName(stem)])].filter((name) => name.length > 2);
}

function mergeNames(sources: readonly ChangedSource[]): ReadonlyMap<string, number> {
  const merged = new Map<string, number>();
  for (const { names } of sources)
    for (const [name, weight] of names) merged.set(name, Math.max(weight, merged.get(name) ?? 0));
  return merged;
}

type UseFeatures = Pick<TestFeatures, "usesDirectly" | "usesRarely" | "usesMost">;

/** What a use through another definition counts, compared with one of the changed definition itself. */
const THROUGH_ANOTHER = 0.4;

/** Scores the tests by what they use of the change: directly, as few others do, and as much of it as any. */
function scoreUses({ tests, using }: TestQuestion): (test: string) => UseFeatures {
  const rare = ({ depth, users }: UsedChange): number => THROUGH_ANOTHER ** depth / (1 + Math.log(users));
  const sums = new Map(
    tests.map((test) => [test, (using.get(test) ?? []).reduce((sum, use) => sum + rare(use), 0)]),
  );
  const most = Math.max(1e-9, ...sums.values());
  return (test) => {
    const uses = using.get(test) ?? [];
    return {
      usesDirectly: uses.some(({ depth }) => depth === 0) ? 1 : 0,
      usesRarely: Math.max(0, ...uses.map(rare)),
      usesMost: (sums.get(test) ?? 0) / most,
    };
  };
}
