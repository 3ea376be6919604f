import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makeRepository, writeAlternates } from "./bare-repository.ts";
import { pin, pinnedIndex, readPin, unpin, type Epoch, type Pin } from "./epochs.ts";
import { privateGit, type ObjectFormat, type Variables } from "./private-git.ts";
import { removeFolder } from "./remove-folder.ts";
import { keepIndex, parkSpare, takeSpare, type Parking } from "./spares.ts";

export interface Checkout {
  readonly cache: string;
  readonly epoch: Epoch;
  readonly commit: string;
  readonly family: string;
  readonly folder: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly signal?: AbortSignal;
}

/** Writes the files of a snapshot into a folder that does not exist yet. What fails leaves no folder behind. */
export async function checkOut(job: Checkout): Promise<void> {
  if (await checkOutSpare(job)) return;
  // Fails when something is there: a job never starts on what another one left.
  await mkdir(job.folder, { mode: 0o700 });
  try {
    await checkOutNew(job);
  } catch (error) {
    await discard(job);
    throw error;
  }
}

/** Ends the use of a folder: it waits for the next job, or is left to be removed. */
export async function leave(
  folder: string,
  epoch: Epoch,
  at: Omit<Parking, keyof Pin | "epoch" | "index">,
): Promise<void> {
  const pinned = await readPin(epoch, folder);
  const index = pinnedIndex(epoch, folder);
  if (pinned !== undefined && existsSync(index)) await parkSpare(folder, { ...at, ...pinned, epoch, index });
  await unpin(epoch, folder);
}

/** Whether every object of the snapshot can be read. */
export async function canRead({
  epoch,
  commit,
  variables,
}: Pick<Checkout, "epoch" | "commit" | "variables">): Promise<boolean> {
  const result = await privateGit(["archive", "--format=tar", commit], {
    gitDir: epoch.gitDir,
    variables,
    maxBytes: Infinity,
    onChunk: () => true,
  });
  return result.exitCode === 0;
}

async function checkOutNew(job: Checkout): Promise<void> {
  const { epoch, commit, folder, format } = job;
  await pin(epoch, job);
  const alternates = [join(epoch.gitDir, "objects")];
  await makeRepository(join(folder, ".git"), { format, head: commit, bare: false, alternates });
  await readTree(job);
}

/** Brings a folder that waits to this snapshot. False where there is none, or it does not work out. */
async function checkOutSpare(job: Checkout): Promise<boolean> {
  const { cache, epoch, commit, family, folder, signal } = job;
  if (existsSync(folder) || !(await takeSpare(cache, family, folder))) return false;
  try {
    await pin(epoch, job);
    await writeAlternates(join(folder, ".git"), [join(epoch.gitDir, "objects")]);
    await writeFile(join(folder, ".git", "HEAD"), `${commit}\n`);
    await readTree(job);
    return true;
  } catch (error) {
    await discard(job);
    if (signal?.aborted === true) throw error;
    return false;
  }
}

async function readTree({ epoch, commit, folder, variables, signal }: Checkout): Promise<void> {
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
  await keepIndex(folder, pinnedIndex(epoch, folder));
}

async function discard({ folder, epoch }: Checkout): Promise<void> {
  await removeFolder(folder);
  await unpin(epoch, folder);
}
