import { waitAtMost } from "../../kernel/with-timeout.ts";
import { relative } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { readCommits } from "../../workspace/git/git-history.ts";
import { readHead, type GitRepository } from "../../workspace/git/git-repository.ts";
import { createFileHistory, openFileHistory, type FileHistory } from "../rank/file-history.ts";
import type { IndexStore } from "../store/store.ts";

/** The history of a workspace's repository: read once, kept, and read again when it has gone on. */
export interface ProjectHistory {
  /** What is there; the first call waits so long for it. It only leans the order, so an older one serves as well. */
  current(waitMs: number): Promise<FileHistory | undefined>;
  /** Waits until the newest commits are there. */
  finish(): Promise<void>;
  /** Ends a reading that is under way. */
  close(): Promise<void>;
}

/** Read at once: a tenth of a second for Django. */
const COMMITS_READ_AT_FIRST = 1_000;
/** Read by whoever stays: of 500, 1,500, 4,000 and 20,000 commits, each number gained on the one before. */
const MAX_COMMITS = 20_000;
/** A process that is still there after its first answer has time for the older commits. */
const DEEPER_READ_DELAY_MS = 2_000;
/** What was read is good for so long, wherever HEAD goes. */
const VALID_MS = 60 * 60 * 1000;

const NO_HISTORY: ProjectHistory = {
  current: () => Promise.resolve(undefined),
  finish: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** The history of a repository, as far as this workspace has files of it; a plain folder has none. */
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
    if (commit === known?.commit && known.isWhole) {
      known = { ...known, readAt: Date.now() };
      return;
    }
    const commits = await readCommits(repository, count, { signal: ending.signal });
    const isWhole = count === MAX_COMMITS || commits.length < count;
    known = await createFileHistory(commits, { commit, readAt: Date.now(), isWhole });
    await store.saveImage(key, deflateRawSync(known.text));
  };
  const open = async (): Promise<void> => {
    known = await readStored(store, key);
    if (!isGood()) await read(known === undefined ? COMMITS_READ_AT_FIRST : MAX_COMMITS);
  };
  // Nothing depends on it: without it files are in the order of their words alone.
  const begin = () => (work ??= open().catch(() => undefined));
  const goOn = (): void => {
    if (timer !== undefined || known === undefined || (known.isWhole && isGood())) return;
    timer = setTimeout(() => {
      work = begin()
        .then(() => read(MAX_COMMITS))
        .then(
          () => (timer = undefined),
          // What failed once takes as long the next time.
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
    // Damaged, or of a version that did not compress it: it is read from git again.
    return undefined;
  }
}
