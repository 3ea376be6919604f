import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { PithError } from "../kernel/errors.ts";
import { waitAtMost } from "../kernel/with-timeout.ts";
import type { OutputPart, RunEnd, StreamName } from "../model/run.ts";
import { findDescendants, killAll } from "./descendants.ts";
import { isGroupAlive, signalGroup } from "./process-group.ts";
import { CHANNEL_STREAM, type Command, type SpawnedCommand, spawnCommand } from "./spawn-command.ts";
import { StageChannel, type StageReport } from "./stage-channel.ts";
import { startError } from "./start-error.ts";
import { markerName, sweepMarked } from "./sweep.ts";

/** How a command ended, and reports on the stages of its pipeline if they were recorded. */
export interface ExecutionEnd extends RunEnd {
  readonly stages?: readonly StageReport[];
}

export interface ExecuteOptions {
  /** The id that marks the processes of this run in their environment, so that all of them can be found and ended. */
  readonly id: string;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** How long the processes may take to end after SIGTERM before they get SIGKILL. */
  readonly graceMs?: number;
  /**
   * Receives the output as it comes. `part` says whether it is only recorded or only shown; without it, both. While a
   * returned promise is pending, reading is paused.
   */
  readonly onOutput: (stream: StreamName, chunk: Buffer, part?: OutputPart) => Promise<void> | undefined;
  readonly onStart?: (pid: number) => void;
  readonly signal?: AbortSignal;
}

const GRACE_MS = 2_000;
/** The longest delay of a Node timer, 24 days; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** After a command has exited, output of its background children is still read until none comes for this long. */
const QUIET_MS = 250;
/**
 * Upper bound on how often the output of background children is waited for. It counts waits and not time, because this
 * process itself may be suspended for a while.
 */
const MAX_DRAIN_WAITS = 8;

/**
 * Upper bound on the output that is recorded but not shown, because a filter shortens it. Beyond it, the command
 * continues without a record.
 */
const MAX_RECORDED_BYTES = 256 * 1024 * 1024;
/**
 * Upper bound on the turns of the event loop in which earlier output is awaited. It usually arrives within two; a
 * command that keeps writing is not waited for longer.
 */
const MAX_SETTLING_TURNS = 20;
/**
 * Runs one command to its end, without adding a shell, and reports what ended it. Throws only if the working directory
 * is invalid.
 */
export async function execute(command: Command, options: ExecuteOptions): Promise<ExecutionEnd> {
  const { cwd } = command;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd });
  if (options.signal?.aborted) return { cause: "cancelled" };
  const spawned = await spawnCommand(command, options.id);
  return "child" in spawned ? new Execution(spawned, options).end() : spawned;
}

/** One running command: reads its output, and stops its process tree on a timeout, a limit or a cancellation. */
class Execution {
  readonly #child: ChildProcess;
  readonly #output: SpawnedCommand["output"];
  readonly #options: ExecuteOptions;
  readonly #closed: Promise<void>;
  #cause: RunEnd["cause"] | undefined;
  #startError: RunEnd | undefined;
  #treeEnd: Promise<void> | undefined;
  #bytes = 0;
  #chunks = 0;
  #lastOutput = 0;
  readonly #maxRecorded: number;
  #recordedBytes = 0;
  #unstored = 0;
  #hasBackgroundChildren = false;
  #isView = false;
  readonly #channel: StageChannel | undefined;

  constructor({ child, output, cwd, isIsolated }: SpawnedCommand, options: ExecuteOptions) {
    this.#child = child;
    this.#output = output;
    this.#options = options;
    this.#maxRecorded = Math.min(MAX_RECORDED_BYTES, options.maxOutputBytes ?? Number.POSITIVE_INFINITY);
    this.#closed = new Promise((resolve) => {
      const ends = [child, ...Object.values(output)]
        .filter((one) => one !== null)
        .map((one) => new Promise<void>((closed) => void one.once("close", () => closed())));
      void Promise.all(ends).then(() => resolve());
      child.once("error", (error) => {
        this.#startError = startError(child.spawnfile, cwd, error);
        resolve();
      });
    });
    output.stdout?.on("data", (chunk: Buffer) => this.#take("stdout", chunk, this.#isView ? "view" : "both"));
    output.stderr?.on("data", (chunk: Buffer) => this.#take("stderr", chunk, "both"));
    output.record?.on("data", (chunk: Buffer) => this.#record(chunk));
    const socket = child.stdio.at(CHANNEL_STREAM);
    this.#channel =
      socket instanceof Duplex
        ? new StageChannel(socket, {
            endsCopies: !isIsolated,
            settled: () => this.#settleOutput(),
            onView: (isView) => {
              this.#isView = isView;
            },
          })
        : undefined;
    if (child.pid !== undefined) options.onStart?.(child.pid);
  }

  async end(): Promise<ExecutionEnd> {
    const { timeoutMs, signal } = this.#options;
    const onAbort = (): void => this.#stop("cancelled");
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#stop("timed_out"), Math.min(timeoutMs, MAX_TIMER_MS));
    try {
      await this.#waitForEnd();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
    await this.#treeEnd;
    const stages = await this.#channel?.reports();
    return { ...this.#result(), ...(stages === undefined ? {} : { stages }) };
  }

  #result(): RunEnd {
    if (this.#startError !== undefined) return this.#startError;
    const { exitCode, signalCode } = this.#child;
    const details = [
      this.#hasBackgroundChildren &&
        this.#cause === undefined &&
        "Processes it started in the background are still running.",
      this.#recordedBytes > this.#maxRecorded &&
        `The log has only the first ${this.#maxRecorded} bytes of its filters' input.`,
    ].filter(Boolean);
    return {
      cause: this.#cause ?? (exitCode === null ? "signal" : "exit"),
      ...(exitCode === null || this.#cause !== undefined ? {} : { exitCode }),
      ...(signalCode === null ? {} : { signal: signalCode }),
      ...(details.length === 0 ? {} : { detail: details.join(" ") }),
    };
  }

  #take(stream: StreamName, chunk: Buffer, part: OutputPart): void {
    this.#lastOutput = Date.now();
    this.#chunks++;
    const room = (this.#options.maxOutputBytes ?? Number.POSITIVE_INFINITY) - this.#bytes;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#bytes += kept.length;
    const pending = this.#options.onOutput(stream, kept, part);
    if (pending !== undefined) this.#pauseUntil(pending);
    if (kept.length < chunk.length) this.#stop("output_limit");
  }

  /** Receives the output of a pipeline stage before the filters after it shorten the output. */
  #record(chunk: Buffer): void {
    this.#lastOutput = Date.now();
    this.#chunks++;
    const room = Math.max(0, this.#maxRecorded - this.#recordedBytes);
    this.#recordedBytes += chunk.length;
    const kept = chunk.subarray(0, room);
    const pending = kept.length === 0 ? undefined : this.#options.onOutput("stdout", kept, "record");
    if (pending !== undefined) this.#pauseUntil(pending);
  }

  /**
   * Resolves when all output that was written before the call has been received. This takes a full turn of the event
   * loop, because the current one may have checked the pipes before that output arrived.
   */
  async #settleOutput(): Promise<void> {
    for (let turn = 0, seen = -1; turn < 2 || (seen !== this.#chunks && turn < MAX_SETTLING_TURNS); turn++) {
      while (this.#unstored > 0) await delay(1);
      seen = this.#chunks;
      await nextTurn();
    }
  }

  /** Applies backpressure: all streams are paused until the receiver has taken the output so far. */
  #pauseUntil(pending: Promise<void>): void {
    const pipes = Object.values(this.#output);
    this.#unstored++;
    for (const pipe of pipes) pipe?.pause();
    const resume = (): void => {
      if (--this.#unstored > 0) return;
      for (const pipe of pipes) pipe?.resume();
    };
    pending.then(resume, resume);
  }

  /** Waits until the pipes are closed, or the command has exited and only its background children hold them open. */
  async #waitForEnd(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    await Promise.race([this.#closed, exited]);
    for (let turn = 1; ; turn++) {
      const closed = this.#closed.then(() => true);
      if (await waitAtMost(QUIET_MS, closed)) return;
      // One more turn of the event loop is awaited: if this process was suspended, its timer fires before the pending
      // output is read.
      const chunks = this.#chunks;
      await nextTurn();
      const quiet = this.#chunks === chunks && Date.now() - this.#lastOutput >= QUIET_MS;
      // While received output still waits to be stored, reading is paused and the command's own output may be
      // incomplete, so the wait continues.
      if (this.#unstored === 0 && (quiet || turn >= MAX_DRAIN_WAITS)) return this.#discardOutput();
    }
  }

  /**
   * Discards the further output of background children. Their pipes stay open and are read, so that the children do not
   * fail.
   */
  #discardOutput(): void {
    this.#hasBackgroundChildren = true;
    for (const pipe of [...Object.values(this.#output), this.#child.stdio.at(CHANNEL_STREAM) ?? null]) {
      pipe?.removeAllListeners("data");
      if (pipe !== null && "resume" in pipe) pipe.resume();
      if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
    }
  }

  #stop(cause: RunEnd["cause"]): void {
    if (this.#cause !== undefined) return;
    // The command has already exited and only its output is being read, so the request to stop is not the cause of its
    // end.
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#cause = cause;
    this.#treeEnd = this.#endTree();
  }

  async #endTree(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const deadline = Date.now() + (this.#options.graceMs ?? GRACE_MS);
    // If this process exits before the grace period is over, the process tree is killed at that moment.
    const kill = (): void => void signalGroup(pid, "SIGKILL");
    process.once("exit", kill);
    // They are looked up before their parents end, because nothing else connects them with the command then.
    const descendants = await findDescendants(pid);
    signalGroup(pid, "SIGTERM");
    for (let wait = 10; Date.now() < deadline && (await isGroupAlive(pid)); wait = Math.min(wait * 2, 160))
      await delay(wait);
    kill();
    process.off("exit", kill);
    await killAll(descendants);
    await sweepMarked(markerName(this.#options.id));
  }
}
