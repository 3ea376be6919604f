import { foldName, partsOfIdentifier } from "../text/terms.ts";
import type { HistoryUnit } from "../../workspace/git/git-history.ts";
import { countCoChange, type CoChange } from "./co-change.ts";
import { isTestFile, subjectOf, topicFolders } from "./test-file.ts";
import type { TestsByUse, UsedChange } from "./tests-by-use.ts";
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
  readonly history: { readonly recent: readonly HistoryUnit[]; readonly ofSources: readonly HistoryUnit[] };
  readonly textOf: (path: string) => TestText | undefined;
  /** The tests that use what changed. */
  readonly using: TestsByUse;
}

/** What speaks for a test, each from 0 to 1. */
export const FEATURES = [
  "sameName",
  "onlyName",
  "nameWithin",
  "stemWithin",
  "sameFolder",
  "folders",
  "coChange",
  "coChangeOfAll",
  "coChangeCount",
  "coChangeOfFolder",
  "activity",
  "imports",
  "importsRarely",
  "names",
  "nameShare",
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
  readonly folder: string;
  readonly topics: readonly string[];
}

/** Computes what speaks for each test file, in the order of `tests`. */
export function testFeatures(question: TestQuestion): TestFeatures[] {
  const { sources, tests, history } = question;
  const facts = tests.map(factsOf);
  const sourceFacts = sources.map(({ path }) => ({ ...factsOf(path), path, module: moduleParts(path) }));
  const coChange = countCoChange(
    history,
    sources.map(({ path }) => path),
    isTestFile,
  );
  const rarity = rarityOf(facts.map(({ words }) => words));
  const subjects = countBy(facts.map(({ subject }) => subject));
  const texts = scoreTexts(question, sourceFacts);
  const uses = scoreUses(question);
  return tests.map((test, at) => {
    const own = facts[at] ?? factsOf(test);
    const text = texts[at] ?? NO_TEXT;
    const names = best(sourceFacts.map((source) => nameFeatures(source, own, { rarity, subjects })));
    return { ...names, ...historyFeatures(coChange, sources, test), ...text, ...uses(test) };
  });
}

function factsOf(path: string): Facts {
  const slash = path.lastIndexOf("/");
  const subject = subjectOf(path);
  const subjectWords = partsOfIdentifier(subject.replaceAll(/[-.]/g, "_")).map(singular);
  const topics = topicFolders(path).map(singular);
  const folderWords = path
    .slice(0, Math.max(0, slash))
    .split("/")
    .flatMap((part) => partsOfIdentifier(part.replaceAll(/[-.]/g, "_")))
    .map(singular);
  return {
    subject: singular(foldName(subject)),
    words: new Set([...subjectWords, ...folderWords]),
    subjectWords,
    folder: path.slice(0, Math.max(0, slash)),
    topics,
  };
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

type NameFeatures = Pick<
  TestFeatures,
  "sameName" | "onlyName" | "nameWithin" | "stemWithin" | "sameFolder" | "folders"
>;

interface NameStatistics {
  readonly rarity: (word: string) => number;
  readonly subjects: ReadonlyMap<string, number>;
}

function nameFeatures(source: Facts, test: Facts, { rarity, subjects }: NameStatistics): NameFeatures {
  const isSame = source.subject !== "" && source.subject === test.subject;
  return {
    sameName: isSame ? 1 : 0,
    onlyName: isSame ? 1 / (subjects.get(test.subject) ?? 1) : 0,
    nameWithin: shareWithin(test.subjectWords, source.words, rarity),
    stemWithin: shareWithin(source.subjectWords, test.words, rarity),
    sameFolder: isBeside(source.folder, test.folder) ? 1 : 0,
    folders: overlap(source.topics, test.topics, rarity),
  };
}

/** Whether tests in a folder are those of another folder: the same one, its folder of tests, or one beside it. */
function isBeside(source: string, test: string): boolean {
  return (
    test
      .replace(/\/?(?:__tests__|tests?|specs?|unit)$/i, "")
      .replace(/\/?(?:__tests__|tests?|specs?)$/i, "") === source || source === test
  );
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
    sameName: max("sameName"),
    onlyName: max("onlyName"),
    nameWithin: max("nameWithin"),
    stemWithin: max("stemWithin"),
    sameFolder: max("sameFolder"),
    folders: max("folders"),
  };
}

type HistoryFeatures = Pick<
  TestFeatures,
  "coChange" | "coChangeOfAll" | "coChangeCount" | "coChangeOfFolder" | "activity"
>;

/** As many shared changes say as much as more of them. */
const ENOUGH_SHARED_CHANGES = 20;

function historyFeatures(
  coChange: CoChange,
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
    activity: coChange.activity(test),
  };
}

type TextFeatures = Pick<
  TestFeatures,
  "imports" | "importsRarely" | "names" | "nameShare" | "mentionsFile" | "size"
>;

const NO_TEXT: TextFeatures = {
  imports: 0,
  importsRarely: 0,
  names: 0,
  nameShare: 0,
  mentionsFile: 0,
  size: 0,
};

/** Scores the texts of all tests by what they import and by the changed names that they mention. */
function scoreTexts(
  { sources, tests, textOf }: TestQuestion,
  modules: readonly { readonly path: string; readonly module: readonly string[] }[],
): TextFeatures[] {
  const texts = tests.map(textOf);
  const imports = texts.map((text, at) => {
    let most = 0;
    for (const one of text?.imports ?? [])
      for (const { module } of modules) most = Math.max(most, importStrength(one, tests[at] ?? "", module));
    return most;
  });
  const importers = imports.filter((strength) => strength >= 0.6).length;
  const names = mergeNames(sources);
  const files = new Set(sources.flatMap(({ path }) => namesOfFile(path)));
  const holders = new Map<string, number>();
  for (const text of texts)
    if (text !== undefined)
      for (const name of new Set([...names.keys(), ...files]))
        if (text.has(name)) holders.set(name, (holders.get(name) ?? 0) + 1);
  const idf = (name: string): number => Math.log((1 + tests.length) / (1 + (holders.get(name) ?? 0))) + 0.05;
  let all = 0;
  for (const [name, weight] of names) if (holders.has(name)) all += weight * idf(name);
  const sums = texts.map((text) => {
    let sum = 0;
    if (text !== undefined) for (const [name, weight] of names) if (text.has(name)) sum += weight * idf(name);
    return sum;
  });
  const most = Math.max(1e-9, ...sums);
  const longest = Math.log(2 + Math.max(1, ...texts.map((text) => text?.length ?? 0)));
  const top = Math.log(2 + tests.length);
  return texts.map((text, at) => {
    const sum = sums[at] ?? 0;
    const strength = imports[at] ?? 0;
    let mentioned = 0;
    for (const name of files) if (text?.has(name)) mentioned = Math.max(mentioned, idf(name) / top);
    return {
      imports: strength,
      importsRarely: strength >= 0.6 ? strength / (1 + Math.log(Math.max(1, importers))) : 0,
      names: sum / most,
      nameShare: all === 0 ? 0 : sum / all,
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
