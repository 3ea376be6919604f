import { posix } from "node:path";
import type { TestReason } from "../../model/test-choice.ts";
import { foldName } from "../text/terms.ts";
import { subjectOf } from "./test-file.ts";
import type { RankedTest } from "./rank-tests.ts";
import type { ChangedSource, TestQuestion } from "./test-features.ts";
import { importStrength, moduleParts, termsOf } from "./test-text.ts";

/** An import that leads to the file itself or to a file of its name. */
const MIN_IMPORT = 0.6;
/** The share of the words in the name of a test that are in changed names, from which on it is a reason. */
const MIN_TOPIC = 0.5;
/** A changed name in the text counts as a reason from this share of the best text on. */
const MIN_NAMES = 0.3;
/** Folders that have this much in common are a reason if nothing else is. */
const MIN_FOLDERS = 0.5;

/** Says why a test is likely, the strongest reasons first; empty if only its size and its activity speak for it. */
export function explainTest({ path, features }: RankedTest, question: TestQuestion): TestReason[] {
  const text = question.textOf(path);
  const reasons: TestReason[] = [];
  const sources = question.sources;
  const namesake = sources.find((source) => isNamesake(source, path));
  if (namesake !== undefined) reasons.push({ kind: "name", file: namesake.path });
  const imported = sources.find(({ path: file }) =>
    text?.imports.some((one) => importStrength(one, path, moduleParts(file)) >= MIN_IMPORT),
  );
  if (imported !== undefined) reasons.push({ kind: "imports", file: imported.path });
  const [together] = sources
    .map(({ path: file }) => ({ file, count: sharedChanges(question, file, path) }))
    .toSorted((a, b) => b.count - a.count);
  if (together !== undefined && together.count > 0) reasons.push({ kind: "history", ...together });
  const topic = features.subjectInChange >= MIN_TOPIC ? namedLike(question, path) : undefined;
  if (topic !== undefined && namesake === undefined) reasons.push({ kind: "topic", name: topic });
  const name = features.terms >= MIN_NAMES ? heaviestName(question, path) : undefined;
  if (name !== undefined) reasons.push({ kind: "mentions", name });
  const words = reasons.length === 0 && features.terms >= MIN_NAMES ? sharedWords(question, path) : undefined;
  if (words !== undefined) reasons.push({ kind: "words", name: words });
  const isNear = features.folders >= MIN_FOLDERS || features.nameWithin > 0.5 || features.stemWithin > 0.5;
  const [first] = sources;
  if (reasons.length === 0 && isNear && first !== undefined) reasons.push({ kind: "near", file: first.path });
  return reasons;
}

function isNamesake(source: ChangedSource, test: string): boolean {
  return foldName(subjectOf(source.path)) === foldName(subjectOf(test));
}

function sharedChanges({ history }: TestQuestion, source: string, test: string): number {
  return history.ofSources.filter(({ files }) => files.includes(source) && files.includes(test)).length;
}

/** The changed name that has most words in common with the name of a test. */
function namedLike({ sources }: TestQuestion, test: string): string | undefined {
  const words = new Set(termsOf(subjectOf(test)));
  return heaviest(sources, (name) => {
    const own = termsOf(name);
    return own.filter((term) => words.has(term)).length / own.length;
  });
}

/** The changed name of whose words the text has most. */
function sharedWords({ sources, textOf }: TestQuestion, test: string): string | undefined {
  const text = textOf(test);
  return heaviest(sources, (name) => termsOf(name).filter((term) => (text?.count(term) ?? 0) > 0).length);
}

/** The changed name of the highest value, by its weight; undefined if all have none. */
function heaviest(sources: readonly ChangedSource[], valueOf: (name: string) => number): string | undefined {
  let best: { readonly name: string; readonly value: number } | undefined;
  for (const { names } of sources)
    for (const [name, weight] of names) {
      const value = weight * valueOf(name);
      if (value > (best?.value ?? 0)) best = { name, value };
    }
  return best?.name;
}

/** The changed name that the test mentions and fewest others do. */
function heaviestName({ sources, tests, textOf }: TestQuestion, test: string): string | undefined {
  const text = textOf(test);
  let best: { name: string; weight: number } | undefined;
  for (const { names, path } of sources)
    for (const [name, weight] of names) {
      if (text?.has(name) !== true || name === posix.basename(path)) continue;
      const holders = tests.reduce((sum, one) => sum + (textOf(one)?.has(name) === true ? 1 : 0), 0);
      const value = weight * Math.log((1 + tests.length) / holders);
      if (best === undefined || value > best.weight) best = { name, weight: value };
    }
  return best?.name;
}
