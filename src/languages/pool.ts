import { Worker } from "node:worker_threads";
import { assetPath } from "../kernel/assets.ts";
import { PithError, toPithError } from "../kernel/errors.ts";
import type { Outline } from "../model/symbol.ts";
import { languageById } from "./registry.ts";
import { startDeadline } from "./deadline.ts";

export interface ParsePool {
  /** The outline of a text, from the next free worker; asks wait in line. */
  readonly outline: (text: string, languageId: string) => Promise<Outline>;
  /** Ends the workers; asks that are still open are refused. */
  readonly close: () => Promise<void>;
}

export interface ParsePoolOptions {
  readonly size: number;
  /** How long one text may take. */
  readonly deadlineMs?: number;
  /** A worker is replaced after this much text: WebAssembly memory grows and is never given back. */
  readonly recycleAfterChars?: number;
}

/** What a worker is asked. */
export interface ParseRequest {
  readonly text: string;
  readonly languageId: string;
  readonly deadlineMs: number;
}

/** How a worker answers. An outline travels as JSON, which is cheaper than a structured clone. */
export interface ParseReply {
  readonly outline: string;
  /** The worker has used up its memory and has to be replaced. */
  readonly isSpent: boolean;
}

interface Job extends ParseRequest {
  readonly resolve: (outline: Outline) => void;
  readonly reject: (error: Error) => void;
}

interface Slot {
  worker: Worker | undefined;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
  charsRead: number;
}

/** Ten times what the slowest real file of 1 MB takes. */
export const DEFAULT_DEADLINE_MS = 5000;
/** About 300 MB of WebAssembly memory in the worst case measured. */
const DEFAULT_RECYCLE_CHARS = 64 * 1024 * 1024;
/** One text of this size may have grown the memory for good. */
const BIG_TEXT = 2 * 1024 * 1024;
/** A worker that does not answer this long after its deadline hangs outside the parser's control. */
const HANG_MARGIN_MS = 2000;
/** On a machine that gives this process no time, a worker is waited for this many times as long. */
const MAX_LOOKS = 10;

/** Worker threads that parse texts side by side. They start with the first ask and keep no process alive. */
export function createParsePool(options: ParsePoolOptions): ParsePool {
  const { deadlineMs = DEFAULT_DEADLINE_MS, recycleAfterChars = DEFAULT_RECYCLE_CHARS } = options;
  const slots: Slot[] = Array.from({ length: Math.max(1, options.size) }, emptySlot);
  const waiting: Job[] = [];
  let isClosed = false;

  const pump = (): void => {
    for (const slot of slots) {
      if (slot.job !== undefined) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      run(slot, job, { recycleAfterChars, next: pump });
    }
  };

  return {
    outline: (text, languageId) =>
      new Promise((resolve, reject) => {
        if (isClosed) reject(closedError());
        else if (languageById(languageId) === undefined || text === "")
          resolve(emptyOutline(languageId, false));
        else {
          waiting.push({ text, languageId, deadlineMs, resolve, reject });
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

function emptySlot(): Slot {
  return { worker: undefined, job: undefined, timer: undefined, charsRead: 0 };
}

interface RunOptions {
  readonly recycleAfterChars: number;
  readonly next: () => void;
}

function run(slot: Slot, job: Job, options: RunOptions): void {
  slot.worker ??= startWorker(slot, options);
  slot.job = job;
  slot.charsRead += job.text.length;
  const fail = (): void => settle(slot, emptyOutline(job.languageId, true), { ...options, isBroken: true });
  const patienceMs = job.deadlineMs + HANG_MARGIN_MS;
  const isOver = startDeadline(patienceMs);
  const look = (looks: number): void => {
    if (isOver() || looks >= MAX_LOOKS) fail();
    else slot.timer = setTimeout(() => look(looks + 1), patienceMs);
  };
  slot.timer = setTimeout(() => look(1), patienceMs);
  slot.worker.ref();
  const request: ParseRequest = { text: job.text, languageId: job.languageId, deadlineMs: job.deadlineMs };
  slot.worker.postMessage(request);
}

function startWorker(slot: Slot, options: RunOptions): Worker {
  const worker = new Worker(assetPath("parse-worker.js"));
  const fail = (): void => {
    // A worker that was retired on purpose is no longer the slot's.
    if (slot.worker !== worker || slot.job === undefined) return;
    settle(slot, emptyOutline(slot.job.languageId, true), { ...options, isBroken: true });
  };
  worker.on("message", ({ outline, isSpent }: ParseReply) =>
    settle(slot, parseAnswer(outline), { ...options, isBroken: isSpent }),
  );
  worker.on("error", (error: Error & { code?: unknown }) => {
    if (isDamagedInstall(error.code)) slot.job?.reject(damagedError(error));
    else if (isShortOfMeans(error.code)) slot.job?.reject(toPithError(error));
    fail();
  });
  worker.on("exit", fail);
  return worker;
}

function settle(slot: Slot, outline: Outline, options: RunOptions & { readonly isBroken: boolean }): void {
  const { job } = slot;
  if (job === undefined) return;
  const isWornOut = slot.charsRead > options.recycleAfterChars || job.text.length > BIG_TEXT;
  if (options.isBroken || isWornOut) void retire(slot);
  else rest(slot);
  job.resolve(outline);
  options.next();
}

function parseAnswer(answer: string): Outline {
  // Our own worker wrote it, from an Outline.
  return JSON.parse(answer) as Outline;
}

function rest(slot: Slot): void {
  clearTimeout(slot.timer);
  slot.worker?.unref();
  slot.job = undefined;
}

async function retire(slot: Slot): Promise<void> {
  const { worker } = slot;
  clearTimeout(slot.timer);
  Object.assign(slot, emptySlot());
  await worker?.terminate();
}

function emptyOutline(language: string, hasErrors: boolean): Outline {
  return { language, symbols: [], imports: [], hasErrors };
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
