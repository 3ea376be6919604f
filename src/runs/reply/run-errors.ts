import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import type { StoredRun } from "../record/store.ts";

/** What a store says of ids that it does not know. */
interface Kept {
  readonly count: number;
  readonly wasRemoved: boolean;
  /** The damaged files that the store took the place of. */
  readonly setAside: readonly string[];
}

/** There is no such run, or no longer. */
export function noSuchRun(id: string, { count, wasRemoved, setAside }: Kept): PithError {
  const shown = JSON.stringify(id.slice(0, 40));
  const limit = `the last ${count} completed runs of a workspace are`;
  if (wasRemoved) return new PithError("run_not_found", `Run ${shown} is no longer kept: ${limit}`);
  const aside = setAside.at(-1);
  if (aside === undefined)
    return new PithError("run_not_found", `No run ${shown}; ${limit} kept`, {
      suggestion: "Check the id, or run the command again.",
    });
  return new PithError(
    "run_not_found",
    `No run ${shown}; older runs may be in ${aside}, which was damaged and set aside`,
    { suggestion: `Run the command again; the logs of older runs are files below ${dirname(aside)}.`, aside },
  );
}

/** A new store of runs was begun. */
export function setAsideNotice(path: string): string {
  return `The store of runs was damaged: it was set aside as ${path} and a new one begun. Earlier runs are not known here, their logs are files below ${dirname(path)}.`;
}

/** It runs on another machine, outside of any pool. */
export function runsElsewhere({ id }: StoredRun, host: string): PithError {
  return new PithError("invalid_input", `Run ${id} runs on ${host}: it can be stopped there`, {
    suggestion: `On ${host}: pith runs --stop ${id}`,
  });
}

/** That the store did not take the end of a run. */
export function noticesOf({ unstored }: StoredRun): string[] {
  if (unstored === undefined) return [];
  return [
    `Its end could not be stored (${unstored}): only this process knows it, and stores it once that works.`,
  ];
}
