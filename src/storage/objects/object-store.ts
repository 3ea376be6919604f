import type { PithError } from "../../kernel/errors.ts";

/** Credentials of an S3-compatible store. */
export interface ObjectCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken: string;
}

/** Stores bytes under a key, outside the database. What is stored under a key never changes. */
export interface ObjectStore {
  /** The store's address without secrets. */
  readonly place: string;
  /** Stores an object; after an error or the end of this process, all of it is there or nothing. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Returns undefined if there is no such object. */
  get(key: string): Promise<Buffer | undefined>;
  /** Removes an object; succeeds if there is none. */
  remove(key: string): Promise<void>;
}

/** The object store of a team, and from which size on it is used. */
export interface ObjectSettings {
  readonly store: ObjectStore;
  readonly minBytes: number;
  /** Called when an object could not be stored; it is then stored in the database. */
  readonly onFailure: (error: PithError) => void;
}
