import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { contentId, randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { packSnapshot } from "../../workspace/snapshot/pack.ts";
import { type Snapshot, type SnapshotCommit, takeSnapshot } from "../../workspace/snapshot/snapshot.ts";
import type { PackStore } from "../packs.ts";

export interface ShipOptions {
  /** The folder for Pith's private git repositories and for packs (bundles of files) in transfer. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Called with the snapshot before it is uploaded, which may take a while. */
  readonly onTaken?: (snapshot: Snapshot) => void;
}

/**
 * Upper bound on a chain of packs (bundles of files) that build on each other, because a new worker fetches them one by
 * one. Beyond it, a full pack starts a new chain.
 */
const MAX_DEPTH = 30;

/** Takes a snapshot of the working tree and uploads what the store does not have yet. */
export async function shipSnapshot(root: string, packs: PackStore, options: ShipOptions): Promise<Snapshot> {
  const snapshot = await takeSnapshot(root, { ...options, folder: join(options.folder, "snapshots") });
  options.onTaken?.(snapshot);
  const { base } = snapshot;
  const stored = await packs.find([snapshot.commit, ...(base === undefined ? [] : [base.commit])]);
  if (stored.includes(snapshot.commit)) return snapshot;
  const project = contentId(`${hostname()}\0${snapshot.gitDir}`);
  const shipping = { packs, project, options };
  const newest =
    base === undefined || !stored.includes(base.commit) ? await packs.newestBase(project) : undefined;
  const earlier = newest !== undefined && newest.depth < MAX_DEPTH ? [newest.commit] : [];
  // In a folder without commits, the snapshot itself becomes the base on which later packs build.
  if (base === undefined) await ship(snapshot, { ...shipping, have: earlier, isBase: true });
  else {
    if (!stored.includes(base.commit)) await ship(base, { ...shipping, have: earlier, isBase: true });
    if (base.commit !== snapshot.commit)
      await ship(snapshot, { ...shipping, have: [base.commit], isBase: false });
  }
  return snapshot;
}

interface Shipping {
  readonly packs: PackStore;
  readonly project: string;
  readonly have: readonly string[];
  readonly isBase: boolean;
  readonly options: ShipOptions;
}

async function ship(
  commit: SnapshotCommit,
  { packs, project, have, isBase, options }: Shipping,
): Promise<void> {
  const folder = join(options.folder, "packs");
  await makePrivateFolder(folder);
  const file = join(folder, `${randomId(12)}.pack`);
  const { variables, signal } = options;
  try {
    const pack = await packSnapshot(commit, { have, file, variables, ...(signal && { signal }) });
    await packs.put({ ...pack, project, isBase, bytes: createReadStream(file) });
  } finally {
    await rm(file, { force: true });
  }
}
