import { openWorker } from "../../app/pool.ts";
import { PithError } from "../../kernel/errors.ts";
import { endOf } from "../../render/run/run-head.ts";
import type { Worker, WorkerEvent } from "../../pool/worker.ts";
import { type Command, type Context, JSON_OPTION, SANDBOX_OPTION, sandboxFlags } from "../command.ts";
import { paint } from "../io.ts";

export const worker: Command = {
  name: "worker",
  summary: "Run jobs of the team's pool on this machine",
  usage: "[--slots N] [--label LABEL]... [--id NAME]",
  details:
    "Runs the jobs that servers with the same PITH_STORE submit and that match its labels, each on a copy of the\n" +
    "submitter's files, and streams the output back. SIGTERM lets it finish its running jobs and exit; Ctrl-C, or\n" +
    "a second SIGTERM, returns its jobs to the queue and exits at once. [permissions] of this machine apply to every job.",
  onlyOptions: true,
  options: {
    store: { type: "string", value: "URL", about: "postgres:// URL of the store (better: PITH_STORE)." },
    slots: { type: "string", value: "N", about: "Jobs at the same time (default: one per core)." },
    label: { type: "string", value: "LABEL", multiple: true, about: "A label that jobs can require: gpu." },
    id: {
      type: "string",
      value: "NAME",
      about: "Its name in the pool (default: the machine's with a suffix).",
    },
    ...SANDBOX_OPTION,
    ...JSON_OPTION,
  },
  examples: ["pith worker", "pith worker --slots 4 --label gpu", "pith worker --id build-1 --json"],
  ownSignals: ["SIGTERM"],
  // How long stopping may take, in which jobs are returned to the queue and the worker is unregistered.
  stopMs: 3_000,
  async run(context) {
    const labels = context.texts("label");
    const { config } = context.loadConfig({
      "server.store": context.text("store"),
      "pool.slots": context.text("slots"),
      "pool.labels": labels.length === 0 ? undefined : labels,
      ...sandboxFlags(context),
    });
    const id = nameOf(context.text("id"));
    const running = await openWorker({
      config,
      environment: context.environment,
      ...(id === undefined ? {} : { id }),
      onEvent: (event) => report(context, event),
      signal: context.signal,
    });
    const { entry } = running.worker;
    report(context, { kind: "ready", id: entry.id, slots: entry.slots, labels: entry.labels });
    const ended = untilStopped(context, running.worker);
    await running.start();
    await ended;
    await running.close();
    return 0;
  },
};

/** Checks the worker's name, which must be one word because it is shown in lists. */
function nameOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[\w.:@-]{1,64}$/.test(text)) return text;
  throw new PithError(
    "invalid_input",
    `worker: --id ${JSON.stringify(text.slice(0, 80))} is not a valid name`,
    {
      suggestion: "Use up to 64 letters, digits and . : @ _ -",
    },
  );
}

/** The first SIGTERM lets the worker finish its jobs without taking new ones; a second one, or Ctrl-C, stops it. */
async function untilStopped({ signal }: Context, active: Worker): Promise<void> {
  const stop = (): void => void active.stop();
  const drain = (): void => {
    process.once("SIGTERM", stop);
    void active.drain();
  };
  process.once("SIGINT", stop).once("SIGTERM", drain);
  if (signal.aborted) drain();
  await new Promise<void>((resolve) => {
    if (active.ended.aborted) resolve();
    else active.ended.addEventListener("abort", () => resolve(), { once: true });
  });
  process.off("SIGTERM", stop).off("SIGTERM", drain).off("SIGINT", stop);
}

type ReportedEvent =
  | WorkerEvent
  | {
      readonly kind: "ready";
      readonly id: string;
      readonly slots: number;
      readonly labels: readonly string[];
    };

function report(context: Context, event: ReportedEvent): void {
  const { io } = context;
  const time = new Date().toISOString();
  if (context.flag("json")) io.out(`${JSON.stringify({ time, ...event })}\n`);
  else io.out(`${paint(io, "dim", time.slice(11, 19))} ${sentence(event, context)}\n`);
}

function sentence(event: ReportedEvent, { io }: Context): string {
  switch (event.kind) {
    case "ready":
      return `worker ${paint(io, "bold", event.id)}: ${event.slots} slots, ${event.labels.join(" ")}`;
    case "registered":
      return "ready for jobs";
    case "started":
      return `${event.id} started${event.attempt > 1 ? ` (attempt ${event.attempt})` : ""}: ${event.command}`;
    case "ended": {
      const ok = event.end.exitCode === 0;
      const text = endOf({ end: event.end, startedAt: 0, endedAt: event.ms });
      return `${event.id} ${paint(io, ok ? "green" : "red", text)}, ${(event.ms / 1000).toFixed(1)} s`;
    }
    case "lost":
      return `${event.id} ${paint(io, "yellow", "left")}: ${event.reason}`;
    case "failed":
      return `${event.id} ${paint(io, "red", "failed")}: ${event.reason}`;
    case "away":
      return `${paint(io, "yellow", "waiting for the database")}: ${event.reason}`;
    case "back":
      return "the database is back";
    case "draining":
      return "draining: finishing running jobs; send the signal again to stop now";
    case "replaced":
      return paint(io, "red", "another worker has this one's name: leaving");
    case "stopped":
      return "stopped";
    default:
      return event satisfies never;
  }
}
