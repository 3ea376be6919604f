import { scanWords } from "../text/terms.ts";
import type { HistoryUnit } from "../../workspace/git/git-history.ts";
import { MAX_FILES_PER_UNIT } from "./co-change.ts";
import { followMoves } from "./follow-moves.ts";
import type { PastChange } from "./similar-changes.ts";
import { termsOf } from "./test-text.ts";

/** What the history says about the changed sources, the newest first, with files by their present names. */
export interface TestHistory {
  /** The newest changes of the repository. */
  readonly recent: readonly HistoryUnit[];
  /** Changes of the sources, also older ones. */
  readonly ofSources: readonly HistoryUnit[];
  /** The newest of these with what they changed in the sources. */
  readonly past: readonly PastChange[];
}

export const NO_HISTORY: TestHistory = { recent: [], ofSources: [], past: [] };

interface HistoryRequest {
  readonly recent: readonly HistoryUnit[];
  readonly ofSources: readonly HistoryUnit[];
  readonly sources: readonly string[];
  /** A folder, empty for the whole repository, and all files in it. */
  readonly folder: string;
  readonly files: readonly string[];
  /** Reads what commits changed in files: for each its id on a line of its own, and then the differences. */
  readonly readPatches: (commits: readonly string[], paths: readonly string[]) => Promise<string>;
}

/** Past changes whose words are read. */
const PAST_CHANGES = 100;
const MAX_TERMS = 400;

/** Follows files that were moved, and reads what the newest changes of the sources were about. */
export async function readTestHistory(request: HistoryRequest): Promise<TestHistory> {
  const sources = new Set(request.sources);
  const nowOf = followMoves(request);
  const follow = (unit: HistoryUnit): HistoryUnit => ({
    ...unit,
    files: [...new Set(unit.files.map(nowOf))],
  });
  const recent = request.recent.map(follow);
  const known = new Set(request.ofSources.map(({ commit }) => commit));
  const beforeMove = recent.filter(
    ({ commit, files }) => !known.has(commit) && files.some((file) => sources.has(file)),
  );
  const ofSources = [...request.ofSources.map(follow), ...beforeMove];
  const readable = ofSources.filter(({ files }) => files.length <= MAX_FILES_PER_UNIT).slice(0, PAST_CHANGES);
  const before = request.recent.flatMap(({ files }) => files);
  const paths = new Set([...sources, ...before.filter((path) => sources.has(nowOf(path)))]);
  const patches =
    readable.length === 0
      ? ""
      : await request.readPatches(
          readable.map(({ commit }) => commit),
          [...paths],
        );
  return { recent, ofSources, past: readPast(readable, patches) };
}

function readPast(units: readonly HistoryUnit[], patches: string): PastChange[] {
  const byCommit = new Map(units.map((unit) => [unit.commit, { unit, terms: new Set<string>() }]));
  let terms = new Set<string>();
  for (const line of patches.split("\n")) {
    terms = byCommit.get(line)?.terms ?? terms;
    const changed = /^(?:[-+](?![-+]{2} )|@@ [^@]* @@)(.*)/.exec(line)?.[1];
    if (changed === undefined || terms.size >= MAX_TERMS) continue;
    scanWords(changed, 0, changed.length, (word) => {
      if (word.length > 2) for (const term of termsOf(word)) terms.add(term);
    });
  }
  return [...byCommit.values()];
}
