import { link, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processIdentity } from "../exec/process-identity.ts";
import { sweepMarked } from "../exec/sweep.ts";
import { errnoOf } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";
import { makePrivateFolder } from "../kernel/make-folder.ts";
import { removeFolder } from "../workspace/snapshot/remove-folder.ts";

/** A folder that one living worker has to itself. A later one takes it over, with the name and what it left. */
export interface WorkerHome {
  readonly folder: string;
  /** The part of it that belongs to this session alone. */
  readonly work: string;
  /** The same for every worker that lives here, one after the other. */
  readonly suffix: string;
  readonly session: string;
  release(): Promise<void>;
}

interface Owner {
  readonly pid: number;
  readonly identity: string;
  readonly session: string;
}

/** Every process of a worker's session carries this variable. */
export function sessionMarker(session: string): string {
  return `PITH_WORKER_${session.toUpperCase()}`;
}

/** Moves into the first free home below the folder, and clears away what a killed worker left in it. */
export async function openHome(parent: string): Promise<WorkerHome> {
  const session = randomId(12);
  const identity = (await processIdentity(process.pid)) ?? String(process.pid);
  const owner: Owner = { pid: process.pid, identity, session };
  for (let number = 1; ; number++) {
    const folder = join(parent, String(number));
    await makePrivateFolder(folder);
    if (!(await moveIn(folder, owner))) continue;
    for (const left of await sessionsIn(folder)) await leaveNothing(folder, left);
    const work = workOf(folder, session);
    for (const name of ["trees", "logs"]) await makePrivateFolder(join(work, name));
    return {
      folder,
      work,
      suffix: await suffixOf(folder),
      session,
      async release() {
        await leaveNothing(folder, session);
        await rm(join(folder, OWNER), { force: true });
      },
    };
  }
}

/** Ends the processes of a session and removes its files. Whoever has the home now keeps theirs. */
export async function leaveNothing(folder: string, session: string): Promise<void> {
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

/** False where a living worker is at home. */
async function moveIn(folder: string, owner: Owner): Promise<boolean> {
  const draft = join(folder, `.${owner.session}`);
  await writeFile(draft, JSON.stringify(owner), { mode: 0o600 });
  try {
    for (;;) {
      if (await isLinked(draft, join(folder, OWNER))) return true;
      const present = await readOwner(join(folder, OWNER));
      if (present !== undefined && (await processIdentity(present.pid)) === present.identity) return false;
      await evict(folder, owner, present);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Takes the mark of a dead worker away. Whoever moves it first may go on. */
async function evict(folder: string, { session }: Owner, dead: Owner | undefined): Promise<void> {
  const aside = join(folder, `.gone-${session}`);
  try {
    await rename(join(folder, OWNER), aside);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  const moved = await readOwner(aside);
  // Another one moved in between the look and the move: its mark goes back.
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

/** Undefined for a mark that is gone, or that was never written to its end. */
async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Owner;
  } catch (error) {
    if (error instanceof SyntaxError || errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Kept in the name of a file, so that it is written in one step. */
async function suffixOf(folder: string): Promise<string> {
  const known = (await readdir(folder)).find((name) => name.startsWith("name-"));
  if (known !== undefined) return known.slice("name-".length);
  const suffix = randomId(4);
  await writeFile(join(folder, `name-${suffix}`), "", { mode: 0o600 });
  return suffix;
}
