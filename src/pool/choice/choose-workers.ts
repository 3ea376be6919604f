import type { JobSpec } from "../job-spec.ts";
import type { JobQueue, NewJob, WorkerEntry } from "../queue.ts";
import { cacheKeys } from "./cache-keys.ts";
import { describeNeed, meetsNeeds, type Need, readRequirements } from "./needs.ts";
import { projectNeeds } from "./project-needs.ts";

export type Machine = Required<Pick<WorkerEntry, "labels" | "facts">>;

/** What decides which workers may take a job, and which of them is preferred. */
interface Choice extends Required<Pick<NewJob, "labels" | "needs" | "caches">> {
  /** Says which versions that the project names no machine has. */
  readonly note?: string;
}

interface ChoiceOptions {
  readonly queue: Pick<JobQueue, "machines">;
  readonly inferNeeds: boolean;
  readonly ownMachine?: () => Promise<Machine>;
}

/** Returns whether a machine has everything that a job requires. */
export function canRun(
  { labels: own, facts }: Machine,
  { labels, needs = [] }: Pick<NewJob, "labels" | "needs">,
): boolean {
  return labels.every((label) => own.includes(label)) && meetsNeeds(facts, needs);
}

/**
 * Decides what a worker must have for a job. What the caller or the settings name must be there, so the job waits for
 * it. Versions that are only read from the project count as long as a machine has them: without one, the job runs as it
 * would on the developer's own machine, and its result says so.
 */
export async function chooseWorkers(
  { prepare, root, cwd }: Pick<JobSpec, "prepare" | "root" | "cwd">,
  wanted: readonly string[],
  { queue, inferNeeds, ownMachine }: ChoiceOptions,
): Promise<Choice> {
  const { labels, needs: named } = readRequirements(wanted, "labels");
  if (prepare === undefined) return { labels, needs: named, caches: [] };
  const caches = prepare.detect ? cacheKeys(prepare, { root, cwd }) : [];
  const inferred = inferNeeds ? projectNeeds(root, cwd, prepare.programs) : [];
  if (inferred.length === 0) return { labels, needs: named, caches };
  const connected = (await queue.machines()).filter((machine) => canRun(machine, { labels }));
  const meetsAll =
    (needs: readonly Need[]) =>
    ({ facts }: Machine) =>
      meetsNeeds(facts, needs);
  if (connected.some(meetsAll([...named, ...inferred])))
    return { labels, needs: [...named, ...inferred], caches };
  const machines = [...connected, ...(ownMachine === undefined ? [] : [await ownMachine()])];
  if (machines.length === 0) return { labels, needs: named, caches };
  const kept = [...named];
  const unmet: Need[] = [];
  for (const need of inferred) (machines.some(meetsAll([...kept, need])) ? kept : unmet).push(need);
  const note = `No worker has ${unmet.map(describeNeed).join(", ")}.`;
  return { labels, needs: kept, caches, ...(unmet.length > 0 && { note }) };
}
