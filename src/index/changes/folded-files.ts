import type { FoldedChange } from "../../model/changes.ts";
import { looksGenerated } from "../store/record.ts";
import { pathPurpose } from "../text/paths.ts";
import type { FileVersions } from "./file-versions.ts";

/** Matches the lock files of package managers, which machines write. */
const LOCK_FILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|Gemfile\.lock|composer\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|go\.sum|flake\.lock|mix\.lock|pubspec\.lock|Podfile\.lock|Package\.resolved|packages\.lock\.json|gradle\.lockfile|deno\.lock|[^/]+\.lock)$/;

/** Whether both versions of a file have the same text, which is known only of files that can be compared. */
export function isSameText({ was, is, oldPath }: FileVersions): boolean {
  return was?.text !== undefined && was.text === is?.text && oldPath === undefined;
}

/** Whether something is to be said about a file with the same text on both sides. */
export function hasOtherNews({ hasNewMode, hasConflict, isUntracked }: FileVersions): boolean {
  return hasNewMode === true || hasConflict === true || isUntracked === true;
}

/** Returns why a file is only named in a list of changes; undefined if its definitions are listed. */
export function foldReason(file: FileVersions): FoldedChange["why"] | undefined {
  const why = contentReason(file);
  // What git says of such a file matters more than what it contains.
  if (why !== undefined && file.hasConflict === true) return "merge conflict";
  return why !== undefined && file.isUntracked === true ? "no longer tracked" : why;
}

function contentReason(file: FileVersions): FoldedChange["why"] | undefined {
  const { path, was, is, special } = file;
  if (special !== undefined) return special;
  if (isSameText(file)) return "mode";
  const version = is ?? was;
  const { role, kind } = pathPurpose(path);
  if (LOCK_FILE.test(path)) return "lock file";
  const skipped = is?.skipped ?? was?.skipped;
  if (skipped === "minified") return "generated";
  if (skipped === "too_large") return "too large";
  if (skipped === "unreadable") return "unreadable";
  if (skipped !== undefined) return "binary";
  if (role.vendored) return "vendored";
  if (looksGenerated(version?.text ?? "")) return "generated";
  if (kind === "data") return "data";
  const isEmpty = [was, is].every((one) => (one?.outline?.symbols.length ?? 0) === 0);
  return isEmpty ? "no definitions" : undefined;
}
