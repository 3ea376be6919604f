import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { Readable, type Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { errnoOf, PithError } from "../kernel/errors.ts";
import { HAS_GROUPS, signalGroup } from "./process-group.ts";

export interface ProcessOptions {
  readonly cwd?: string;
  /** The whole environment of the child; left out, it has this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the child reads; left out, its stdin is closed. */
  readonly input?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly timeoutMs?: number;
  /** How much of stdout may come; at the limit the child is ended and the result says `output_limit`. */
  readonly maxBytes?: number;
  /** Gets stdout as it comes, in place of `stdout` in the result. Returning false ends the child. */
  readonly onChunk?: (chunk: Buffer) => boolean | undefined;
  /** The same by lines, without their line ends. */
  readonly onLine?: (line: string) => boolean | undefined;
  readonly signal?: AbortSignal;
}

export interface ProcessResult {
  /** Undefined when a signal ended it. */
  readonly exitCode: number | undefined;
  /** `stopped`: a callback had enough. */
  readonly ending: "exit" | "stopped" | "output_limit";
  /** Empty where a callback took it. */
  readonly stdout: Buffer;
  /** Its first 64 KiB. */
  readonly stderr: string;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;
/** git removes its lock files on SIGTERM; what has not ended by then is ended hard. */
const GRACE_MS = 1_000;
/** A line longer than this is handed on in pieces: memory stays bounded whatever the child prints. */
const MAX_LINE_CHARACTERS = 4 * 1024 * 1024;

type Ending = ProcessResult["ending"] | "timed_out" | "cancelled";

/**
 * Runs a short helper program (git, ripgrep) by its argument list, never through a shell. A non-zero exit is a normal
 * result; not starting, running out of time and cancellation are thrown.
 */
export function runProcess(
  argv: readonly [string, ...string[]],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const [program, ...args] = argv;
  if (options.signal?.aborted) return Promise.reject(cancelled(program));
  return new Promise((resolve, reject) => {
    const child = start(program, args, options);
    endWithThisProcess(child);
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
      forget(child);
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
      if (ending === "cancelled") return reject(cancelled(program));
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

/** Children have groups of their own, which no signal of the terminal reaches: those that still run are ended at the end. */
const running = new Set<number>();

function endWithThisProcess({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  if (running.size === 0) process.once("exit", endRunning);
  running.add(pid);
}

function forget({ pid }: ChildProcess): void {
  if (pid === undefined || !running.delete(pid) || running.size > 0) return;
  process.off("exit", endRunning);
}

function endRunning(): void {
  for (const pid of running) signalGroup(pid, "SIGTERM");
}

function start(program: string, args: readonly string[], options: ProcessOptions): ChildProcess {
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    detached: HAS_GROUPS,
    windowsHide: true,
    stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // The child may end without reading its input: that is its own affair.
  child.stdin?.on("error", () => child.stdin?.destroy());
  if (child.stdin !== null) feed(child.stdin, options.input);
  return child;
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
  const lines = options.onLine === undefined ? undefined : lineSplitter(options.onLine);
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

/** Cuts bytes into lines; false once the callback had enough. */
function lineSplitter(onLine: (line: string) => boolean | undefined) {
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
  // spawn says ENOENT for a missing program and a missing folder alike.
  if (cwd !== undefined && !isFolder(cwd))
    return new PithError("invalid_cwd", `Not a folder: ${cwd}`, { cwd }, { cause: error });
  const errno = errnoOf(error);
  const why =
    errno === "ENOENT"
      ? "is not installed or not on PATH"
      : errno === "EACCES"
        ? "is not executable"
        : error.message;
  return new PithError("spawn_failed", `${program} ${why}`, { program }, { cause: error });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function cancelled(program: string): PithError {
  return new PithError("cancelled", `${program} was cancelled`);
}
