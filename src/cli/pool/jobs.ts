import { noPool } from "../../app/pool.ts";
import { PithError } from "../../kernel/errors.ts";
import type { Job, JobAttempt, JobState, QueuePosition } from "../../model/job.ts";
import { openChunkLog } from "../../pool/chunk-log.ts";
import type { JobQueue, JobRecord } from "../../pool/queue.ts";
import { endOf } from "../../render/run/run-head.ts";
import { type Command, type Context, JSON_OPTION } from "../command.ts";
import { type Io, paint } from "../io.ts";

const DEFAULT_COUNT = 20;
const STATES: readonly JobState[] = ["queued", "running", "ended"];

export const jobs: Command = {
  name: "jobs",
  summary: "List the jobs of the team's pool, show one, or cancel it",
  usage: "[list] | show JOB [--attempt N] | cancel JOB...",
  details:
    "A job is the run of the same id: pith logs JOB shows its output. show lists its attempts; with --attempt it\n" +
    "prints what that attempt wrote, also one whose worker died.",
  options: {
    count: { type: "string", value: "N", about: `list: how many (default ${DEFAULT_COUNT}).` },
    state: { type: "string", value: "STATE", about: `list: only jobs in this state: ${STATES.join(", ")}.` },
    attempt: { type: "string", value: "N", about: "show: the output of this attempt." },
    ...JSON_OPTION,
  },
  examples: ["pith jobs", "pith jobs --state running", "pith jobs show r123456", "pith jobs cancel r123456"],
  async run(context) {
    const [verb = "list", ...ids] = context.positionals;
    const { pool } = context.openServices();
    if (pool === undefined) throw noPool();
    const { queue } = await pool();
    if (verb === "list" && ids.length === 0) return list(context, queue);
    if (verb === "show" && ids.length === 1) return show(context, queue, ids[0] ?? "");
    if (verb === "cancel" && ids.length > 0) return cancel(context, queue, ids);
    throw new PithError(
      "invalid_input",
      "Usage: pith jobs [list], pith jobs show JOB, or pith jobs cancel JOB...",
    );
  },
};

async function list(context: Context, queue: JobQueue): Promise<number> {
  const { io } = context;
  const limit = numberOf(context.text("count") ?? String(DEFAULT_COUNT), "--count");
  const state = stateOf(context.text("state"));
  const found = await queue.list({ limit, ...(state === undefined ? {} : { state }) });
  if (context.flag("json")) io.out(`${JSON.stringify(found.map(fieldsOf))}\n`);
  else if (found.length === 0) io.out("No jobs. Servers with the same PITH_STORE submit them.\n");
  else io.out(`${found.map((job) => rowOf(job, io)).join("\n")}\n`);
  return 0;
}

async function show(context: Context, queue: JobQueue, id: string): Promise<number> {
  const { io } = context;
  const job = await found(queue, id);
  const attempt = context.text("attempt");
  if (attempt !== undefined)
    return printAttempt(context, queue, { job, token: numberOf(attempt, "--attempt") });
  const position = await queue.position(id);
  if (context.flag("json")) {
    const { attempts } = job;
    io.out(
      `${JSON.stringify({ ...fieldsOf(job), attempts, ...(position === undefined ? {} : { position }) })}\n`,
    );
    return 0;
  }
  const place =
    position === undefined
      ? []
      : [
          `  ${position.ahead} ahead; ${position.fitting} of ${position.workers} workers fit${lackingIn(position)}`,
        ];
  const needed = [...job.labels, ...job.needs];
  const labels = needed.length === 0 ? [] : [`  needs ${needed.join(", ")}`];
  const lines = [
    rowOf(job, io),
    ...labels,
    ...place,
    ...ranLines(job),
    ...job.attempts.map((one) => attemptLine(one, io)),
  ];
  io.out(`${lines.join("\n")}\n`);
  return 0;
}

function lackingIn({ lacking }: QueuePosition): string {
  return lacking.length === 0 ? "" : `: none has ${lacking.join(", ")}`;
}

async function printAttempt(
  { io }: Context,
  queue: JobQueue,
  { job, token }: { job: JobRecord; token: number },
): Promise<number> {
  if (!job.attempts.some((one) => one.token === token))
    throw new PithError(
      "invalid_input",
      `Job ${job.id} has no attempt ${token}; it has ${job.attempts.length}`,
    );
  for await (const { stream, bytes } of openChunkLog(queue, job.id, token).bytes("both", 1))
    io.write(stream, bytes);
  return 0;
}

async function cancel(context: Context, queue: JobQueue, ids: readonly string[]): Promise<number> {
  const jobs = [];
  for (const id of ids) {
    await found(queue, id);
    await queue.cancel(id);
    jobs.push(await found(queue, id));
  }
  if (context.flag("json")) context.io.out(`${JSON.stringify(jobs.map(fieldsOf))}\n`);
  else
    for (const job of jobs)
      context.io.out(
        `${job.id}: ${job.end === undefined ? "its worker was asked to stop it" : endOf(timesOf(job))}\n`,
      );
  return 0;
}

async function found(queue: JobQueue, id: string): Promise<JobRecord> {
  const job = await queue.get(id);
  if (job !== undefined) return job;
  throw new PithError("run_not_found", `No job ${JSON.stringify(id.slice(0, 40))} in the pool`, {
    suggestion: "pith jobs lists them.",
  });
}

function rowOf(job: Job, io: Io): string {
  const time = new Date(job.submittedAt).toISOString().slice(0, 19).replace("T", " ");
  const state = job.end === undefined ? job.state : endOf(timesOf(job));
  const color = job.end === undefined ? "cyan" : job.end.exitCode === 0 ? "green" : "red";
  const room = Math.max(20, io.width - 88);
  return [
    job.id.padEnd(8),
    time,
    paint(io, color, state.slice(0, 24).padEnd(24)),
    (job.worker ?? "").slice(0, 16).padEnd(16),
    job.command.slice(0, room),
  ].join("  ");
}

/** Says where a job ran, and how long it waited, was prepared and worked there. */
function ranLines({ worker, submittedAt, startedAt, endedAt, end, warm, token }: Job): string[] {
  if (worker === undefined || startedAt === undefined || endedAt === undefined) return [];
  const seconds = (ms: number): string => `${Math.round(Math.max(0, ms) / 100) / 10} s`;
  const prepared = end?.prepared ?? [];
  const installedMs = prepared.reduce((sum, { ms }) => sum + ms, 0);
  // A job whose worker died began with that worker, and only the last attempt has worked for the result.
  const heldMs = endedAt - startedAt;
  const { workedMs = heldMs } = end ?? {};
  const facts = [
    `queued ${seconds(startedAt - submittedAt)}`,
    ...(token > 1 ? [`earlier attempts ${seconds(heldMs - workedMs)}`] : []),
    ...(warm > 0 ? ["had its caches"] : []),
    ...prepared.map(({ name, outcome, ms }) => `${name} ${outcome} ${seconds(ms)}`),
    `ran ${seconds(workedMs - installedMs)}`,
  ];
  return [
    `  on ${[worker, ...(end?.workerLabels ?? [])].join(" ")}: ${facts.join(", ")}`,
    ...prepared.flatMap(({ name, detail, failedScript }) =>
      [detail, failedScript].flatMap((why) => (why === undefined ? [] : `  ${name}: ${why}`)),
    ),
  ];
}

function attemptLine({ token, worker, outcome, seen, lines }: JobAttempt, io: Io): string {
  const state = outcome ?? "running";
  const color = outcome === "won" ? "green" : outcome === undefined ? "cyan" : "yellow";
  const facts = [`on ${worker}`, `${lines} lines`, ...(seen === undefined ? [] : [seen])];
  return `  attempt ${token} ${paint(io, color, state)}, ${facts.join(", ")}`;
}

/** Returns when a job started and ended, without the time in which it waited in the queue. */
function timesOf(job: Job): Parameters<typeof endOf>[0] {
  const { end, startedAt = job.submittedAt, endedAt } = job;
  return { startedAt, ...(end === undefined ? {} : { end }), ...(endedAt === undefined ? {} : { endedAt }) };
}

function fieldsOf({ end, ...job }: Job): object {
  const { id, command, submitter, labels, needs, state, submittedAt, startedAt, endedAt, worker, token } =
    job;
  const { workspace, cancelRequested } = job;
  const times = { submittedAt, startedAt, endedAt };
  return {
    id,
    state,
    command,
    workspace,
    submitter,
    labels,
    needs,
    worker,
    attempts: token,
    cancelRequested,
    ...times,
    ...end,
  };
}

function stateOf(text: string | undefined): JobState | undefined {
  const state = STATES.find((one) => one === text);
  if (text === undefined || state !== undefined) return state;
  throw new PithError("invalid_input", `jobs: --state must be one of: ${STATES.join(", ")}`);
}

function numberOf(text: string, option: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new PithError("invalid_input", `jobs: ${option} ${text} is not a whole number above 0`);
}
