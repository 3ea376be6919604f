import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processIdentity } from "../exec/process-identity.ts";
import { sweepMarked } from "../exec/sweep.ts";
import { errnoOf } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";
import { makePrivateFolder } from "../kernel/make-folder.ts";
import { removeFolder } from "../workspace/snapshot/remove-folder.ts";

/**
 * A folder that one running worker uses at a time. A later worker takes over the folder, the suffix of its name and
 * what was left in it.
 */
export interface WorkerHome {
  readonly folder: string;
  /** The subfolder that only the current worker uses, and no later one. */
  readonly work: string;
  /** The suffix of the worker's name; every worker that uses this folder gets the same. */
  readonly suffix: string;
  readonly session: string;
  release(): Promise<void>;
}

interface Owner {
  readonly pid: number;
  readonly identity: string;
  readonly session: string;
}

/** The environment variable that marks every process of a worker's session. */
export function sessionMarker(session: string): string {
  return `PITH_WORKER_${session.toUpperCase()}`;
}

/** Takes the first free home folder below the given folder, and removes what a killed worker left in it. */
export async function openHome(parent: string): Promise<WorkerHome> {
  const session = randomId(12);
  const identity = (await processIdentity(process.pid)) ?? String(process.pid);
  const owner: Owner = { pid: process.pid, identity, session };
  for (let number = 1; ; number++) {
    const folder = join(parent, String(number));
    await makePrivateFolder(folder);
    if (!(await claimHome(folder, owner))) continue;
    for (const left of await sessionsIn(folder)) await cleanUpSession(folder, left);
    const work = workOf(folder, session);
    for (const name of ["trees", "logs"]) await makePrivateFolder(join(work, name));
    return {
      folder,
      work,
      suffix: await suffixOf(folder),
      session,
      async release() {
        await cleanUpSession(folder, session);
        await rm(join(folder, OWNER), { force: true });
      },
    };
  }
}

/**
 * Ends the processes of one worker session and removes its files; files of the home folder's current worker are not
 * touched.
 */
export async function cleanUpSession(folder: string, session: string): Promise<void> {
  await sweepMarked(sessionMarker(session));
  await removeFolder(workOf(folder, session));
}

const SESSION = "session-";

function workOf(folder: string, session: string): string {
  return join(folder, `${SESSION}${session}`);
}

async function sessionsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.startsWith(SESSION)).map((name) => name.slice(SESSION.length));
}

const OWNER = "owner.json";

/** Claims a home folder for a worker; returns false if a running worker uses it. */
async function claimHome(folder: string, owner: Owner): Promise<boolean> {
  const draft = join(folder, `.${owner.session}`);
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    for (;;) {
      if (await isLinked(draft, join(folder, OWNER))) return true;
      const present = await readOwner(join(folder, OWNER));
      if (present !== undefined && (await processIdentity(present.pid)) === present.identity) return false;
      await removeDeadOwner(folder, owner, present);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes the file that names a dead worker as owner of a home folder. It is moved first, which only one of several
 * competing workers can do.
 */
async function removeDeadOwner(folder: string, { session }: Owner, dead: Owner | undefined): Promise<void> {
  const aside = join(folder, `.gone-${session}`);
  try {
    await rename(join(folder, OWNER), aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  const moved = await readOwner(aside);
  // If another worker claimed the home folder just before the move, its owner file is put back.
  if (moved?.session !== dead?.session) await isLinked(aside, join(folder, OWNER));
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

/** Reads the file that names the owner of a home folder; undefined if it is missing or incomplete. */
async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Owner;
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the suffix of the worker's name. It is stored as the name of a file, so that it is written atomically. */
async function suffixOf(folder: string): Promise<string> {
  const known = (await readdir(folder)).find((name) => name.startsWith("name-"));
  if (known !== undefined) return known.slice("name-".length);
  const suffix = randomId(4);
  await writeFile(join(folder, `name-${suffix}`), "", { mode: 0o600 });
  return suffix;
}
