import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { makeRepository } from "./bare-repository.ts";
import { pruneCache, type CacheLimits } from "./cache-prune.ts";
import {
  isMarked,
  listEpochs,
  mark,
  marks,
  pin,
  startEpoch,
  startFirstEpoch,
  touch,
  unpin,
  type Epoch,
} from "./epochs.ts";
import { privateGit, type ObjectFormat, type Variables } from "./private-git.ts";
import { receivePack } from "./receive-pack.ts";
import { removeFolder } from "./remove-folder.ts";

/** What a worker keeps of the snapshots it got, so that the next one is a small pack. Processes may share one. */
export interface SnapshotCache {
  /** The snapshots that are complete here, the last used first. */
  commits(): Promise<string[]>;
  has(commit: string): Promise<boolean>;
  /** Takes a pack in; what it needs must be here. A stream that breaks off leaves nothing that counts. */
  receive(pack: IncomingPack, signal?: AbortSignal): Promise<void>;
  /** Writes a snapshot's tree into a new folder, with a small repository of its own around it. */
  checkout(commit: string, folder: string, signal?: AbortSignal): Promise<void>;
  /** Removes a checked-out folder with all that was made in it. */
  release(folder: string): Promise<void>;
  /** Begins anew with the last used snapshots when too large or too old, and removes what no folder uses any more. */
  prune(limits: CacheLimits): Promise<void>;
}

export interface IncomingPack {
  readonly commit: string;
  readonly needs: readonly string[];
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Opens the cache in a folder; it is made when the first pack comes. */
export function openCache(
  folder: string,
  { format, variables }: { readonly format: ObjectFormat; readonly variables: Variables },
): SnapshotCache {
  const newest = async () => (await listEpochs(folder))[0];
  /** Where a pack can go: the newest generation that has what it needs. */
  const home = async (needs: readonly string[]): Promise<Epoch> => {
    const isComplete = (epoch: Epoch) => needs.every((commit) => isMarked(epoch, commit));
    const epochs = await listEpochs(folder);
    const found = epochs.find(isComplete);
    if (found !== undefined) return found;
    const [first] = epochs;
    const missing = needs.filter((commit) => first === undefined || !isMarked(first, commit));
    if (missing.length > 0)
      throw new PithError("result_not_found", `The cache lacks ${missing.join(", ")}`, { missing });
    await startFirstEpoch(folder, format);
    return home(needs);
  };
  return {
    async commits() {
      const epoch = await newest();
      return epoch === undefined ? [] : (await marks(epoch)).map(({ commit }) => commit);
    },
    async has(commit) {
      const epoch = await newest();
      return epoch !== undefined && isMarked(epoch, commit);
    },
    async receive(pack, signal) {
      const epoch = await home(pack.needs);
      await touch(epoch);
      if (isMarked(epoch, pack.commit)) return;
      await receivePack(pack, { gitDir: epoch.gitDir, variables, ...(signal && { signal }) });
      await mark(epoch, pack.commit);
    },
    async checkout(commit, target, signal) {
      const epoch = (await listEpochs(folder)).find((one) => isMarked(one, commit));
      if (epoch === undefined)
        throw new PithError("result_not_found", `The cache lacks ${commit}`, { missing: [commit] });
      await touch(epoch);
      await mark(epoch, commit);
      await makePrivateFolder(dirname(target));
      // Fails when something is there: a job never starts on what another one left.
      await mkdir(target, { mode: 0o700 });
      try {
        await checkOut({ epoch, commit, folder: target, format, variables, ...(signal && { signal }) });
      } catch (error) {
        await removeFolder(target);
        await unpin(epoch, target);
        // A damaged cache must not fail the next job as well.
        if (signal?.aborted !== true && !(await canRead(epoch, commit, variables)))
          await startEpoch(folder, format);
        throw error;
      }
    },
    async release(target) {
      await removeFolder(target);
      for (const epoch of await listEpochs(folder)) await unpin(epoch, target);
    },
    prune: (limits) => pruneCache(folder, { ...limits, format, variables }),
  };
}

interface Checkout {
  readonly epoch: Epoch;
  readonly commit: string;
  readonly folder: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly signal?: AbortSignal;
}

async function checkOut({ epoch, commit, folder, format, variables, signal }: Checkout): Promise<void> {
  await pin(epoch, folder);
  const gitDir = join(folder, ".git");
  await makeRepository(gitDir, {
    format,
    head: commit,
    bare: false,
    alternates: [join(epoch.gitDir, "objects")],
  });
  const result = await privateGit(["-c", "checkout.workers=0", "read-tree", "-m", "-u", commit], {
    gitDir,
    workTree: folder,
    variables,
    ...(signal && { signal }),
  });
  if (result.exitCode === 0) return;
  throw new PithError("internal_error", `The snapshot cannot be checked out: ${result.stderr.trim()}`, {
    commit,
  });
}

/** Reads every object of a snapshot once. */
async function canRead({ gitDir }: Epoch, commit: string, variables: Variables): Promise<boolean> {
  const result = await privateGit(["archive", "--format=tar", commit], {
    gitDir,
    variables,
    maxBytes: Infinity,
    onChunk: () => true,
  });
  return result.exitCode === 0;
}
