import type { Outline } from "../../model/symbol.ts";
import type { ChangedFile } from "../../workspace/git/changed-files.ts";
import type { SkipReason } from "../store/store.ts";

/** One version of a file; the text is missing if it is binary, minified or too large to be compared. */
export interface Version {
  readonly text?: string;
  readonly outline?: Outline;
  readonly skipped?: SkipReason;
}

/** A changed file with both versions of its content. */
export interface FileVersions extends ChangedFile {
  readonly was?: Version;
  readonly is?: Version;
}
