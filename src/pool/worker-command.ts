import { delimiter } from "node:path";
import type { Isolation } from "../exec/isolation/enclosure.ts";
import { commandEnvironment } from "../runs/plan/environment.ts";
import { placeOf } from "../runs/plan/permission-place.ts";
import type { RunOrder } from "../runs/record/active-run.ts";
import { REMOTE_OWNER } from "../runs/record/remote.ts";
import { checkPermission, type PermissionRules } from "../security/permissions.ts";
import type { JobLimits } from "./job-limits.ts";
import type { Place } from "./run-in-place.ts";

/** The settings of a worker's machine for the commands that run on it. */
export interface MachineSettings {
  /** Name of the environment variable that marks every process of this worker. */
  readonly marker: string;
  readonly permissions: PermissionRules;
  /** The folders of Pith's own configuration and data. */
  readonly ownFolders: readonly string[];
  readonly passEnvironment: readonly string[];
  readonly isolation?: Isolation;
  /** What a job may use of this machine; absent for no limits. */
  readonly limits?: JobLimits;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A command of a job, before the settings of the machine are applied. */
export interface WorkerCommand extends Pick<
  RunOrder,
  "argv" | "timeoutMs" | "maxOutputBytes" | "expected" | "testsExpected" | "reportFile" | "note"
> {
  /** The id of the job. */
  readonly id: string;
  /** The command line for display, and its folders on the submitter's machine. */
  readonly shown: { readonly command: string; readonly workspace: string; readonly cwd: string };
  readonly tool?: string | undefined;
  /** The environment variables that the job sets. */
  readonly env: Readonly<Record<string, string>>;
  /** Further variables, which no rule is about. */
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of this machine that the command does not get. */
  readonly withoutVariables?: readonly string[];
  /** Folders of programs that come first on the PATH. */
  readonly programFolders: readonly string[];
}

/** Completes a command for this machine. Throws if the machine's rules forbid it, whatever the job says about it. */
export function orderFor(command: WorkerCommand, place: Place, machine: MachineSettings): RunOrder {
  const { id, shown, tool, env, variables, withoutVariables = [], programFolders, ...rest } = command;
  const { root, cwd } = place;
  const marked = { [machine.marker]: "1" };
  const own = {
    base: withoutOwnVariables(machine.variables, withoutVariables),
    pass: machine.passEnvironment,
    cwd,
    root,
    extra: marked,
  };
  const complete = commandEnvironment({ ...own, extra: { ...variables, ...env, ...marked } });
  const path = [...programFolders, complete["PATH"]].filter(Boolean).join(delimiter);
  const found = { ...complete, ...(programFolders.length > 0 && { PATH: path }) };
  checkPermission(
    {
      ...(tool === undefined ? {} : { tool }),
      argv: rest.argv,
      env,
      place: () => placeOf({ workspace: root, cwd }, found, machine.ownFolders),
    },
    machine.permissions,
  );
  const run = { id, ...shown, key: "", owner: REMOTE_OWNER, startedAt: Date.now(), log: NO_LOG };
  return {
    ...rest,
    timeoutMs: limitedTime(rest.timeoutMs, machine),
    run,
    env: found,
    ownEnv: commandEnvironment(own),
  };
}

/** A job may ask for less time than the machine allows, but not for more. */
function limitedTime(wantedMs: number, { limits }: MachineSettings): number {
  const { timeMs = 0 } = limits ?? {};
  return timeMs === 0 ? wantedMs : wantedMs === 0 ? timeMs : Math.min(wantedMs, timeMs);
}

export const NO_LOG = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };

/** Removes the worker's own settings, such as the database password, from a command's environment, and further variables. */
function withoutOwnVariables(
  variables: MachineSettings["variables"],
  further: readonly string[],
): MachineSettings["variables"] {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => !name.startsWith("PITH_") && !further.includes(name)),
  );
}
