import { join } from "node:path";
import type { Suggestion } from "../../kernel/calls.ts";
import { PithError } from "../../kernel/errors.ts";
import { git } from "./git-repository.ts";
import { changedHunks, changesBetween, type ChangedHunk, type TreeChange } from "./tree-changes.ts";
import { readTreeState } from "./tree-state.ts";

/** The difference of the working tree from a commit. Paths are relative to the top folder. */
export interface ChangesSince {
  readonly top: string;
  readonly files: readonly TreeChange[];
  /** The changed lines of each file that both states have. */
  readonly hunks: ReadonlyMap<string, readonly ChangedHunk[]>;
}

/**
 * Compares the working tree around a folder with its commit, or with the point where it left another branch or commit.
 * Uncommitted and untracked files count.
 */
export async function changesSince(
  folder: string,
  ref: string | undefined,
  options: { readonly signal: AbortSignal },
): Promise<ChangesSince> {
  const now = await readTreeState(folder, options);
  if (now === undefined) throw await unreadable(folder, options);
  const base = ref === undefined ? now.commit : await forkPoint(folder, ref, options);
  const before = { commit: base, prefix: now.prefix, files: [] };
  const files = await changesBetween(folder, { before, now }, options);
  if (files === undefined) throw unknownRef(ref ?? base);
  const paths = files.filter(({ change }) => change !== "new").map(({ path }) => path);
  const up = now.prefix
    .split("/")
    .slice(0, -1)
    .map(() => "..");
  return {
    top: join(folder, ...up),
    files,
    hunks: await changedHunks(folder, { from: base, paths }, options),
  };
}

/** The commit that the current one has in common with another, so that later changes of the other do not count. */
async function forkPoint(
  folder: string,
  ref: string,
  options: { readonly signal: AbortSignal },
): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const commit = (await git(folder, args, options)).stdout.toString("utf8").trim();
  if (commit === "") throw unknownRef(ref);
  const shared = await git(folder, ["merge-base", commit, "HEAD"], options);
  // Without a common commit, as in a shallow clone, the trees themselves are compared.
  return shared.stdout.toString("utf8").trim() || commit;
}

function unknownRef(ref: string): PithError {
  return new PithError("ref_not_found", `Git knows no branch, tag or commit named ${ref}`, { ref });
}

const RUN_ALL: Suggestion = [
  { text: "Run all tests: CALL", call: { tool: "run_tests" } },
  { text: "Run all tests." },
];

async function unreadable(folder: string, options: { readonly signal: AbortSignal }): Promise<PithError> {
  const head = await git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"], options);
  return head.exitCode === 0
    ? new PithError("invalid_input", "Too many files differ from the commit to choose tests for them", {
        suggestion: RUN_ALL,
      })
    : new PithError(
        "invalid_input",
        "Changes are read from git, and this folder has no commit to compare with",
        {
          suggestion: RUN_ALL,
        },
      );
}
