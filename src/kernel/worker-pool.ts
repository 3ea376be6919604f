import { Worker } from "node:worker_threads";
import { assetPath } from "./assets.ts";
import { PithError, toPithError } from "./errors.ts";
import { startCpuDeadline } from "./cpu-deadline.ts";

/**
 * Worker threads that answer requests in parallel. They start with the first request and do not keep the process
 * alive.
 */
export interface WorkerPool<Request, Answer> {
  /**
   * Sends a request to the next free worker; meanwhile the request is queued. The answer is undefined if its worker
   * crashed or got stuck.
   */
  readonly request: (request: Request) => Promise<Answer | undefined>;
  /** Stops the workers; pending requests are rejected. */
  readonly close: () => Promise<void>;
}

export interface WorkerPoolOptions<Request> {
  /** Name of the worker's file in dist/. */
  readonly script: string;
  /** Maximum number of workers. */
  readonly size: number;
  /** A worker that does not answer within this time is considered stuck. */
  readonly timeoutMs: number;
  /** Returns how many characters of text a worker reads for this request. */
  readonly sizeOf: (request: Request) => number;
  /** A worker is replaced after it has read this many characters, because WebAssembly memory is never released. */
  readonly recycleAfterChars?: number;
}

/** The message with which a worker replies. */
export interface WorkerReply<Answer> {
  readonly answer: Answer;
  /** True if the worker has exhausted its memory and must be replaced. */
  readonly isExhausted: boolean;
}

interface Job<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer | undefined) => void;
  readonly reject: (error: Error) => void;
}

interface Slot<Request, Answer> {
  worker: Worker | undefined;
  job: Job<Request, Answer> | undefined;
  timer: NodeJS.Timeout | undefined;
  charsRead: number;
  answers: number;
}

/**
 * By default a worker is replaced after reading this many characters; its WebAssembly memory then has about 300 MB in
 * the worst measured case.
 */
const DEFAULT_RECYCLE_CHARS = 64 * 1024 * 1024;
/**
 * A worker is also replaced after a single request of this size, because it may have grown the worker's memory
 * permanently.
 */
const LARGE_REQUEST_CHARS = 2 * 1024 * 1024;
/** On an overloaded machine, the time limit is extended up to this many times. */
const MAX_EXTENSIONS = 10;

export function createWorkerPool<Request, Answer>(
  options: WorkerPoolOptions<Request>,
): WorkerPool<Request, Answer> {
  const slots = Array.from({ length: Math.max(1, options.size) }, emptySlot<Request, Answer>);
  const waiting: Job<Request, Answer>[] = [];
  let isClosed = false;

  const dispatch = (): void => {
    for (const slot of slots) {
      if (slot.job !== undefined) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      run(slot, job, { ...options, next: dispatch, requeue });
    }
  };
  const requeue = (job: Job<Request, Answer>): void => {
    waiting.unshift(job);
    dispatch();
  };

  return {
    request: (request) =>
      new Promise((resolve, reject) => {
        if (isClosed) reject(closedError());
        else {
          waiting.push({ request, resolve, reject });
          dispatch();
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

function emptySlot<Request, Answer>(): Slot<Request, Answer> {
  return { worker: undefined, job: undefined, timer: undefined, charsRead: 0, answers: 0 };
}

interface RunOptions<Request, Answer> extends WorkerPoolOptions<Request> {
  readonly next: () => void;
  /** Puts a request back at the front of the queue. */
  readonly requeue: (job: Job<Request, Answer>) => void;
}

function run<Request, Answer>(
  slot: Slot<Request, Answer>,
  job: Job<Request, Answer>,
  options: RunOptions<Request, Answer>,
): void {
  slot.worker ??= startWorker(slot, options);
  slot.job = job;
  slot.charsRead += options.sizeOf(job.request);
  const { timeoutMs } = options;
  const isOver = startCpuDeadline(timeoutMs);
  const abandon = (): void => {
    if (slot.job === job) settle(slot, undefined, { ...options, isBroken: true });
  };
  const check = (extensions: number): void => {
    // A reply may have arrived while this thread was blocked, so pending replies are processed before the worker counts
    // as stuck.
    if (isOver() || extensions >= MAX_EXTENSIONS) setImmediate(abandon);
    else slot.timer = setTimeout(() => check(extensions + 1), timeoutMs);
  };
  slot.timer = setTimeout(() => check(1), timeoutMs);
  slot.worker.ref();
  slot.worker.postMessage(job.request);
}

function startWorker<Request, Answer>(
  slot: Slot<Request, Answer>,
  options: RunOptions<Request, Answer>,
): Worker {
  const worker = new Worker(assetPath(options.script));
  // True while this worker belongs to its slot. A replaced worker does not, and its late reply must not be taken for
  // the answer to the next request.
  const isCurrent = (): boolean => slot.worker === worker;
  const fail = (): void => {
    if (!isCurrent()) return;
    const { job, answers } = slot;
    if (job !== undefined && answers === 0) return settle(slot, undefined, { ...options, isBroken: true });
    // An earlier request may have caused the crash, so this request is tried again on a new worker.
    void retire(slot);
    if (job !== undefined) options.requeue(job);
  };
  worker.on("message", ({ answer, isExhausted }: WorkerReply<Answer>) => {
    if (isCurrent()) settle(slot, answer, { ...options, isBroken: isExhausted });
  });
  worker.on("error", (error: Error & { code?: unknown }) => {
    const refusal = fatalErrorOf(error);
    if (refusal === undefined || !isCurrent()) return fail();
    slot.job?.reject(refusal);
    settle(slot, undefined, { ...options, isBroken: true });
  });
  worker.on("exit", fail);
  return worker;
}

function settle<Request, Answer>(
  slot: Slot<Request, Answer>,
  answer: Answer | undefined,
  options: RunOptions<Request, Answer> & { readonly isBroken: boolean },
): void {
  const { job } = slot;
  if (job === undefined) return;
  const { recycleAfterChars = DEFAULT_RECYCLE_CHARS } = options;
  const mustRecycle = slot.charsRead > recycleAfterChars || options.sizeOf(job.request) > LARGE_REQUEST_CHARS;
  if (options.isBroken || mustRecycle) void retire(slot);
  else rest(slot);
  job.resolve(answer);
  options.next();
}

function rest<Request, Answer>(slot: Slot<Request, Answer>): void {
  clearTimeout(slot.timer);
  slot.worker?.unref();
  slot.job = undefined;
  slot.answers++;
}

async function retire<Request, Answer>(slot: Slot<Request, Answer>): Promise<void> {
  const { worker } = slot;
  clearTimeout(slot.timer);
  Object.assign(slot, emptySlot());
  await worker?.terminate();
}

/**
 * Returns the error if every request would fail in the same way; undefined if this request's text may have caused the
 * crash.
 */
function fatalErrorOf(error: Error & { readonly code?: unknown }): Error | undefined {
  if (isDamagedInstall(error.code)) return damagedError(error);
  return isOutOfResources(error.code) ? toPithError(error) : undefined;
}

/** True if the worker's file or a grammar is missing from the installation, so that every request would fail. */
function isDamagedInstall(code: unknown): boolean {
  return code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND" || code === "ENOENT";
}

/**
 * True if the operating system refused a file, memory or a thread. The text is not at fault, so the error is reported;
 * otherwise an empty list of symbols would be stored for the file until it changes.
 */
function isOutOfResources(code: unknown): boolean {
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
