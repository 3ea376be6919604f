import { createReadStream, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCache, type SnapshotCache } from "../../src/workspace/snapshot/cache.ts";
import { packSnapshot, type SnapshotPack } from "../../src/workspace/snapshot/pack.ts";
import {
  takeSnapshot,
  type Snapshot,
  type SnapshotCommit,
  type SnapshotOptions,
} from "../../src/workspace/snapshot/snapshot.ts";

/** The folders of a submitter and of a worker, and the transfer of a snapshot between them. */
export interface SnapshotBench {
  readonly folder: string;
  take(root: string, options?: Partial<SnapshotOptions>): Promise<Snapshot>;
  pack(snapshot: SnapshotCommit, have?: readonly string[]): Promise<SnapshotPack>;
  cache(format?: "sha1" | "sha256"): SnapshotCache;
  /** Brings a snapshot into the cache by way of its base and checks it out into a new folder. */
  deliver(snapshot: Snapshot): Promise<string>;
  dispose(): void;
}

export function snapshotBench(): SnapshotBench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-snapshot-")));
  const variables = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  let count = 0;
  const bench: SnapshotBench = {
    folder,
    take: (root, options) => takeSnapshot(root, { folder: join(folder, "taken"), variables, ...options }),
    pack: (snapshot, have = []) =>
      packSnapshot(snapshot, { have, file: join(folder, `${++count}.pack`), variables }),
    cache: (format = "sha1") => openCache(join(folder, `cache-${format}`), { format, variables }),
    async deliver(snapshot) {
      const cache = bench.cache(snapshot.format);
      const bases = snapshot.base === undefined ? [] : [snapshot.base];
      for (const one of [...bases, snapshot]) {
        if (await cache.has(one.commit)) continue;
        const pack = await bench.pack(one, await cache.commits());
        await cache.receive({ ...pack, bytes: createReadStream(pack.file) });
      }
      const target = join(folder, "jobs", String(++count));
      await cache.checkout(snapshot.commit, target);
      return target;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
  return bench;
}
