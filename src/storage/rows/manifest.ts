import type { Manifest, ManifestEntry, SkipReason } from "../../index/store/store.ts";
import { numberOf, textOf, type Row } from "./values.ts";

/** Converts the head row of a manifest (which content each path has at one ref). SQLite stores true as 1. */
export function headOf(row: Row): Omit<Manifest, "entries"> {
  const commit = textOf(row["commit_id"]);
  return {
    ref: textOf(row["ref"]),
    ...(commit !== "" && { commit }),
    publishedAt: numberOf(row["published_at"]),
    complete: row["complete"] === true || row["complete"] === 1,
  };
}

const SKIP_REASONS: readonly SkipReason[] = ["too_large", "binary", "minified", "unreadable"];

/** Converts the row of one path in a manifest, which says what content the path has or why it was skipped. */
export function entryOf(row: Row): ManifestEntry {
  const key = textOf(row["key"]);
  const skipped = SKIP_REASONS.find((reason) => reason === row["skipped"]);
  return {
    path: textOf(row["path"]),
    ...(key !== "" && { key }),
    ...(skipped !== undefined && { skipped }),
    ...(row["taken"] !== null && {
      signature: {
        size: numberOf(row["size"]),
        modified: numberOf(row["modified"]),
        changed: numberOf(row["changed"]),
        inode: numberOf(row["inode"]),
        taken: numberOf(row["taken"]),
      },
    }),
  };
}
