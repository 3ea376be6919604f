import { realpath } from "node:fs/promises";
import type { Services } from "../app/services.ts";
import { PithError } from "../kernel/errors.ts";
import type { Waiting } from "../model/waiting.ts";
import type { Run } from "../model/run.ts";
import { endOf, stateOfRun, workerOf } from "../render/run/run-head.ts";
import { durationOf, outcomeFields } from "../render/run/run-outcome.ts";
import type { StoredRun } from "../runs/record/store.ts";
import { workspaceRootOf } from "../workspace/roots.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";
import { type Io, paint } from "./io.ts";
import { clip } from "./terminal/clip.ts";
import { showLive } from "./terminal/live-screen.ts";
import { terminalRows } from "./terminal/run-list.ts";

const DEFAULT_COUNT = 20;
/** The most characters of a command in a list that a program or an agent reads. */
const MAX_COMMAND = 200;

export const runs: Command = {
  name: "runs",
  summary: "List the runs of this workspace, or stop one",
  usage: "[--count N] [--watch] [--stop RUN] [--json]",
  onlyOptions: true,
  options: {
    count: { type: "string", value: "N", about: `How many (default ${DEFAULT_COUNT}).` },
    watch: { type: "boolean", short: "w", about: "Update the list until Ctrl-C (on a terminal)." },
    stop: { type: "string", value: "RUN", about: "End this run and all its processes." },
    ...JSON_OPTION,
  },
  examples: ["pith runs", "pith runs --watch", "pith runs --count 5 --json", "pith runs --stop k3j2h"],
  async run(context) {
    const workspace = await workspaceRootOf(await realpath(context.environment.cwd));
    const services = context.openServices({}, workspace);
    const stop = context.text("stop");
    if (stop !== undefined) {
      const { run } = await (await services.runs()).stop(stop);
      context.io.out(`run ${run.id}: ${endOf(run)}\n`);
      return 0;
    }
    const count = countOf(context.text("count"));
    const found = await (await services.runs()).list(workspace, count);
    const waiting = await (await services.runs()).waiting(found);
    for (const notice of await (await services.runs()).takeNotices()) context.io.err(`${notice}\n`);
    if (context.flag("json"))
      context.io.out(`${JSON.stringify(found.map((run) => fieldsOf(run, waiting)))}\n`);
    else if (found.length === 0)
      context.io.out(`No runs in ${workspace} yet. Start one: pith exec -- npm test\n`);
    else if (context.io.terminal)
      await showOnTerminal(context, { services, workspace, count, found, waiting });
    else context.io.out(`${found.map((run) => rowOf(run, waiting, context.io)).join("\n")}\n`);
    return 0;
  },
};

/** Why runs of the list have not started, by id. */
type WaitingRuns = ReadonlyMap<string, Waiting>;

interface Shown {
  readonly services: Services;
  readonly workspace: string;
  readonly count: number;
  readonly found: readonly StoredRun[];
  readonly waiting: WaitingRuns;
}

/** Prints the list for a person, or with --watch keeps it up to date. */
async function showOnTerminal(
  context: Context,
  { services, workspace, count, found, waiting }: Shown,
): Promise<void> {
  const { io, signal } = context;
  if (context.flag("watch")) {
    const runService = await services.runs();
    const rows = async (): Promise<string[]> => {
      const listed = await runService.list(workspace, count);
      return terminalRows(listed, await runService.waiting(listed), io);
    };
    await showLive(rows, { io, signal });
    return;
  }
  io.out(`${terminalRows(found, waiting, io).join("\n")}\n`);
  if (found.some(({ end }) => end === undefined))
    io.out(`${paint(io, "dim", "pith runs --watch keeps this list up to date")}\n`);
}

function countOf(text: string | undefined): number {
  const count = Number(text ?? DEFAULT_COUNT);
  if (Number.isInteger(count) && count > 0) return count;
  throw new PithError("invalid_input", `runs: --count ${text} is not a number of runs`);
}

function rowOf(run: Run, waiting: WaitingRuns, io: Io): string {
  const time = new Date(run.startedAt).toISOString().slice(0, 19).replace("T", " ");
  const ok = run.end?.exitCode === 0;
  const where = run.host === undefined ? "" : `${run.host}: `;
  const state = stateOfRun(run, waiting.get(run.id)).padEnd(24);
  const duration = `${(durationOf(run) / 1000).toFixed(1)} s`.padStart(8);
  return [
    run.id.padEnd(8),
    time,
    paint(io, ok ? "green" : "red", state),
    duration,
    clip(`${where}${run.command}`, MAX_COMMAND),
    workerOf(run),
  ]
    .filter(Boolean)
    .join("  ");
}

function fieldsOf(run: Run, waiting: WaitingRuns): object {
  const { id, command, tool, cwd, host, startedAt, endedAt, end, log } = run;
  return {
    id,
    command,
    tool,
    cwd,
    host,
    startedAt,
    endedAt,
    status: end !== undefined ? "ended" : waiting.has(id) ? "queued" : "running",
    ...end,
    ...outcomeFields(run, "exitCode"),
    log,
  };
}
