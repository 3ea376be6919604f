import { withTimeout } from "../../kernel/with-timeout.ts";
import { type HistoryUnit, readPatches, readUnits } from "../../workspace/git/git-history.ts";
import { readTestHistory, type TestHistory } from "./test-history.ts";

interface HistoryQuestion {
  readonly sources: readonly string[];
  /** The folder of the workspace and all files in it, relative to the top folder. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly signal: AbortSignal;
}

const RECENT_UNITS = 1_500;
const UNITS_OF_SOURCES = 300;
const HISTORY_TIMEOUT_MS = 3_000;
const PATCHES_TIMEOUT_MS = 1_500;

/** Reads what changed together with the sources; undefined if git takes too long. */
export async function readHistory(top: string, question: HistoryQuestion): Promise<TestHistory | undefined> {
  const { sources: paths, folder, files, signal } = question;
  const units = await unlessSlow(HISTORY_TIMEOUT_MS, signal, (signal) =>
    Promise.all([recentUnits(top, signal), readUnits(top, { count: UNITS_OF_SOURCES, paths }, { signal })]),
  );
  if (units === undefined) return undefined;
  const [recent, ofSources] = units;
  return readTestHistory({
    recent,
    ofSources,
    sources: paths,
    folder,
    files,
    // Without the patches, past changes count alike, whatever they changed.
    readPatches: async (commits, paths) =>
      (await unlessSlow(PATCHES_TIMEOUT_MS, signal, (signal) =>
        readPatches(top, { commits, paths }, { signal }),
      )) ?? "",
  });
}

/** Undefined on a slow disk or for a damaged repository: the other signals still choose, and the reply says what is missing. */
async function unlessSlow<T>(
  milliseconds: number,
  caller: AbortSignal,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withTimeout(milliseconds, read, caller);
  } catch (error) {
    if (caller.aborted) throw error;
    return undefined;
  }
}

const recentByCommit = new Map<string, readonly HistoryUnit[]>();
const MAX_CACHED_HISTORIES = 4;

/** The newest changes of a repository. A server reads them once per commit. */
async function recentUnits(top: string, signal: AbortSignal): Promise<readonly HistoryUnit[]> {
  const [newest] = await readUnits(top, { count: 1 }, { signal });
  const key = JSON.stringify([top, newest?.commit]);
  const known = recentByCommit.get(key);
  if (known !== undefined) return known;
  const units = await readUnits(top, { count: RECENT_UNITS }, { signal });
  if (recentByCommit.size >= MAX_CACHED_HISTORIES) recentByCommit.clear();
  recentByCommit.set(key, units);
  return units;
}
