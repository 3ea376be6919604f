import type { FileSignature } from "../../workspace/files/walk-signature.ts";
import type { StoredRecord } from "./stored-record.ts";

/**
 * What the index keeps between processes. A store holds facts only: what a blob contains, and which blob a path had at
 * a ref or when a working-tree file had a certain signature. Facts stay true whoever writes them, so several servers
 * share a store and a process may die at any moment. Scoring is not the store's business.
 */
export interface IndexStore {
  /** The name people know the database by. */
  readonly name: string;
  /** This store is used in place of another one, which cannot be used now. */
  readonly fallback?: FallbackStore;
  /** Which of the keys have a record of this feature version. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** The records of these blobs; unknown ones are left out. */
  features(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  outline(key: string): Promise<Uint8Array | undefined>;
  /** A repository's records put together for searching: only a saving of time, and never needed. */
  image(family: string): Promise<Uint8Array | undefined>;
  saveImage(family: string, image: Uint8Array): Promise<void>;

  /** Finds or makes the project of a root folder; worktrees and subfolders of one repository share `family`. */
  project(root: string, family: string): Promise<ProjectRow>;
  projects(): Promise<readonly ProjectRow[]>;
  /** Removes a project with all it alone has; undefined when there is none of this id. */
  removeProject(projectId: string): Promise<RemovedProject | undefined>;
  manifest(projectId: string, ref: string): Promise<Manifest | undefined>;
  manifests(projectId: string): Promise<readonly ManifestSummary[]>;
  /** Stores records and manifest changes in one step: readers see all of it or nothing. */
  publish(change: Publication): Promise<void>;
  /** Removes projects that are gone, then records that no manifest holds. */
  collect(clearance: RetentionRules): Promise<{ readonly blobs: number }>;

  startJob(job: JobRow): Promise<void>;
  /** Work that is done needs no record; one that is not is kept until it is told. */
  endJob(jobId: string, status: "done" | UnfinishedStatus, message?: string): Promise<void>;
  jobs(projectId?: string): Promise<readonly JobRow[]>;
  /** Removes the job's record: it has been reported. */
  forgetJob(jobId: string): Promise<void>;
  /** Throws where the store is damaged, also in parts that nobody reads now; left out where another program sees to that. */
  check?(): Promise<void>;
  close(): Promise<void>;
}

export interface FallbackStore {
  /** Why, for people. */
  readonly reason: string;
  /** The other one can be used again. */
  isPrimaryBack(): boolean;
}

/** What may be removed from a store. Times are in milliseconds since 1970. */
export interface RetentionRules {
  readonly removedProjects: readonly string[];
  /** Records that no manifest holds stay until they are older: a branch may come back. */
  readonly unusedSince: number;
  /** Nothing is done when this was done less than so many milliseconds ago. */
  readonly every: number;
  readonly now: number;
}

export interface ProjectRow {
  readonly projectId: string;
  readonly root: string;
  readonly family: string;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
  /** The machine of a project that is not this machine's: its root says nothing here. */
  readonly otherHost?: string;
}

/** What went with a project. Records that other projects have too stay. */
export interface RemovedProject {
  readonly manifests: number;
  readonly files: number;
  readonly blobs: number;
}

/** One path of a manifest. A file without a key is known and left out, for the reason given. */
export interface ManifestEntry {
  readonly path: string;
  readonly key?: string;
  readonly skipped?: SkipReason;
  /** Only of working trees: what the file looked like when it was read. */
  readonly signature?: FileSignature;
}

export type SkipReason = "too_large" | "binary" | "minified" | "unreadable";

export interface Manifest {
  readonly ref: string;
  /** The commit that a ref stood for, or HEAD of the working tree, at the last publication. */
  readonly commit?: string;
  readonly publishedAt: number;
  /** False while the first indexing is not through. */
  readonly complete: boolean;
  readonly entries: readonly ManifestEntry[];
}

export interface ManifestSummary {
  readonly ref: string;
  readonly commit?: string;
  readonly publishedAt: number;
  readonly complete: boolean;
  readonly files: number;
}

export interface Publication {
  readonly projectId: string;
  readonly ref: string;
  readonly records: readonly { readonly key: string; readonly record: StoredRecord }[];
  readonly changed: readonly ManifestEntry[];
  readonly removed: readonly string[];
  readonly commit?: string;
  /** Left out: as it was. */
  readonly complete?: boolean;
  readonly at: number;
}

/** Failed: something was in the way. Interrupted: its process ended, or had no more use for it; the next one goes on. */
export type UnfinishedStatus = "failed" | "interrupted";

export interface JobRow {
  readonly jobId: string;
  readonly projectId: string;
  readonly ref: string;
  readonly mode: "full" | "incremental";
  readonly status: "running" | UnfinishedStatus;
  readonly changedFiles: number;
  readonly startedAt: number;
  readonly pid: number;
  readonly host: string;
  readonly message?: string;
}

/** What names a record: the content, and the language that its path makes of it. */
export function blobKey(hash: string, language: string): string {
  return `${hash}.${language}`;
}
