import { setTimeout as delay } from "node:timers/promises";

/** The ways to disturb a working pool. */
export interface Targets {
  readonly workers: number;
  readonly servers: number;
  killWorker(at: number): Promise<void>;
  /** Pauses a worker for longer than its lease. */
  pauseWorker(at: number): Promise<void>;
  killServer(at: number): Promise<void>;
  restartDatabase(): Promise<void>;
}

/** The number of times that each disturbance happens. */
export interface Attack {
  readonly seed: number;
  readonly workerKills: number;
  readonly pauses: number;
  readonly serverKills: number;
  readonly databaseRestarts: number;
}

/** Applies the disturbances in a random order at random moments, which the seed determines. */
export async function attack(targets: Targets, plan: Attack, told: (what: string) => void): Promise<void> {
  const random = randomNumbers(plan.seed);
  const blows = shuffled(
    [
      ...repeat(plan.workerKills, "kill worker"),
      ...repeat(plan.pauses, "pause worker"),
      ...repeat(plan.serverKills, "kill server"),
      ...repeat(plan.databaseRestarts, "restart database"),
    ] as const,
    random,
  );
  const pauses: Promise<void>[] = [];
  for (const blow of blows) {
    await delay(100 + random(500));
    const at = random(blow === "kill server" ? targets.servers : targets.workers);
    told(`${blow} ${at}`);
    if (blow === "kill worker") await targets.killWorker(at);
    else if (blow === "pause worker") pauses.push(targets.pauseWorker(at));
    else if (blow === "kill server") await targets.killServer(at);
    else await targets.restartDatabase();
  }
  await Promise.all(pauses);
}

export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function repeat<T>(count: number, what: T): T[] {
  return Array.from({ length: count }, () => what);
}

function shuffled<T>(items: readonly T[], random: (below: number) => number): T[] {
  const left = [...items];
  return items.map(() => left.splice(random(left.length), 1)).flat();
}
