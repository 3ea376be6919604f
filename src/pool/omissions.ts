import type { Omission } from "../workspace/snapshot/collect-files.ts";

const WHY: Readonly<Record<Omission["reason"], string>> = {
  too_large: "untracked and too large",
  unreadable: "not readable",
  special: "no regular file",
  repository: "a repository of its own",
  submodule: "a submodule, as its commit alone",
  lfs: "in Git LFS, as its pointer",
};
const NAMED = 3;

/** Says what a job does not find of the working tree; undefined where it finds all. */
export function describeOmissions(omitted: readonly Omission[]): string | undefined {
  if (omitted.length === 0) return undefined;
  const named = omitted.slice(0, NAMED).map(({ path, reason }) => `${path} (${WHY[reason]})`);
  const more = omitted.length - named.length;
  return `The worker had not all files: without ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
