import { withTimeout } from "../../kernel/with-timeout.ts";
import type { TreeState } from "../../model/run.ts";
import { TREE_TIMEOUT_MS } from "../../runs/plan/request.ts";
import type { RemoteRequest } from "../../runs/record/remote.ts";
import { hasPlainOutput } from "../../shell/program-kinds.ts";
import { readSnapshotState } from "../../workspace/snapshot/snapshot-state.ts";
import type { Snapshot } from "../../workspace/snapshot/snapshot.ts";
import type { ShipOptions } from "./ship-snapshot.ts";

/** Reads the state of the repository that a job runs on; undefined for commands that check nothing, or if it takes too long. */
export async function snapshotTreeState(
  snapshot: Snapshot,
  { cwd, plan, treeTimeoutMs = TREE_TIMEOUT_MS }: RemoteRequest,
  { variables }: Pick<ShipOptions, "variables">,
): Promise<TreeState | undefined> {
  if (plan.commands.every(hasPlainOutput)) return undefined;
  try {
    return await withTimeout(treeTimeoutMs, (signal) =>
      readSnapshotState(snapshot, cwd, { variables, signal }),
    );
  } catch {
    // The job runs without it; a later reply only says less.
    return undefined;
  }
}
