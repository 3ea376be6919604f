import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sweepMarked } from "../exec/sweep.ts";
import { randomId } from "../kernel/ids.ts";
import { makePrivateFolder } from "../kernel/make-folder.ts";
import { removeFolder } from "../workspace/snapshot/remove-folder.ts";
import { tryLock } from "./process-lock.ts";

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

/** The environment variable that marks every process of a worker's session. */
export function sessionMarker(session: string): string {
  return `PITH_WORKER_${session.toUpperCase()}`;
}

/** Takes the first free home folder below the given folder, and removes what a killed worker left in it. */
export async function openHome(parent: string): Promise<WorkerHome> {
  const session = randomId(12);
  for (let number = 1; ; number++) {
    const folder = join(parent, String(number));
    await makePrivateFolder(folder);
    if (!(await tryLock(join(folder, OWNER), session))) continue;
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

/**
 * Names the folders of a worker's jobs. A job gets the folder of an earlier one, because compilers and test runners keep
 * their caches by path.
 */
export class JobFolders {
  readonly #parent: string;
  readonly #used = new Set<string>();

  constructor(parent: string) {
    this.#parent = parent;
  }

  /** Returns the first path that no job uses. All have the same length, so that none is the beginning of another. */
  take(): string {
    for (let number = 1; ; number++) {
      const folder = join(this.#parent, String(number).padStart(6, "0"));
      if (this.#used.has(folder)) continue;
      this.#used.add(folder);
      return folder;
    }
  }

  /** Makes a folder available again, which must have been removed. */
  giveBack(folder: string): void {
    this.#used.delete(folder);
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
