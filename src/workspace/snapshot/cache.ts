import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { canRead, checkOut, leave, type Checkout } from "./checkout.ts";
import { pruneCache, type CacheLimits } from "./cache-prune.ts";
import {
  familyOf,
  isMarked,
  listEpochs,
  mark,
  marks,
  startEpoch,
  startFirstEpoch,
  touch,
  type Epoch,
} from "./epochs.ts";
import { type ObjectFormat, type Variables } from "./private-git.ts";
import { receivePack } from "./receive-pack.ts";
import { removeFolder } from "./remove-folder.ts";
import { dropSpares } from "./spares.ts";

/** What a worker keeps of the snapshots it got, so that the next one is a small pack. Processes may share one. */
export interface SnapshotCache {
  /** The snapshots that are complete here, the last used first. */
  commits(): Promise<string[]>;
  has(commit: string): Promise<boolean>;
  /** Takes a pack in; what it needs must be here. A stream that breaks off leaves nothing that counts. */
  receive(pack: IncomingPack, signal?: AbortSignal): Promise<void>;
  /** Writes a snapshot's tree into a new folder, with a small repository of its own around it. */
  checkout(commit: string, folder: string, signal?: AbortSignal): Promise<void>;
  /** Takes a checked-out folder away with all that was made in it. */
  release(folder: string): Promise<void>;
  /** Removes the folders that wait for a next job. */
  dropSpares(): Promise<void>;
  /** Begins anew with the last used snapshots when too large or too old, and removes what no folder uses any more. */
  prune(limits: CacheLimits): Promise<void>;
}

export interface IncomingPack {
  readonly commit: string;
  readonly needs: readonly string[];
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface CacheOptions {
  readonly format: ObjectFormat;
  readonly variables: Variables;
  /** How many folders that jobs have left are kept ready for the next ones. */
  readonly maxSpares?: number;
}

const MAX_SPARES = 4;

/** Opens the cache in a folder; it is made when the first pack comes. */
export function openCache(folder: string, options: CacheOptions): SnapshotCache {
  const { format, variables } = options;
  const at = { folder, format, variables };
  const newest = async () => (await listEpochs(folder))[0];
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
      const epoch = await homeOf(pack.needs, folder, format);
      await touch(epoch);
      if (isMarked(epoch, pack.commit)) return;
      await orRenew(pack.needs, { ...at, epoch, signal }, () =>
        receivePack(pack, { gitDir: epoch.gitDir, variables, ...(signal && { signal }) }),
      );
      const [need] = pack.needs;
      const family = need === undefined ? pack.commit : await familyOf(epoch, need);
      await mark(epoch, pack.commit, { family });
    },
    async checkout(commit, target, signal) {
      const epoch = (await listEpochs(folder)).find((one) => isMarked(one, commit));
      if (epoch === undefined)
        throw new PithError("result_not_found", `The cache lacks ${commit}`, { missing: [commit] });
      await touch(epoch);
      const family = await familyOf(epoch, commit);
      await mark(epoch, commit, { family });
      await makePrivateFolder(dirname(target));
      const job: Checkout = {
        cache: folder,
        epoch,
        commit,
        family,
        folder: target,
        ...options,
        ...(signal && { signal }),
      };
      await orRenew([commit], { ...at, epoch, signal }, () => checkOut(job));
    },
    async release(target) {
      for (const epoch of await listEpochs(folder))
        await leave(target, epoch, { cache: folder, maxSpares: MAX_SPARES, ...options });
      await removeFolder(target);
    },
    dropSpares: () => dropSpares(folder, 0),
    prune: (limits) => pruneCache(folder, { ...limits, format, variables }),
  };
}

interface Renewal {
  readonly folder: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly epoch: Epoch;
  readonly signal: AbortSignal | undefined;
}

/** A damaged cache must not fail the next job as well: work that fails because of it begins a new one. */
async function orRenew(commits: readonly string[], at: Renewal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const suspects = at.signal?.aborted === true ? [] : commits;
    const readable = await Promise.all(suspects.map((commit) => canRead({ ...at, commit })));
    if (readable.includes(false)) await startEpoch(at.folder, at.format);
    throw error;
  }
}

/** Where a pack can go: the newest generation that has what it needs. */
async function homeOf(needs: readonly string[], folder: string, format: ObjectFormat): Promise<Epoch> {
  const epochs = await listEpochs(folder);
  const found = epochs.find((epoch) => needs.every((commit) => isMarked(epoch, commit)));
  if (found !== undefined) return found;
  const [newest] = epochs;
  const missing = needs.filter((commit) => newest === undefined || !isMarked(newest, commit));
  if (missing.length > 0)
    throw new PithError("result_not_found", `The cache lacks ${missing.join(", ")}`, { missing });
  await startFirstEpoch(folder, format);
  return homeOf(needs, folder, format);
}
