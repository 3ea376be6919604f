import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { PithError } from "../kernel/errors.ts";
import type { RunEnd, StreamName } from "../model/run.ts";
import { HAS_GROUPS, isGroupAlive, signalGroup } from "./process-group.ts";
import { openPipes } from "./real-pipe.ts";
import { startError } from "./start-error.ts";
import { markerName, sweepMarked } from "./sweep.ts";
import { windowsCommand } from "./windows-command.ts";

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ExecuteOptions {
  /** Marks the processes of this run in their environment, so that all of them can be found again. */
  readonly id: string;
  readonly timeoutMs?: number;
  readonly maxOutputBytes?: number;
  /** How long a tree may take to end by itself after SIGTERM. */
  readonly graceMs?: number;
  /** Takes the output as it comes. While a returned promise is pending, the command has to wait. */
  readonly onOutput: (stream: StreamName, chunk: Buffer) => Promise<void> | undefined;
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

/** Runs one command to its end, never through a shell of its own, and says what ended it. Throws only on a bad cwd. */
export async function execute(command: Command, options: ExecuteOptions): Promise<RunEnd> {
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
  readonly output: Readonly<Record<StreamName, Readable | null>>;
}

function start(command: Command, id: string): Started | RunEnd {
  const [program, ...args] = command.argv;
  const how =
    process.platform === "win32"
      ? windowsCommand(command.argv, { ...command, exists: existsSync })
      : { file: program, args, verbatim: false };
  const pipes = openPipes();
  try {
    const child = spawn(how.file, how.args, {
      cwd: command.cwd,
      env: { ...command.env, [markerName(id)]: "1" },
      detached: HAS_GROUPS,
      windowsHide: true,
      windowsVerbatimArguments: how.verbatim,
      stdio: ["ignore", pipes?.stdout.writeEnd ?? "pipe", pipes?.stderr.writeEnd ?? "pipe"],
    });
    const output = pipes === undefined ? child : { stdout: pipes.stdout.reader, stderr: pipes.stderr.reader };
    return { cwd: command.cwd, child, output };
  } catch (error) {
    pipes?.stdout.reader.destroy();
    pipes?.stderr.reader.destroy();
    // A NUL in an argument, or a list that is too long for the system.
    return startError(program, command.cwd, error instanceof Error ? error : new Error(String(error)));
  } finally {
    if (pipes !== undefined) for (const { writeEnd } of [pipes.stdout, pipes.stderr]) closeSync(writeEnd);
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
  #waiting = 0;
  #detached = false;

  constructor({ child, output, cwd }: Started, options: ExecuteOptions) {
    this.#child = child;
    this.#output = output;
    this.#options = options;
    this.#closed = new Promise((resolve) => {
      const ends = [child, output.stdout, output.stderr]
        .filter((one) => one !== null)
        .map((one) => new Promise<void>((closed) => void one.once("close", () => closed())));
      void Promise.all(ends).then(() => resolve());
      child.once("error", (error) => {
        this.#startError = startError(child.spawnfile, cwd, error);
        resolve();
      });
    });
    for (const stream of ["stdout", "stderr"] as const)
      output[stream]?.on("data", (chunk: Buffer) => this.#take(stream, chunk));
    if (child.pid !== undefined) options.onStart?.(child.pid);
  }

  async end(): Promise<RunEnd> {
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
    return this.#result();
  }

  #result(): RunEnd {
    if (this.#startError !== undefined) return this.#startError;
    const { exitCode, signalCode } = this.#child;
    return {
      cause: this.#cause ?? (exitCode === null ? "signal" : "exit"),
      ...(exitCode === null || this.#cause !== undefined ? {} : { exitCode }),
      ...(signalCode === null ? {} : { signal: signalCode }),
      ...(this.#detached && this.#cause === undefined
        ? { detail: "Processes it started in the background are still running." }
        : {}),
    };
  }

  #take(stream: StreamName, chunk: Buffer): void {
    this.#lastOutput = Date.now();
    this.#chunks++;
    const room = (this.#options.maxOutputBytes ?? Number.POSITIVE_INFINITY) - this.#bytes;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#bytes += kept.length;
    const pending = this.#options.onOutput(stream, kept);
    if (pending !== undefined) this.#waitFor(pending);
    if (kept.length < chunk.length) this.#stop("output_limit");
  }

  /** Backpressure: neither stream is read on until the output so far is taken. */
  #waitFor(pending: Promise<void>): void {
    const { stdout, stderr } = this.#output;
    this.#waiting++;
    stdout?.pause();
    stderr?.pause();
    const goOn = (): void => {
      if (--this.#waiting > 0) return;
      stdout?.resume();
      stderr?.resume();
    };
    pending.then(goOn, goOn);
  }

  /** Done when the pipes are closed, or when the command has ended and only its background children hold them. */
  async #ended(): Promise<void> {
    const exited = new Promise<void>((resolve) => this.#child.once("exit", () => resolve()));
    await Promise.race([this.#closed, exited]);
    for (let turn = 1; ; turn++) {
      const closed = await Promise.race([this.#closed.then(() => true), delay(QUIET_MS, false)]);
      if (closed) return;
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
    for (const pipe of [this.#output.stdout, this.#output.stderr]) {
      pipe?.removeAllListeners("data");
      pipe?.resume();
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
