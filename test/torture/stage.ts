import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Trial } from "./attack.ts";
import { Peer, type PeerOptions } from "./peer.ts";

/** Memory limit per process; the largest inputs here are some megabytes. */
const MAX_MEMORY = 1_200 * 1024 * 1024;
const MEASURE_MS = 200;
/** Time within which commands that outlive their server must end by themselves. */
const LEFTOVER_MS = 20_000;

/** The environment of an attack: a folder, the servers in it, and the cleanup work. */
export class Stage {
  readonly folder: string;
  readonly #peers: Peer[] = [];
  readonly #cleanups: (() => void | Promise<void>)[] = [];
  readonly #meter: NodeJS.Timeout;
  #kept: Promise<unknown> | undefined;
  /** Receives findings; replaced for each round. */
  report: Trial["found"] = () => undefined;

  constructor(name: string) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), `pith-torture-${name}-`)));
    mkdirSync(join(this.folder, "work"));
    this.#meter = setInterval(() => {
      for (const peer of this.#peers) peer.measure();
    }, MEASURE_MS);
  }

  get peakMemory(): number {
    return Math.max(0, ...this.#peers.map((peer) => peer.peakMemory));
  }

  async serve(options: PeerOptions = {}): Promise<Peer> {
    const workspace = join(this.folder, "work");
    const peer = await Peer.start(this.folder, { workspace, ...options }, (kind, what) =>
      this.report(kind, what),
    );
    this.#peers.push(peer);
    return peer;
  }

  keep<T>(make: () => Promise<T>): Promise<T> {
    // Each attack keeps values of only one type.
    return (this.#kept ??= make()) as Promise<T>;
  }

  afterwards(work: () => void | Promise<void>): void {
    this.#cleanups.unshift(work);
  }

  /** Stops the servers as a client would, and then all remaining processes. */
  async close(): Promise<void> {
    await Promise.all(this.#peers.filter((peer) => peer.isAlive).map((peer) => peer.close()));
    clearInterval(this.#meter);
    if (this.peakMemory > MAX_MEMORY)
      this.report("memory", `a server held ${Math.round(this.peakMemory / 1e6)} MB`);
    await this.#endLeftovers();
    for (const cleanup of this.#cleanups) await cleanup();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #endLeftovers(): Promise<void> {
    const until = Date.now() + LEFTOVER_MS;
    let left = processesOf(this.folder);
    for (; left.length > 0 && Date.now() < until; left = processesOf(this.folder)) await delay(50);
    for (const { pid, command } of left) {
      this.report("left running", command);
      endProcess(pid);
    }
  }
}

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Finds the servers, supervisors and commands of a stage by its folder in their environment. */
export function processesOf(folder: string): FoundProcess[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      if (!readProc(name, "environ").includes(folder)) return [];
      return [{ pid: Number(name), command: readProc(name, "cmdline").replaceAll("\0", " ").slice(0, 300) }];
    });
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended meanwhile.
  }
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // The process has ended meanwhile or belongs to another user.
    return "";
  }
}
