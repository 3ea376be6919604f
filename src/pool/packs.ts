/** The files of a job in the store: a commit whose tree they are. */
export interface SnapshotRef {
  readonly commit: string;
  readonly format: "sha1" | "sha256";
}

export interface NewPack {
  readonly commit: string;
  /** What a receiver must have before. */
  readonly needs: readonly string[];
  /** The working tree it comes from: later packs of it may build on this one. */
  readonly project: string;
  /** Whether it is worth building on: a commit of the user's, not one moment of the working tree. */
  readonly isBase: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface StoredPack {
  readonly commit: string;
  readonly needs: readonly string[];
  bytes(): AsyncGenerator<Buffer>;
}

/** Where packs are kept between submitters and workers. */
export interface PackStore {
  /** Which of these are stored. They count as used from now on. */
  find(commits: readonly string[]): Promise<string[]>;
  /** The newest base of a working tree, and how many packs a new worker would have to read for it. */
  newestBase(project: string): Promise<{ readonly commit: string; readonly depth: number } | undefined>;
  /** Keeps a pack; one that is there already stays. */
  put(pack: NewPack): Promise<void>;
  get(commit: string): Promise<StoredPack | undefined>;
}
