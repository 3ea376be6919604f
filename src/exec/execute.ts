import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync, existsSync, statSync } from "node:fs";
import { Duplex, type Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { PithError } from "../kernel/errors.ts";
import { waitAtMost } from "../kernel/with-timeout.ts";
import type { OutputPart, RunEnd, StreamName } from "../model/run.ts";
import { HAS_GROUPS, isGroupAlive, signalGroup } from "./process-group.ts";
import { openPipes } from "./os-pipe.ts";
import { StageChannel, type StageReport } from "./stage-channel.ts";
import { startError } from "./start-error.ts";
import { markerName, sweepMarked } from "./sweep.ts";
import { windowsCommand } from "./windows-command.ts";

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The same command with its stages recorded; it is run instead where the streams for it can be opened. */
  readonly recorded?: readonly string[];
  /** Both streams into one, so that the order between them is kept. */
  readonly isMerged?: boolean;
}

/** How a command ended, and what its stages told where they were recorded. */
export interface ExecutionEnd extends RunEnd {
  readonly stages?: readonly StageReport[];
}

export interface ExecuteOptions {
  /** Marks the processes of this run in their environment, so that all of them can be found again. */
  readonly id: string;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** How long a tree may take to end by itself after SIGTERM. */
  readonly graceMs?: number;
  /** Takes the output as it comes; without a part it belongs to both. While a returned promise is pending, the command has to wait. */
  readonly onOutput: (stream: StreamName, chunk: Buffer, part?: OutputPart) => Promise<void> | undefined;
  readonly onStart?: (pid: number) => void;
  readonly signal?: AbortSignal;
}

const GRACE_MS = 2_000;
/** A timer that is set further fires at once. 24 days are as good as none. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** After the command ended, output that its background children still send is taken as long as it keeps coming... */
const QUIET_MS = 250;
/** ...and not for more turns than this: turns, because a clock says nothing where a process is not scheduled. */
const DRAIN_TURNS = 8;

/** Output that only the record gets is not kept beyond this size; the command goes on, because its own shell shows less. */
const MAX_RECORDED_BYTES = 256 * 1024 * 1024;
/** Output that was written before a question is there after a turn or two; whoever goes on writing is not waited for. */
const MAX_SETTLING_TURNS = 20;
/** The numbers of the streams that a recorded script has beside its own. */
const RECORD_STREAM = 8;
const CHANNEL_STREAM = 9;

/** Runs one command to its end, never through a shell of its own, and says what ended it. Throws only on a bad cwd. */
export async function execute(command: Command, options: ExecuteOptions): Promise<ExecutionEnd> {
  checkFolder(command.cwd);
  if (options.signal?.aborted) return { cause: "cancelled" };
  const started = start(command, options.id);
  if (!("child" in started)) return started;
  return new Execution(started, options).end();
}

/** A command that was started, and what it writes. */
interface Started {
  readonly cwd: string;
  readonly child: ChildProcess;
  readonly output: Readonly<Record<StreamName | "record", Readable | null>>;
}

function start(command: Command, id: string): Started | RunEnd {
  const pipes = openPipes(command.recorded === undefined ? 2 : 3);
  const [stdout, stderr, record] = pipes ?? [];
  const isRecorded = command.recorded !== undefined && record !== undefined;
  const [program = command.argv[0], ...args] = (isRecorded ? command.recorded : undefined) ?? command.argv;
  const how =
    process.platform === "win32"
      ? windowsCommand(command.argv, { ...command, exists: existsSync })
      : { file: program, args, verbatim: false };
  const out = stdout?.writeEnd ?? "pipe";
  const stdio: StdioOptions = ["ignore", out, command.isMerged ? out : (stderr?.writeEnd ?? "pipe")];
  if (isRecorded) {
    stdio.length = RECORD_STREAM;
    stdio.fill("ignore", 3);
    stdio.push(record.writeEnd, "pipe");
  }
  try {
    const child = spawn(how.file, how.args, {
      cwd: command.cwd,
      env: { ...command.env, [markerName(id)]: "1" },
      detached: HAS_GROUPS,
      windowsHide: true,
      windowsVerbatimArguments: how.verbatim,
      stdio,
    });
    const output = {
      stdout: stdout?.reader ?? child.stdout,
      stderr: stderr?.reader ?? child.stderr,
      record: record?.reader ?? null,
    };
    return { cwd: command.cwd, child, output };
  } catch (error) {
    for (const { reader } of pipes ?? []) reader.destroy();
    // A NUL in an argument, or a list that is too long for the system.
    return startError(program, command.cwd, error instanceof Error ? error : new Error(String(error)));
  } finally {
    for (const { writeEnd } of pipes ?? []) closeSync(writeEnd);
  }
}

/** One running command: its first cause of ending, and the order in which it is taken down. */
class Execution {
  readonly #child: ChildProcess;
  readonly #output: Started["output"];
  readonly #options: ExecuteOptions;
  readonly #closed: Promise<void>;
  #cause: RunEnd["cause"] | undefined;
  #startError: RunEnd | undefined;
  #takedown: Promise<void> | undefined;
  #bytes = 0;
  #chunks = 0;
  #lastOutput = 0;
  readonly #maxRecorded: number;
  #recordedBytes = 0;
  #waiting = 0;
  #detached = false;
  #isView = false;
  readonly #channel: StageChannel | undefined;

  constructor({ child, output, cwd }: Started, options: ExecuteOptions) {
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
            settled: () => this.#settled(),
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
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => this.#stop("timed_out"), Math.min(timeoutMs, MAX_TIMER_MS));
    try {
      await this.#ended();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
    await this.#takedown;
    const stages = await this.#channel?.reports();
    return { ...this.#result(), ...(stages === undefined ? {} : { stages }) };
  }

  #result(): RunEnd {
    if (this.#startError !== undefined) return this.#startError;
    const { exitCode, signalCode } = this.#child;
    const details = [
      this.#detached &&
        this.#cause === undefined &&
        "Processes it started in the background are still running.",
      this.#recordedBytes > this.#maxRecorded &&
        `Of what its filters got only the first ${this.#maxRecorded} bytes are in the log.`,
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
    if (pending !== undefined) this.#waitFor(pending);
    if (kept.length < chunk.length) this.#stop("output_limit");
  }

  /** Output that the command's own filters do not show. */
  #record(chunk: Buffer): void {
    this.#lastOutput = Date.now();
    this.#chunks++;
    const room = Math.max(0, this.#maxRecorded - this.#recordedBytes);
    this.#recordedBytes += chunk.length;
    const kept = chunk.subarray(0, room);
    const pending = kept.length === 0 ? undefined : this.#options.onOutput("stdout", kept, "record");
    if (pending !== undefined) this.#waitFor(pending);
  }

  /**
   * All output that was written before now is taken when this resolves. A message may be read in a turn of the event loop that
   * began before the output was there: only the turn after it surely looks at all pipes.
   */
  async #settled(): Promise<void> {
    for (let turn = 0, seen = -1; turn < 2 || (seen !== this.#chunks && turn < MAX_SETTLING_TURNS); turn++) {
      while (this.#waiting > 0) await delay(1);
      seen = this.#chunks;
      await nextTurn();
    }
  }

  /** Backpressure: no stream is read on until the output so far is taken. */
  #waitFor(pending: Promise<void>): void {
    const pipes = Object.values(this.#output);
    this.#waiting++;
    for (const pipe of pipes) pipe?.pause();
    const goOn = (): void => {
      if (--this.#waiting > 0) return;
      for (const pipe of pipes) pipe?.resume();
    };
    pending.then(goOn, goOn);
  }

  /** Done when the pipes are closed, or when the command has ended and only its background children hold them. */
  async #ended(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    await Promise.race([this.#closed, exited]);
    for (let turn = 1; ; turn++) {
      const closed = this.#closed.then(() => true);
      if (await waitAtMost(QUIET_MS, closed)) return;
      // A process that was not scheduled for a while finds its timers due before it has read what waits in the pipes.
      const chunks = this.#chunks;
      await nextTurn();
      const quiet = this.#chunks === chunks && Date.now() - this.#lastOutput >= QUIET_MS;
      // While the disk is behind, what the command itself wrote is still on its way.
      if (this.#waiting === 0 && (quiet || turn >= DRAIN_TURNS)) return this.#leave();
    }
  }

  /** Lets go of pipes that others still hold. They stay open and are read, so that those others do not die of it. */
  #leave(): void {
    this.#detached = true;
    for (const pipe of [...Object.values(this.#output), this.#child.stdio.at(CHANNEL_STREAM) ?? null]) {
      pipe?.removeAllListeners("data");
      if (pipe !== null && "resume" in pipe) pipe.resume();
      if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
    }
  }

  #stop(cause: RunEnd["cause"]): void {
    if (this.#cause !== undefined) return;
    // Ended by itself already, and only its pipes are still being drained: its own exit came first.
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#cause = cause;
    this.#takedown = this.#takeDown();
  }

  async #takeDown(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return;
    const deadline = Date.now() + (this.#options.graceMs ?? GRACE_MS);
    // Where this process has to end before, the tree goes with it.
    const endHard = (): void => void signalGroup(pid, "SIGKILL");
    process.once("exit", endHard);
    signalGroup(pid, "SIGTERM");
    for (let wait = 10; Date.now() < deadline && (await isGroupAlive(pid)); wait = Math.min(wait * 2, 160))
      await delay(wait);
    endHard();
    process.off("exit", endHard);
    await sweepMarked(markerName(this.#options.id));
  }
}

function checkFolder(cwd: string): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd });
}
