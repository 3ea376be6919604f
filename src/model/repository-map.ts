/** A file in the map of a repository. */
export interface MapFile {
  readonly path: string;
  readonly bytes: number;
  /** The number of recent commits that changed it. */
  readonly commits: number;
  /** True if it has uncommitted changes. */
  readonly isChanged: boolean;
  /** The number of recent runs in which it had failures. */
  readonly failures: number;
}

/** The files of a workspace by size, the largest first. */
export interface RepositoryMap {
  readonly workspace: string;
  readonly files: readonly MapFile[];
  /** The number of files that are left out, because there are too many. */
  readonly more: number;
  /** The number of commits that count as recent. */
  readonly commits: number;
}
