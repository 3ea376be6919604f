/** Refers to the files of a job in the store by the commit whose tree they are. */
export interface SnapshotRef {
  readonly commit: string;
  readonly format: "sha1" | "sha256";
}

export interface NewPack {
  readonly commit: string;
  /** The commits that a receiver must already have. */
  readonly needs: readonly string[];
  /** The working tree of the pack; later packs of the same tree may build on this one. */
  readonly project: string;
  /** True for a commit of the user, on which later packs may build; false for a momentary state of the working tree. */
  readonly isBase: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface StoredPack {
  readonly commit: string;
  readonly needs: readonly string[];
  bytes(): AsyncGenerator<Buffer>;
}

/** Stores packs for transfer between submitters and workers. */
export interface PackStore {
  /** Returns the commits that are stored, and marks them as recently used. */
  find(commits: readonly string[]): Promise<string[]>;
  /** The newest base of a working tree, and the number of packs that a new worker has to fetch for it. */
  newestBase(project: string): Promise<{ readonly commit: string; readonly depth: number } | undefined>;
  /** Stores a pack, unless it is already there. */
  put(pack: NewPack): Promise<void>;
  get(commit: string): Promise<StoredPack | undefined>;
}
