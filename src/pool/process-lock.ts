import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { processIdentity } from "../exec/process-identity.ts";
import { errnoOf } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";

/** The process that holds a lock. */
interface Owner {
  readonly pid: number;
  readonly identity: string;
  /** A random id that distinguishes the holders within one process. */
  readonly session: string;
}

/**
 * Takes a lock that is a file with the name of its owner; returns false if a running process has it. A lock whose owner
 * was killed is taken over. The lock is released by removing the file.
 */
export async function tryLock(file: string, session = randomId(12)): Promise<boolean> {
  const identity = (await processIdentity(process.pid)) ?? String(process.pid);
  const draft = `${file}.${session}`;
  const owner: Owner = { pid: process.pid, identity, session };
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    for (;;) {
      if (await isLinked(draft, file)) return true;
      const present = await readOwner(file);
      if (present !== undefined && (await processIdentity(present.pid)) === present.identity) return false;
      await removeDeadOwner(file, session, present);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes the file that names a dead process as owner. It is moved first, which only one of several competing processes
 * can do.
 */
async function removeDeadOwner(file: string, session: string, dead: Owner | undefined): Promise<void> {
  const aside = `${file}.gone-${session}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  const moved = await readOwner(aside);
  // If another process took the lock just before the move, its file is put back.
  if (moved?.session !== dead?.session) await isLinked(aside, file);
  await rm(aside, { force: true });
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Reads the owner of a lock; undefined if the file is missing or incomplete. */
async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Owner;
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
