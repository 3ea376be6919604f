import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { FindingKind } from "./attack.ts";
import { asRecord, judgeReply, parseJson, readReply, type Reply } from "./judge.ts";

export interface PeerOptions {
  readonly workspace?: string;
  readonly dataFolder?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Command that runs the server's command line, such as a shell that sets limits first. */
  readonly wrap?: readonly string[];
  /** Command-line options of Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly era?: Era;
  /** Whether the attack performs the protocol handshake itself. */
  readonly mute?: boolean;
  /** Whether the server may fail to start or exit with an error. */
  readonly mayFail?: boolean;
  /** Whether the server uses HTTP; then stdin is not used. */
  readonly http?: boolean;
}

export type Era = "legacy" | "modern";
export const ERAS: readonly Era[] = ["legacy", "modern"];

type Report = (kind: FindingKind, what: string) => void;
type Message = Readonly<Record<string, unknown>>;

/** The server built by `npm run build`, as users run it. The bundle of these sources is beside it. */
export const BINARY = resolve(import.meta.dirname, "pith.js");

export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "torture", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
} as const;

/** Timeout for the server; generous, because the attack itself keeps the machine busy. */
const PATIENCE_MS = 60_000;
const MAX_STDERR = 64_000;

/** A running server and the client side of its pipes. It reports everything a client could object to. */
export class Peer {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #options: PeerOptions;
  readonly #report: Report;
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #exited: Promise<void>;
  #nextId = 1_000_000;
  #line: Buffer[] = [];
  #stderr = "";
  #killed = false;
  #peak = 0;
  /** Called with every message of the server. */
  onMessage: (message: Message) => void = () => undefined;
  /** The URL of a server that uses HTTP. */
  url = "";

  private constructor(folder: string, options: PeerOptions, report: Report) {
    this.#options = options;
    this.#report = report;
    const serve = [
      process.execPath,
      ...(options.nodeArgs ?? []),
      BINARY,
      "serve",
      ...(options.http ? ["--http", "0", "--until-stdin-ends"] : []),
      // Index management tools are enabled because attacks use them too.
      ...(options.args ?? ["--toolsets", "code,run,files,index"]),
    ];
    const [program = "", ...args] = [...(options.wrap ?? []), ...serve];
    this.#child = spawn(program, args, {
      cwd: options.workspace ?? folder,
      env: serverEnvironment(folder, options),
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#exited = once(this.#child, "close").then(() => this.#onExit());
    this.#child.on("error", (error) => report("crash", `could not start: ${error.message}`));
    this.#child.stdin.on("error", () => undefined);
    this.#child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-MAX_STDERR);
    });
  }

  /** Starts a server and performs the handshake, unless the attack does that itself. */
  static async start(folder: string, options: PeerOptions, report: Report): Promise<Peer> {
    const peer = new Peer(folder, options, report);
    if (options.http) await peer.#listening();
    else if (!options.mute) await peer.greet();
    return peer;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get stdin(): Writable {
    return this.#child.stdin;
  }

  get stdout(): Readable {
    return this.#child.stdout;
  }

  /** Highest memory use that was measured, in bytes. */
  get peakMemory(): number {
    this.measure();
    return this.#peak;
  }

  /** Measures the resident memory in bytes. */
  measure(): number {
    const status = procStatus(this.pid);
    this.#peak = Math.max(this.#peak, kilobytes(status, "VmHWM") * 1024);
    return kilobytes(status, "VmRSS") * 1024;
  }

  async greet(): Promise<void> {
    if (this.#options.era === "modern") return void (await this.request("server/discover"));
    await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "torture", version: "1" },
    });
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(bytes: string | Buffer): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(bytes);
  }

  /** Sends a request and waits for the response; returns an empty message if the server exits first. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    patienceMs = PATIENCE_MS,
  ): Promise<Message> {
    const id = this.#nextId++;
    const meta = this.#options.era === "modern" ? { _meta: MODERN_META } : {};
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: "2.0", id, method, params: { ...params, ...meta } });
    const timer = new AbortController();
    const late = delay(patienceMs, undefined, { signal: timer.signal }).then(
      () => {
        this.#report("hang", `no answer to ${method} ${JSON.stringify(params).slice(0, 200)}`);
        return {};
      },
      () => ({}),
    );
    return Promise.race([answered, this.#exited.then(() => ({})), late]).finally(() => {
      timer.abort();
      this.#waiting.delete(id);
    });
  }

  /** Calls a tool and checks the promises that hold for every reply. */
  async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const message = await this.request("tools/call", { name: tool, arguments: args });
    if (Object.keys(message).length === 0) return { text: "", isError: true, meta: {}, error: "gone" };
    const reply = readReply(message);
    const complaint = judgeReply(
      reply,
      typeof args["max_tokens"] === "number" ? { maxTokens: args["max_tokens"] } : undefined,
    );
    if (complaint !== undefined)
      this.#report(complaint.kind, `${tool} ${JSON.stringify(args).slice(0, 300)}: ${complaint.what}`);
    return reply;
  }

  /** Kills the server deliberately, which is not a finding. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    this.measure();
    this.#killed = true;
    if (this.isAlive) this.#child.kill(signal);
    await this.#exited;
  }

  /** Waits until the server exits by itself. */
  async ended(patienceMs = PATIENCE_MS): Promise<boolean> {
    const timer = new AbortController();
    const late = delay(patienceMs, false, { signal: timer.signal }).catch(() => false);
    return Promise.race([this.#exited.then(() => true), late]).finally(() => timer.abort());
  }

  /** Closes the connection; a server that does not exit then counts as hanging. */
  async close(): Promise<void> {
    this.measure();
    this.#child.stdin.end();
    this.#child.stdout.resume();
    if (await this.ended()) return;
    this.#report("hang", "the server did not end after its client");
    await this.kill();
  }

  async #listening(): Promise<void> {
    for (const until = Date.now() + PATIENCE_MS; Date.now() < until && this.isAlive; await delay(10)) {
      this.url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(this.#stderr)?.[0] ?? "";
      if (this.url !== "") return;
    }
    if (!this.#options.mayFail) this.#report("crash", `no HTTP server came up: ${this.#stderr.slice(-500)}`);
  }

  #read(chunk: Buffer): void {
    this.#line.push(chunk);
    if (!chunk.includes(10)) return;
    const lines = Buffer.concat(this.#line).toString("utf8").split("\n");
    this.#line = [Buffer.from(lines.pop() ?? "")];
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    const message = asRecord(parseJson(line));
    if (message?.["jsonrpc"] !== "2.0")
      return this.#report("bad reply", `no message on stdout: ${line.slice(0, 200)}`);
    this.onMessage(message);
    const id = message["id"];
    if (typeof id === "number") this.#waiting.get(id)?.(message);
  }

  /** Checks for a clean exit and for nothing but log events on stderr. */
  #onExit(): void {
    const { exitCode, signalCode } = this.#child;
    const tail = this.#stderr.slice(-600);
    if (!this.#killed && !this.#options.mayFail && exitCode !== 0)
      this.#report("crash", `ended with ${signalCode ?? exitCode}: ${tail}`);
    // The log event contains the stack trace, which the reply does not.
    for (const line of this.#stderr.split("\n"))
      if (line.includes("tool.internal_error")) this.#report("internal error", line.slice(0, 1_500));
    const isTrace = /^\s+at .*:\d+:\d+\)?$|^Node\.js v|Uncaught|unhandled/im.test(this.#stderr);
    if (isTrace && exitCode === 0) this.#report("crash", `a trace on stderr: ${tail}`);
  }
}

/** Sets a separate home folder, so that the machine's settings and data have no influence. */
export function serverEnvironment(
  folder: string,
  options: Pick<PeerOptions, "dataFolder" | "env"> = {},
): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    PITH_DATA_DIR: options.dataFolder ?? join(folder, "data"),
    ...options.env,
  };
}

function procStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    // The process has exited, or this is not Linux, so there is nothing to measure.
    return "";
  }
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
}
