import { maskText } from "../../security/secrets/mask.ts";
import type { RunRequest, RunSettings } from "../plan/request.ts";
import { keyOf } from "../reuse/last-answer.ts";
import type { NewRun } from "./store.ts";

/** The record of a run that has just been requested. */
export function newRun(request: RunRequest, owner: NewRun["owner"], { longIds }: RunSettings): NewRun {
  const { plan, workspace, cwd } = request;
  return {
    workspace,
    command: maskText(plan.display),
    ...(plan.tool === undefined ? {} : { tool: plan.tool }),
    cwd,
    key: keyOf(request),
    startedAt: Date.now(),
    ...(longIds === true && { hasLongId: true }),
    owner,
  };
}
