import { waitAtMost } from "../../kernel/with-timeout.ts";
import { relative } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { readCommits } from "../../workspace/git/git-history.ts";
import { readHead, type GitRepository } from "../../workspace/git/git-repository.ts";
import { createFileHistory, openFileHistory, type FileHistory } from "../rank/file-history.ts";
import type { IndexStore } from "../store/store.ts";

/**
 * The commit history of a workspace's repository. It is read once, stored, and read again when there are new commits.
 */
export interface ProjectHistory {
  /**
   * Returns the part of the history that has been read; the first call waits for it. As the history only affects
   * ranking, it may be out of date.
   */
  current(waitMs: number): Promise<FileHistory | undefined>;
  /** Waits until the whole history has been read. */
  finish(): Promise<void>;
  /** Stops reading the history. */
  close(): Promise<void>;
}

/** Number of commits read before the first answer; this takes a tenth of a second for Django. */
const COMMITS_READ_AT_FIRST = 1_000;
/**
 * Number of commits read by a process that keeps running. Of 500, 1,500, 4,000 and 20,000, each larger number improved
 * the ranking.
 */
const MAX_COMMITS = 20_000;
/** Delay before older commits are read, so that a command that ends soon does not read them. */
const DEEPER_READ_DELAY_MS = 2_000;
/** Time for which the history is not read again, even if there are new commits. */
const VALID_MS = 60 * 60 * 1000;

const NO_HISTORY: ProjectHistory = {
  current: () => Promise.resolve(undefined),
  finish: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Creates the commit history of a workspace, which may be a part of a repository. A plain folder has no history. */
export function createProjectHistory(
  store: IndexStore,
  family: string,
  repository: GitRepository | undefined,
): ProjectHistory {
  if (repository === undefined) return NO_HISTORY;
  const key = `history of ${relative(repository.topLevel, repository.folder)} in ${family}`;
  const ending = new AbortController();
  let known: FileHistory | undefined;
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> | undefined;
  const isGood = () => known !== undefined && Date.now() - known.readAt < VALID_MS;

  const read = async (count: number): Promise<void> => {
    const { commit } = await readHead(repository);
    if (commit === undefined) return;
    if (commit === known?.commit && known.isComplete) {
      known = { ...known, readAt: Date.now() };
      return;
    }
    const commits = await readCommits(repository, count, { signal: ending.signal });
    const isComplete = count === MAX_COMMITS || commits.length < count;
    known = await createFileHistory(commits, { commit, readAt: Date.now(), isComplete });
    await store.saveImage(key, deflateRawSync(known.text));
  };
  const open = async (): Promise<void> => {
    known = await readStored(store, key);
    if (!isGood()) await read(known === undefined ? COMMITS_READ_AT_FIRST : MAX_COMMITS);
  };
  // A failure to read the history is ignored: ranking then uses its other signals alone.
  const begin = () => (work ??= open().catch(() => undefined));
  const goOn = (): void => {
    if (timer !== undefined || known === undefined || (known.isComplete && isGood())) return;
    timer = setTimeout(() => {
      work = begin()
        .then(() => read(MAX_COMMITS))
        .then(
          () => (timer = undefined),
          // After a failed read, `timer` stays set, which prevents another attempt.
          () => undefined,
        );
    }, DEEPER_READ_DELAY_MS);
    timer.unref();
  };

  return {
    async current(waitMs) {
      const begun = begin();
      if (known === undefined) await waitAtMost(waitMs, begun);
      goOn();
      return known;
    },
    finish: begin,
    async close() {
      clearTimeout(timer);
      ending.abort();
      await work;
    },
  };
}

async function readStored(store: IndexStore, key: string): Promise<FileHistory | undefined> {
  const bytes = await store.image(key);
  if (bytes === undefined) return undefined;
  try {
    return openFileHistory(inflateRawSync(bytes).toString("utf8"));
  } catch {
    // If the stored history is damaged or from a version that did not compress it, it is read from git again.
    return undefined;
  }
}
