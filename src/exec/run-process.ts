import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, constants, openSync, statSync } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as delay } from "node:timers/promises";
import { errnoOf, PithError } from "../kernel/errors.ts";
import { maxOpenFiles } from "../kernel/files/max-open-files.ts";
import { openedPath } from "../kernel/files/opened-path.ts";
import { createSemaphore } from "../kernel/semaphore.ts";
import { guardGroup, unguardGroup } from "./orphan-guard.ts";
import { PRLIMIT } from "./prlimit.ts";
import { HAS_GROUPS, signalGroup } from "./process-group.ts";

export interface ProcessOptions {
  readonly cwd?: string;
  /** True if `cwd` must be free of symbolic links when the child starts, although another process may replace it. */
  readonly isRealCwd?: boolean;
  /** Limits that the system enforces on the child, where it can. */
  readonly limits?: { readonly memoryBytes: number; readonly cpuSeconds: number };
  /** The child's complete environment; by default that of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The child's stdin; by default it is closed. */
  readonly input?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly timeoutMs?: number;
  /** Upper bound on the bytes of stdout; beyond it the child is ended and the result is `output_limit`. */
  readonly maxBytes?: number;
  /** Receives stdout in chunks instead of `stdout` in the result. Returning false ends the child. */
  readonly onChunk?: (chunk: Buffer) => boolean | undefined;
  /** Receives stdout in lines without their line ends. Returning false ends the child. */
  readonly onLine?: (line: string) => boolean | undefined;
  readonly signal?: AbortSignal;
}

export interface ProcessResult {
  /** The exit code; undefined if a signal ended the process. */
  readonly exitCode: number | undefined;
  /** How the process ended; `stopped` means that a callback returned false. */
  readonly ending: "exit" | "stopped" | "output_limit";
  /** The process's stdout; empty if a callback received it. */
  readonly stdout: Buffer;
  /** The first 64 KiB of stderr. */
  readonly stderr: string;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;
/** Time between SIGTERM and SIGKILL, in which git can remove its lock files. */
const GRACE_MS = 1_000;
/** Lines longer than this are passed on in pieces, so that memory stays bounded. */
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;

/** Upper bound on the helpers that run at the same time; fewer if this process may open only few files. */
const MAX_CHILDREN = 16;
const FILES_PER_CHILD = 32;

type Ending = ProcessResult["ending"] | "timed_out" | "cancelled";

/**
 * Runs a short helper program (git, ripgrep) by its argument list, never through a shell. A non-zero exit is a normal
 * result; not starting, running out of time and cancellation are thrown.
 */
export async function runProcess(
  argv: readonly [string, ...string[]],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const release = await queue.acquire(options.signal).catch(() => Promise.reject(cancelledError(argv[0])));
  try {
    for (let attempt = 1; ; attempt++)
      try {
        return await runNow(argv, options);
      } catch (error) {
        if (!isExhausted(error) || attempt === MAX_START_ATTEMPTS) throw error;
        await delay(RETRY_MS * attempt);
      }
  } finally {
    release();
  }
}

/** A program that could not be started because too many files or processes are open is tried again; others end soon. */
const MAX_START_ATTEMPTS = 8;
const RETRY_MS = 25;

function isExhausted(error: unknown): boolean {
  if (!(error instanceof PithError) || error.code !== "spawn_failed") return false;
  const { errno } = error.data;
  return errno === "EMFILE" || errno === "ENFILE" || errno === "EAGAIN";
}

/** Helpers wait here for their turn, because each takes descriptors, of which a process may have only 256. */
const queue = createSemaphore(Math.min(MAX_CHILDREN, Math.floor(maxOpenFiles() / FILES_PER_CHILD)));

function runNow(
  [program, ...args]: readonly [string, ...string[]],
  options: ProcessOptions,
): Promise<ProcessResult> {
  if (options.signal?.aborted) return Promise.reject(cancelledError(program));
  return new Promise((resolve, reject) => {
    const child = startIn(program, args, options);
    trackChild(child);
    const output = collect(child, options, (ending) => end(ending));
    let ending: Ending | undefined;
    let hardEnd: NodeJS.Timeout | undefined;
    const end = (cause: Ending) => {
      if (ending !== undefined) return;
      ending = cause;
      if (child.pid === undefined) return;
      const { pid } = child;
      signalGroup(pid, "SIGTERM");
      hardEnd = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
    };
    const onAbort = () => end("cancelled");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timer = setTimeout(() => end("timed_out"), timeoutMs);
    const release = () => {
      untrack(child);
      clearTimeout(timer);
      clearTimeout(hardEnd);
      options.signal?.removeEventListener("abort", onAbort);
    };
    child.on("error", (error) => {
      release();
      reject(startError(program, options.cwd, error));
    });
    child.on("close", (code) => {
      release();
      if (ending === "cancelled") return reject(cancelledError(program));
      if (ending === "timed_out")
        return reject(
          new PithError("timed_out", `${program} did not end within ${timeoutMs} ms`, {
            timeout_ms: timeoutMs,
          }),
        );
      try {
        output.finish();
      } catch (error) {
        return reject(error);
      }
      resolve({
        exitCode: code ?? undefined,
        ending: ending ?? "exit",
        stdout: output.stdout(),
        stderr: output.stderr(),
      });
    });
  });
}

/**
 * The numbers of the running child processes. Signals of the terminal do not reach them, because they have their own
 * groups, so they are ended when this process exits.
 */
const running = new Set<number>();

function trackChild({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (running.size === 0) process.once("exit", endRunning);
  running.add(pid);
  guardGroup(pid, () => running.has(pid));
}

function untrack({ pid }: ChildProcess): void {
  if (pid === undefined || !running.delete(pid)) return;
  unguardGroup(pid);
  if (running.size > 0) return;
  process.off("exit", endRunning);
}

function endRunning(): void {
  for (const pid of running) signalGroup(pid, "SIGTERM");
}

/**
 * Starts a child in a folder that was opened and checked before. The child enters the open folder and not its path,
 * which another process may replace by a symbolic link at any time.
 */
function startIn(program: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  const { cwd, isRealCwd } = options;
  if (cwd === undefined || isRealCwd !== true || process.platform !== "linux")
    return start(program, args, options);
  let folder: number;
  try {
    folder = openSync(cwd, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    throw new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd }, { cause: error });
  }
  try {
    const opened = openedPath(folder);
    if (opened === undefined) return start(program, args, options);
    if (opened !== cwd) throw new PithError("invalid_cwd", `${cwd} was replaced by a link`, { cwd });
    return start(program, args, { ...options, cwd: `/proc/self/fd/${folder}` });
  } finally {
    closeSync(folder);
  }
}

/** A shell script that sets the limits of its process and becomes the program in its arguments. */
const SET_LIMITS = 'ulimit -d "$1" 2>&-; ulimit -t "$2" 2>&-; shift 2; exec "$@"';

/**
 * Where the limits of a running process can be set, they are set when it has run for so long. Most helpers have ended
 * by then, and a shell that starts each of them takes a tenth of the time of a small search.
 */
const LIMIT_AFTER_MS = 1_000;

function start(program: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  const { limits } = options;
  const needsShell = limits !== undefined && HAS_GROUPS && PRLIMIT === undefined;
  const limitArgs = needsShell
    ? ["-c", SET_LIMITS, "pith", String(Math.floor(limits.memoryBytes / 1024)), String(limits.cpuSeconds)]
    : [];
  const [file, argv] = needsShell ? ["/bin/sh", [...limitArgs, program, ...args]] : [program, args];
  const child = spawn(file, argv, {
    cwd: options.cwd,
    env: options.env,
    detached: HAS_GROUPS,
    windowsHide: true,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // A child that could not be started has no pipes, whatever its type says, and reports an error later.
  if (child.pid === undefined) return child;
  // Writing fails if the child exits without reading its input, which is not an error.
  child.stdin?.on("error", () => child.stdin?.destroy());
  // A pipe that breaks ends the output; whether the child failed shows in how it ends.
  for (const pipe of [child.stdout, child.stderr]) pipe?.on("error", () => pipe.destroy());
  if (child.stdin !== null) feed(child.stdin, options.input);
  if (limits !== undefined && PRLIMIT !== undefined) limitLater(child, PRLIMIT, limits);
  return child;
}

function limitLater(
  child: ChildProcess,
  program: string,
  { memoryBytes, cpuSeconds }: NonNullable<ProcessOptions["limits"]>,
): void {
  const timer = setTimeout(() => {
    const setter = spawn(program, [`--pid=${child.pid}`, `--data=${memoryBytes}`, `--cpu=${cpuSeconds}`], {
      stdio: "ignore",
    });
    // A helper that nothing can limit is not left running.
    setter.once("error", () => child.kill("SIGKILL"));
  }, LIMIT_AFTER_MS);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

function feed(stdin: Writable, input: ProcessOptions["input"]): void {
  if (input === undefined || typeof input === "string" || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  const source = Readable.from(input, { objectMode: false });
  source.on("error", () => stdin.destroy());
  stdin.on("close", () => source.destroy());
  source.pipe(stdin);
}

function collect(child: ChildProcess, options: ProcessOptions, end: (ending: Ending) => void) {
  const kept: Buffer[] = [];
  const errors: Buffer[] = [];
  const limit = options.maxBytes ?? DEFAULT_MAX_BYTES;
  let seen = 0;
  let errorBytes = 0;
  let open = true;
  let thrown: { readonly error: unknown } | undefined;
  const stop = (ending: Ending) => {
    open = false;
    end(ending);
  };
  const lines = options.onLine === undefined ? undefined : createLineSplitter(options.onLine);
  child.stdout?.on("data", (chunk: Buffer) => {
    if (!open) return;
    const room = chunk.subarray(0, limit - seen);
    seen += room.length;
    try {
      const wantsMore = lines?.write(room) ?? options.onChunk?.(room) ?? true;
      if (!wantsMore) stop("stopped");
    } catch (error) {
      thrown = { error };
      stop("stopped");
    }
    if (lines === undefined && options.onChunk === undefined) kept.push(room);
    if (open && room.length < chunk.length) stop("output_limit");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    const room = chunk.subarray(0, MAX_STDERR_BYTES - errorBytes);
    errorBytes += room.length;
    if (room.length > 0) errors.push(room);
  });
  return {
    finish: () => {
      if (open) lines?.end();
      if (thrown !== undefined) throw thrown.error;
    },
    stdout: () => Buffer.concat(kept),
    stderr: () => Buffer.concat(errors).toString("utf8"),
  };
}

/** Splits bytes into lines for a callback; returns false once the callback has returned false. */
function createLineSplitter(onLine: (line: string) => boolean | undefined) {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  const take = (text: string): boolean => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      if (onLine(line.endsWith("\r") ? line.slice(0, -1) : line) === false) return false;
    if (rest.length < MAX_LINE_CHARACTERS) return true;
    const piece = rest;
    rest = "";
    return onLine(piece) !== false;
  };
  return {
    write: (chunk: Buffer) => take(decoder.write(chunk)),
    end: () => {
      const last = rest + decoder.end();
      if (last !== "") onLine(last);
    },
  };
}

function startError(program: string, cwd: string | undefined, error: Error): PithError {
  // The folder is checked too, because spawn reports ENOENT both for a missing program and for a missing folder.
  if (cwd !== undefined && !isFolder(cwd))
    return new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd }, { cause: error });
  const errno = errnoOf(error);
  const why =
    errno === "ENOENT"
      ? "is not installed or not on PATH"
      : errno === "EACCES"
        ? "is not executable"
        : error.message;
  return new PithError(
    "spawn_failed",
    `${program} ${why}`,
    { program, ...(errno !== undefined && { errno }) },
    { cause: error },
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function cancelledError(program: string): PithError {
  return new PithError("cancelled", `${program} was cancelled`);
}
