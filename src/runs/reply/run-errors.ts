import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import type { StoredRun } from "../record/store.ts";

/** What the store knows about an id that it has no run for: whether the run was removed, and how many runs are kept. */
interface Kept {
  readonly count: number;
  readonly wasRemoved: boolean;
  /** The paths of damaged store files that were moved away and replaced. */
  readonly setAside: readonly string[];
}

/** The error for a run that does not exist or was removed. */
export function noSuchRunError(id: string, { count, wasRemoved, setAside }: Kept): PithError {
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
    `No run ${shown}; older runs may be in the damaged store, moved to ${aside}`,
    { suggestion: `Run the command again; the logs of older runs are files below ${dirname(aside)}.`, aside },
  );
}

/** The notice that the damaged store of runs was moved away and replaced by a new one. */
export function setAsideNotice(path: string): string {
  return `The run store was damaged: it was moved to ${path} and a new one created. Earlier runs are unknown here; their logs are files below ${dirname(path)}.`;
}

/** The error for stopping a run that another machine executes outside of a pool. */
export function runsElsewhereError({ id }: StoredRun, host: string): PithError {
  return new PithError("invalid_input", `Run ${id} runs on ${host}: it can be stopped there`, {
    suggestion: `On ${host}: pith runs --stop ${id}`,
  });
}

/** The notice that the result of a run is not saved yet; none if it is saved. */
export function unsavedNotices({ unstored }: StoredRun): string[] {
  if (unstored === undefined) return [];
  return [`Result not saved yet (${unstored}); kept in this process's memory and retried.`];
}
