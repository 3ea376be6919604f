import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { randomId } from "../../src/kernel/ids.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { startPostgres } from "../support/postgres-process.ts";
import { processesNaming, untilNoneNames } from "../support/processes.ts";
import { fingerprintOf } from "../support/tree-state.ts";
import { attack, type Attack } from "./chaos/attack.ts";
import { chaosJob, faultsOf, SCRIPT, SETTINGS } from "./chaos/jobs.ts";
import { SUITE } from "./chaos/suite.ts";
import { openChaosPool, retryWhileDown, writeState, type ChaosPool } from "./chaos/pool.ts";

interface Size {
  readonly workers: number;
  readonly servers: number;
  readonly jobs: number;
  /** How often each server runs its tests in parts. */
  readonly suites: number;
  readonly attack: Omit<Attack, "seed">;
}

const SMALL: Size = {
  workers: 3,
  servers: 2,
  jobs: 14,
  suites: 1,
  attack: { workerKills: 2, pauses: 1, serverKills: 1, databaseRestarts: 1 },
};
/** The full size is run by hand and before a release: npm run chaos. PITH_CHAOS_SEED selects another order of events. */
const FULL: Size = {
  workers: 8,
  servers: 3,
  jobs: 200,
  suites: 4,
  attack: { workerKills: 20, pauses: 5, serverKills: 6, databaseRestarts: 2 },
};
const isFull = process.env["PITH_CHAOS"] === "full";
const seed = Number(process.env["PITH_CHAOS_SEED"] ?? 1);
const isTold = isFull || process.env["PITH_CHAOS_SEED"] !== undefined;

it(`a pool under attack gives every job exactly one correct result (seed ${seed})`, async () => {
  const size = isFull ? FULL : SMALL;
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  const folders = Array.from({ length: size.servers }, () =>
    temporaryRepository({
      "job.sh": SCRIPT,
      "pith.toml": SETTINGS,
      ".gitignore": "installed\n",
      "state.txt": "0\n",
      "src/a.txt": "a\n",
      ...SUITE,
    }),
  );
  onTestFinished(() => folders.forEach((folder) => folder.dispose()));
  const workspaces = folders.map(({ root }) => root);
  const before = workspaces.map((root) => fingerprintOf(join(root, ".git")));
  const mark = `chaos-${randomId(12)}`;
  const told = isTold ? (what: string) => console.log(new Date().toISOString(), what) : () => undefined;
  const pool = await openChaosPool({ postgres, workspaces, workers: size.workers, mark, told });

  const jobs = Array.from({ length: size.jobs }, (_, at) => chaosJob(at + 1));
  const handIn = workspaces.map(async (workspace, server) => {
    for (const job of jobs.filter(({ number }) => number % size.servers === server)) {
      writeState(workspace, job);
      await pool.submit(job, server);
    }
    told(`server ${server} has handed in its jobs`);
  });
  const suites = workspaces.map(async (_, server) => {
    for (let at = 0; at < size.suites; at++) await pool.runSuite(server, (at + server) % 2 === 0);
    told(`server ${server} has run its tests`);
  });
  await Promise.all([...handIn, ...suites, attack(pool, { seed, ...size.attack }, told)]);
  told("calm");

  let [found, tries] = [0, 0];
  const faults: string[] = [];
  for (const job of jobs)
    for (const id of await pool.idsOf(job)) {
      const record = await ended(pool, id);
      faults.push(...(await faultsOf(job, record, pool.queue)));
      found++;
      tries += record.attempts.length;
    }
  told(`${found} jobs in ${tries} attempts`);
  const parts = await pool.idsOf({ command: "npm test -- --test-shard=1/3" });
  for (const id of parts)
    expect((await ended(pool, id)).result?.end.cause, id).toMatch(/^(?:exit|cancelled)$/);
  // Most tests ran in parts; a server without a database runs them alone.
  expect(parts.length).toBeGreaterThan(0);
  expect([...pool.faults, ...faults]).toEqual([]);
  expect(found).toBeGreaterThanOrEqual(size.jobs);
  expect(workspaces.map((root) => fingerprintOf(join(root, ".git")))).toEqual(before);

  await pool.close();
  await untilNoneNames(mark);
  expect(processesNaming(mark)).toEqual([]);
  expect(pool.dataFolders.flatMap(leftFolders)).toEqual([]);
}, 900_000);

async function ended(pool: ChaosPool, id: string) {
  for (;;) {
    const record = await retryWhileDown(() => pool.queue.get(id));
    if (record?.state === "ended") return record;
    await delay(50);
  }
}

/** Folders of workers and their jobs that were not removed. */
function leftFolders(dataFolder: string): string[] {
  const left: string[] = [];
  for (const kind of ["workers", "servers"]) {
    const homes = join(dataFolder, "data", "pool", kind);
    if (!existsSync(homes)) continue;
    for (const home of readdirSync(homes))
      left.push(
        ...readdirSync(join(homes, home))
          .filter((name) => name.startsWith("session-"))
          .map((name) => join(homes, home, name)),
      );
  }
  return left;
}
