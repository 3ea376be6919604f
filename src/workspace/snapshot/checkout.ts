import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makeRepository, writeAlternates } from "./private-repository.ts";
import { pin, pinnedIndex, readPin, unpin, type Generation, type Pin } from "./cache-generation.ts";
import { privateGit, type ObjectFormat, type Variables } from "./private-git.ts";
import { removeFolder } from "./remove-folder.ts";
import { saveIndex, keepIdle, claimIdleCheckout, type IdleCheckout } from "./idle-checkouts.ts";

export interface Checkout {
  readonly cache: string;
  readonly generation: Generation;
  readonly commit: string;
  readonly family: string;
  readonly folder: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly signal?: AbortSignal;
}

/** Writes the files of a snapshot into a new folder. If it fails, no folder is left behind. */
export async function checkOut(job: Checkout): Promise<void> {
  if (await reuseIdleCheckout(job)) return;
  // Creating the folder fails if it exists, because a job must never start on the leftovers of another one.
  await mkdir(job.folder, { mode: 0o700 });
  try {
    await checkOutNew(job);
  } catch (error) {
    await discard(job);
    throw error;
  }
}

/**
 * Ends the use of a checked-out folder. It is kept as an idle checkout for later jobs if possible; otherwise the caller
 * removes it.
 */
export async function release(
  folder: string,
  generation: Generation,
  at: Omit<IdleCheckout, keyof Pin | "generation" | "index">,
): Promise<void> {
  const pinned = await readPin(generation, folder);
  const index = pinnedIndex(generation, folder);
  if (pinned !== undefined && existsSync(index))
    await keepIdle(folder, { ...at, ...pinned, generation, index });
  await unpin(generation, folder);
}

/** Checks that every object of the snapshot can be read. */
export async function canRead({
  generation,
  commit,
  variables,
}: Pick<Checkout, "generation" | "commit" | "variables">): Promise<boolean> {
  const result = await privateGit(["archive", "--format=tar", commit], {
    gitDir: generation.gitDir,
    variables,
    maxBytes: Infinity,
    onChunk: () => true,
  });
  return result.exitCode === 0;
}

async function checkOutNew(job: Checkout): Promise<void> {
  const { generation, commit, folder, format } = job;
  await pin(generation, job);
  const alternates = [join(generation.gitDir, "objects")];
  await makeRepository(join(folder, ".git"), { format, head: commit, bare: false, alternates });
  await readTree(job);
}

/**
 * Switches an idle checkout, kept from an earlier job, to this snapshot. Returns false if there is none or if switching
 * fails.
 */
async function reuseIdleCheckout(job: Checkout): Promise<boolean> {
  const { cache, generation, commit, family, folder, signal } = job;
  if (existsSync(folder) || !(await claimIdleCheckout(cache, family, folder))) return false;
  try {
    await pin(generation, job);
    await writeAlternates(join(folder, ".git"), [join(generation.gitDir, "objects")]);
    await writeFile(join(folder, ".git", "HEAD"), `${commit}\n`);
    await readTree(job);
    return true;
  } catch (error) {
    await discard(job);
    if (signal?.aborted === true) throw error;
    return false;
  }
}

async function readTree({ generation, commit, folder, variables, signal }: Checkout): Promise<void> {
  const result = await privateGit(["read-tree", "--reset", "-u", commit], {
    gitDir: join(folder, ".git"),
    workTree: folder,
    variables,
    ...(signal && { signal }),
  });
  if (result.exitCode !== 0)
    throw new PithError("internal_error", `The snapshot cannot be checked out: ${result.stderr.trim()}`, {
      commit,
    });
  await saveIndex(folder, pinnedIndex(generation, folder));
}

async function discard({ folder, generation }: Checkout): Promise<void> {
  await removeFolder(folder);
  await unpin(generation, folder);
}
