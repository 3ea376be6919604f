import type { FileSignature } from "../../workspace/files/file-signature.ts";
import type { StoredRecord } from "./stored-record.ts";

/**
 * Persistent storage of the index. A store contains only facts: what a blob contains, and which blob a path had at a
 * ref or when a working-tree file had a certain signature. Facts stay true whoever writes them, so several servers can
 * share a store and a process may die at any moment. Ranking is done outside the store.
 */
export interface IndexStore {
  /** Database name for display. */
  readonly name: string;
  /** Present if this store replaces another one that is unavailable. */
  readonly fallback?: FallbackStore;
  /** Returns the keys that have a record of the current feature version. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the features of these blobs, without unknown ones. */
  features(keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  outline(key: string): Promise<Uint8Array | undefined>;
  /** Returns a repository's saved segment image, which is only a cache. */
  image(family: string): Promise<Uint8Array | undefined>;
  saveImage(family: string, image: Uint8Array): Promise<void>;

  /** Finds or creates the project of a root folder. Worktrees and subfolders of one repository share `family`. */
  project(root: string, family: string): Promise<ProjectRow>;
  projects(): Promise<readonly ProjectRow[]>;
  /** Removes a project and the records that only it uses; returns undefined if there is no such project. */
  removeProject(projectId: string): Promise<RemovedProject | undefined>;
  manifest(projectId: string, ref: string): Promise<Manifest | undefined>;
  manifests(projectId: string): Promise<readonly ManifestSummary[]>;
  /** Stores records and manifest changes in one transaction. */
  publish(change: Publication): Promise<void>;
  /** Removes projects, then records that no manifest uses. */
  collect(rules: RetentionRules): Promise<{ readonly blobs: number }>;

  startJob(job: JobRow): Promise<void>;
  /** Ends a job. A job that is done is removed; others are kept until they have been reported. */
  endJob(jobId: string, status: "done" | UnfinishedStatus, message?: string): Promise<void>;
  jobs(projectId?: string): Promise<readonly JobRow[]>;
  /** Removes a job that has been reported. */
  forgetJob(jobId: string): Promise<void>;
  /** Checks the whole store and throws if it is damaged. Missing if the database server does this itself. */
  check?(): Promise<void>;
  close(): Promise<void>;
}

export interface FallbackStore {
  /** The reason for the fallback, as shown to users. */
  readonly reason: string;
  /** Returns true once the primary store can be used again. */
  isPrimaryBack(): boolean;
}

/** Rules for removing unused data from a store. Times are in milliseconds since 1970. */
export interface RetentionRules {
  readonly removedProjects: readonly string[];
  /** Records that no manifest uses are removed once they are older than this time. */
  readonly unusedSince: number;
  /** Minimum interval between two runs, in milliseconds. */
  readonly every: number;
  readonly now: number;
}

export interface ProjectRow {
  readonly projectId: string;
  readonly root: string;
  readonly family: string;
  /** Milliseconds since 1970. */
  readonly lastUsed: number;
  /** Name of the other machine that the project belongs to; its root is not valid here. */
  readonly otherHost?: string;
}

/** Counts of what was removed with a project. Records that other projects use stay. */
export interface RemovedProject {
  readonly manifests: number;
  readonly files: number;
  readonly blobs: number;
}

/** One path of a manifest. A file without a key is not indexed, for the reason in `skipped`. */
export interface ManifestEntry {
  readonly path: string;
  readonly key?: string;
  readonly skipped?: SkipReason;
  /** Size, times and inode of a working-tree file when it was read. */
  readonly signature?: FileSignature;
}

export type SkipReason = "too_large" | "binary" | "minified" | "unreadable";

export interface Manifest {
  readonly ref: string;
  /** The commit of the ref, or HEAD of the working tree, when the manifest was last written. */
  readonly commit?: string;
  readonly publishedAt: number;
  /** False until the first indexing is complete. */
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
  /** Whether the manifest is complete; unchanged if omitted. */
  readonly complete?: boolean;
  readonly at: number;
}

/** A failed job met an error. An interrupted one was stopped with its process, and the next process continues it. */
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

/** Returns the key of a record, made of the content's hash and the language given by the path. */
export function blobKey(hash: string, language: string): string {
  return `${hash}.${language}`;
}
