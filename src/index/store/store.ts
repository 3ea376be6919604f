import type { FileSignature } from "../../workspace/files/file-signature.ts";
import type { StoredRecord } from "./stored-record.ts";

/**
 * Persistent storage of the index. A store contains only facts: what a blob (the content of a file) contains, and which
 * blob a path had at a ref or when a working-tree file had a certain signature. Facts stay true whoever writes them, so
 * several servers can share a store and a process may die at any moment. Ranking is done outside the store.
 */
export interface IndexStore {
  /** Name of the database, as shown to users. */
  readonly name: string;
  /** Present if this store replaces another one that is unavailable. */
  readonly fallback?: FallbackStore;
  /** Returns those of the keys for which the store has an index record of the current version. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the searchable features of these blobs; unknown ones are left out. */
  features(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  outline(key: string): Promise<Uint8Array | undefined>;
  /** Returns the uses of names in these blobs; unknown ones are left out. */
  uses(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Returns the saved segment (searchable part of the index) of a repository; it is only a cache. */
  image(family: string): Promise<Uint8Array | undefined>;
  saveImage(family: string, image: Uint8Array): Promise<void>;

  /**
   * Finds or creates the project of a root folder. Worktrees and subfolders of one repository have the same `family`.
   */
  project(root: string, family: string): Promise<ProjectRow>;
  projects(): Promise<readonly ProjectRow[]>;
  /** Removes a project and the index records that only it uses; returns undefined if there is no such project. */
  removeProject(projectId: string): Promise<RemovedProject | undefined>;
  manifest(projectId: string, ref: string): Promise<Manifest | undefined>;
  manifests(projectId: string): Promise<readonly ManifestSummary[]>;
  /**
   * Stores new index records and changes of a manifest (the list of files of a ref or working tree) in one transaction.
   */
  publish(change: Publication): Promise<void>;
  /** Removes projects, then index records that no list of files refers to. */
  collect(rules: RetentionRules): Promise<{ readonly blobs: number }>;

  startJob(job: JobRow): Promise<void>;
  /** Ends an indexing job. A job that is done is removed; others are kept until they have been reported. */
  endJob(jobId: string, status: "done" | UnfinishedStatus, message?: string): Promise<void>;
  jobs(projectId?: string): Promise<readonly JobRow[]>;
  /** Removes an indexing job that has been reported. */
  forgetJob(jobId: string): Promise<void>;
  /**
   * Checks the whole store and throws if it is damaged. The method is missing if the database server checks its data
   * itself.
   */
  check?(): Promise<void>;
  close(): Promise<void>;
}

export interface FallbackStore {
  /** The reason why the fallback store is used, as shown to users. */
  readonly reason: string;
  /** Returns true once the primary store can be used again. */
  isPrimaryBack(): boolean;
}

/** Rules for removing unused data from a store. Times are in milliseconds since 1970. */
export interface RetentionRules {
  readonly removedProjects: readonly string[];
  /** Index records that no list of files refers to are removed if they were added before this time. */
  readonly unusedSince: number;
  /** Minimum time between two removals of unused data, in milliseconds. */
  readonly every: number;
  readonly now: number;
}

export interface ProjectRow {
  readonly projectId: string;
  readonly root: string;
  readonly family: string;
  /** Time of the last use of the project, in milliseconds since 1970. */
  readonly lastUsed: number;
  /** Name of the other machine that the project belongs to, if any; its root folder is not valid on this machine. */
  readonly otherHost?: string;
}

/** Counts of what was removed with a project. Index records that other projects use are kept. */
export interface RemovedProject {
  readonly manifests: number;
  readonly files: number;
  readonly blobs: number;
}

/**
 * One path of a manifest (the list of files of a ref or working tree). A file without a key is not indexed; `skipped`
 * says why.
 */
export interface ManifestEntry {
  readonly path: string;
  readonly key?: string;
  readonly skipped?: SkipReason;
  /** Size, times and inode that a working-tree file had when it was read. */
  readonly signature?: FileSignature;
}

export type SkipReason = "too_large" | "binary" | "minified" | "unreadable";

export interface Manifest {
  readonly ref: string;
  /** The commit that the ref, or HEAD of the working tree, pointed to when the manifest was last written. */
  readonly commit?: string;
  readonly publishedAt: number;
  /** False until all files have been indexed for the first time. */
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
  /** Whether the manifest now contains every file; unchanged if omitted. */
  readonly complete?: boolean;
  readonly at: number;
}

/**
 * How an unfinished job ended: a failed one met an error; an interrupted one stopped with its process, and the next
 * process continues it.
 */
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

/** Returns the key of an index record, made of the hash of the file's content and the language. */
export function blobKey(hash: string, language: string): string {
  return `${hash}.${language}`;
}
