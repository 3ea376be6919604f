import type { HistoryUnit } from "../../workspace/git/git-history.ts";

/** What the history says about tests that changed together with some files. */
export interface CoChange {
  /** Of the times when the file changed, the share in which the test changed too; recent and small changes count more. */
  share(source: string, test: string): number;
  /** How often the two changed together. */
  count(source: string, test: string): number;
  /** The same share for the files of the source's folder, for a file that has no history of its own. */
  folderShare(source: string, test: string): number;
  /** How recently the two changed together: 1 when the source changed last, less after further changes of it. */
  lately(source: string, test: string): number;
}

/** A change of more files says little about any two of them. */
export const MAX_FILES_PER_UNIT = 60;
/** The number of units after which an older one counts half. */
const HALF_LIFE = 400;
/** Weight that is added below the line of a share, so that one shared change is no certainty. */
const SMOOTHING = 0.6;

interface Tally {
  total: number;
  readonly together: Map<string, { weight: number; count: number }>;
}

/**
 * Counts what changed together. `recent` are the newest units of the repository, the newest first; `ofSources` are units
 * that changed the sources, which may be older.
 */
export function countCoChange(
  history: { readonly recent: readonly HistoryUnit[]; readonly ofSources: readonly HistoryUnit[] },
  sources: readonly string[],
  isTest: (path: string) => boolean,
): CoChange {
  const bySource = new Map(sources.map((path) => [path, emptyTally()]));
  const byFolder = new Map(sources.map((path) => [folderOf(path), emptyTally()]));
  const last = lastTogether(history.ofSources, bySource, isTest);
  for (const [age, { files }] of history.ofSources.entries())
    addUnit(bySource, files, age / 4, isTest, (path) => path);
  for (const [age, { files }] of history.recent.entries()) addUnit(byFolder, files, age, isTest, folderOf);
  return {
    share: (source, test) => shareOf(bySource.get(source), test),
    count: (source, test) => bySource.get(source)?.together.get(test)?.count ?? 0,
    folderShare: (source, test) => shareOf(byFolder.get(folderOf(source)), test),
    lately: (source, test) => {
      const age = last.get(source)?.get(test);
      return age === undefined ? 0 : 0.5 ** (age / RECENT_CHANGES);
    },
  };
}

/** The number of changes of a source after which one counts half as recent. */
const RECENT_CHANGES = 5;

/** How many times each source has changed since it changed together with each test. */
function lastTogether(
  units: readonly HistoryUnit[],
  sources: ReadonlyMap<string, unknown>,
  isTest: (path: string) => boolean,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const last = new Map(Array.from(sources.keys(), (source) => [source, new Map<string, number>()]));
  const changes = new Map<string, number>();
  for (const { files } of units)
    for (const source of files) {
      const ages = last.get(source);
      if (ages === undefined) continue;
      const age = changes.get(source) ?? 0;
      changes.set(source, age + 1);
      if (files.length > MAX_FILES_PER_UNIT) continue;
      for (const file of files) if (isTest(file) && !ages.has(file)) ages.set(file, age);
    }
  return last;
}

function addUnit(
  tallies: ReadonlyMap<string, Tally>,
  files: readonly string[],
  age: number,
  isTest: (path: string) => boolean,
  keyOf: (path: string) => string,
): void {
  if (files.length > MAX_FILES_PER_UNIT) return;
  const keys = new Set(files.filter((file) => !isTest(file)).map(keyOf));
  const weight = 0.5 ** (age / HALF_LIFE) / Math.log2(1 + files.length);
  for (const key of keys) {
    const tally = tallies.get(key);
    if (tally === undefined) continue;
    tally.total += weight;
    for (const file of files) {
      if (!isTest(file)) continue;
      const known = tally.together.get(file) ?? { weight: 0, count: 0 };
      tally.together.set(file, { weight: known.weight + weight, count: known.count + 1 });
    }
  }
}

function emptyTally(): Tally {
  return { total: 0, together: new Map() };
}

function shareOf(tally: Tally | undefined, test: string): number {
  const together = tally?.together.get(test)?.weight;
  return tally === undefined || together === undefined ? 0 : together / (tally.total + SMOOTHING);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
