/** Refers to the stored files of a job by the git commit that contains them. */
export interface SnapshotRef {
  readonly commit: string;
  readonly format: "sha1" | "sha256";
}

export interface NewPack {
  readonly commit: string;
  /** The commits that a receiver must already have to unpack this pack. */
  readonly needs: readonly string[];
  /** The id of the working tree from which the pack was made; later packs of the same tree may build on this one. */
  readonly project: string;
  /**
   * True if the pack holds a commit of the user, on which later packs may build; false if it holds a momentary state of
   * the working tree.
   */
  readonly isBase: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface StoredPack {
  readonly commit: string;
  readonly needs: readonly string[];
  bytes(): AsyncGenerator<Buffer>;
}

/** Stores packs (git packfiles with the files of jobs), through which submitters send files to workers. */
export interface PackStore {
  /** Returns which of the commits are stored, and marks them as recently used. */
  find(commits: readonly string[]): Promise<string[]>;
  /**
   * Returns the newest pack of a working tree on which others may build, and how many packs a new worker has to fetch
   * to use it.
   */
  newestBase(project: string): Promise<{ readonly commit: string; readonly depth: number } | undefined>;
  /** Stores a pack, unless it is already stored. */
  put(pack: NewPack): Promise<void>;
  get(commit: string): Promise<StoredPack | undefined>;
}
