import { Worker } from "node:worker_threads";
import { assetPath } from "../kernel/assets.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import { startDeadline } from "./deadline.ts";

/** Worker threads that answer asks side by side. They start with the first ask and keep no process alive. */
export interface WorkerPool<Ask, Answer> {
  /** The answer of the next free worker; asks wait in line. Undefined where the worker was lost over the ask. */
  readonly ask: (ask: Ask) => Promise<Answer | undefined>;
  /** Ends the workers; asks that are still open are refused. */
  readonly close: () => Promise<void>;
}

export interface WorkerPoolOptions<Ask> {
  /** The file below dist/ that the workers run. */
  readonly script: string;
  /** How many workers there are at most. */
  readonly size: number;
  /** A worker that does not answer this long is taken to hang. */
  readonly patienceMs: number;
  /** How many characters an ask makes a worker read. */
  readonly weigh: (ask: Ask) => number;
  /** A worker is replaced after this much text: WebAssembly memory grows and is never given back. */
  readonly recycleAfterChars?: number;
}

/** How a worker answers. */
export interface WorkerReply<Answer> {
  readonly answer: Answer;
  /** The worker has used up its memory and has to be replaced. */
  readonly isSpent: boolean;
}

interface Job<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface Slot<Ask, Answer> {
  worker: Worker | undefined;
  job: Job<Ask, Answer> | undefined;
  timer: NodeJS.Timeout | undefined;
  charsRead: number;
  answers: number;
}

/** About 300 MB of WebAssembly memory in the worst case measured. */
const DEFAULT_RECYCLE_CHARS = 64 * 1024 * 1024;
/** One ask of this size may have grown the memory for good. */
const BIG_ASK = 2 * 1024 * 1024;
/** On a machine that gives this process no time, a worker is waited for this many times as long. */
const MAX_LOOKS = 10;

export function createWorkerPool<Ask, Answer>(options: WorkerPoolOptions<Ask>): WorkerPool<Ask, Answer> {
  const slots = Array.from({ length: Math.max(1, options.size) }, emptySlot<Ask, Answer>);
  const waiting: Job<Ask, Answer>[] = [];
  let isClosed = false;

  const pump = (): void => {
    for (const slot of slots) {
      if (slot.job !== undefined) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      run(slot, job, { ...options, next: pump, again });
    }
  };
  const again = (job: Job<Ask, Answer>): void => {
    waiting.unshift(job);
    pump();
  };

  return {
    ask: (ask) =>
      new Promise((resolve, reject) => {
        if (isClosed) reject(closedError());
        else {
          waiting.push({ ask, resolve, reject });
          pump();
        }
      }),
    close: async () => {
      isClosed = true;
      for (const job of waiting.splice(0)) job.reject(closedError());
      const ended = slots.map(async (slot) => {
        slot.job?.reject(closedError());
        await retire(slot);
      });
      await Promise.all(ended);
    },
  };
}

function emptySlot<Ask, Answer>(): Slot<Ask, Answer> {
  return { worker: undefined, job: undefined, timer: undefined, charsRead: 0, answers: 0 };
}

interface RunOptions<Ask, Answer> extends WorkerPoolOptions<Ask> {
  readonly next: () => void;
  /** Puts a job first in line. */
  readonly again: (job: Job<Ask, Answer>) => void;
}

function run<Ask, Answer>(
  slot: Slot<Ask, Answer>,
  job: Job<Ask, Answer>,
  options: RunOptions<Ask, Answer>,
): void {
  slot.worker ??= startWorker(slot, options);
  slot.job = job;
  slot.charsRead += options.weigh(job.ask);
  const { patienceMs } = options;
  const isOver = startDeadline(patienceMs);
  const giveUp = (): void => {
    if (slot.job === job) settle(slot, undefined, { ...options, isBroken: true });
  };
  const look = (looks: number): void => {
    // This thread may have been away for all that time: an answer that came meanwhile is taken first.
    if (isOver() || looks >= MAX_LOOKS) setImmediate(giveUp);
    else slot.timer = setTimeout(() => look(looks + 1), patienceMs);
  };
  slot.timer = setTimeout(() => look(1), patienceMs);
  slot.worker.ref();
  slot.worker.postMessage(job.ask);
}

function startWorker<Ask, Answer>(slot: Slot<Ask, Answer>, options: RunOptions<Ask, Answer>): Worker {
  const worker = new Worker(assetPath(options.script));
  // One that was retired is no longer the slot's: what it still says would be taken for the answer to the next ask.
  const isCurrent = (): boolean => slot.worker === worker;
  const fail = (): void => {
    if (!isCurrent()) return;
    const { job, answers } = slot;
    if (job !== undefined && answers === 0) return settle(slot, undefined, { ...options, isBroken: true });
    // It may have ended over what it read before: a worker that has read nothing else tells.
    void retire(slot);
    if (job !== undefined) options.again(job);
  };
  worker.on("message", ({ answer, isSpent }: WorkerReply<Answer>) => {
    if (isCurrent()) settle(slot, answer, { ...options, isBroken: isSpent });
  });
  worker.on("error", (error: Error & { code?: unknown }) => {
    const refusal = refusalOf(error);
    if (refusal === undefined || !isCurrent()) return fail();
    slot.job?.reject(refusal);
    settle(slot, undefined, { ...options, isBroken: true });
  });
  worker.on("exit", fail);
  return worker;
}

function settle<Ask, Answer>(
  slot: Slot<Ask, Answer>,
  answer: Answer | undefined,
  options: RunOptions<Ask, Answer> & { readonly isBroken: boolean },
): void {
  const { job } = slot;
  if (job === undefined) return;
  const { recycleAfterChars = DEFAULT_RECYCLE_CHARS } = options;
  const isWornOut = slot.charsRead > recycleAfterChars || options.weigh(job.ask) > BIG_ASK;
  if (options.isBroken || isWornOut) void retire(slot);
  else rest(slot);
  job.resolve(answer);
  options.next();
}

function rest<Ask, Answer>(slot: Slot<Ask, Answer>): void {
  clearTimeout(slot.timer);
  slot.worker?.unref();
  slot.job = undefined;
  slot.answers++;
}

async function retire<Ask, Answer>(slot: Slot<Ask, Answer>): Promise<void> {
  const { worker } = slot;
  clearTimeout(slot.timer);
  Object.assign(slot, emptySlot());
  await worker?.terminate();
}

/** Why no text can be read now; undefined where the worker's end may be the text's doing. */
function refusalOf(error: Error & { readonly code?: unknown }): Error | undefined {
  if (isDamagedInstall(error.code)) return damagedError(error);
  return isShortOfMeans(error.code) ? toPithError(error) : undefined;
}

/** The worker's own file or a grammar is missing: no text is to blame, and every ask would fail alike. */
function isDamagedInstall(code: unknown): boolean {
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" || code === "ENOENT";
}

/**
 * The system refused a file, memory or a thread. The text is not to blame either: an empty outline of it would be kept as
 * the truth until the file changes.
 */
function isShortOfMeans(code: unknown): boolean {
  return typeof code === "string" && (/^E[A-Z]+$/.test(code) || code === "ERR_WORKER_INIT_FAILED");
}

function damagedError(cause: Error): PithError {
  return new PithError(
    "internal_error",
    `A file of the installation is missing: ${cause.message}`,
    {},
    { cause },
  );
}

function closedError(): PithError {
  return new PithError("internal_error", "The parse pool is closed.");
}
