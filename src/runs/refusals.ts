import { PithError } from "../kernel/errors.ts";
import type { StoredRun } from "./store.ts";

/** There is no such run, or no longer. */
export function noSuchRun(
  id: string,
  kept: { readonly count: number; readonly wasRemoved: boolean },
): PithError {
  const shown = JSON.stringify(id.slice(0, 40));
  const limit = `the last ${kept.count} completed runs of a workspace are`;
  return kept.wasRemoved
    ? new PithError("run_not_found", `Run ${shown} is no longer kept: ${limit}`)
    : new PithError("run_not_found", `No run ${shown}; ${limit} kept`, {
        suggestion: "Check the id, or run the command again.",
      });
}

/** It runs on another machine, outside of any pool. */
export function runsElsewhere({ id }: StoredRun, host: string): PithError {
  return new PithError("invalid_input", `Run ${id} runs on ${host}: it can be stopped there`, {
    suggestion: `On ${host}: pith runs --stop ${id}`,
  });
}
