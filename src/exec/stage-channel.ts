import type { Duplex } from "node:stream";

/** What a recorded script reports about one stage of its pipeline. */
export interface StageReport {
  readonly id: number;
  /** The exit code as a shell sees it; absent if the stage did not exit by itself. */
  readonly status?: number;
  /** True if the filter after the stage ended first, and some output of the stage came too late to be recorded. */
  readonly isCut: boolean;
}

interface ChannelOptions {
  /** Resolves when all output that was written before the call has been received. */
  settled(): Promise<void>;
  /**
   * True if idle processes that copy a stage's output are ended. Those of an isolated command are not: the numbers that
   * it reports mean other processes outside.
   */
  readonly endsCopies: boolean;
  /** Called when the script starts or stops printing a filtered view of the recorded output. */
  onView(isView: boolean): void;
}

/** A process that copies a stage's output counts as idle after this long without output. */
const IDLE_MS = 250;
/**
 * Upper bound on an unfinished message. A message is a letter and two numbers, so longer text is not one and is
 * discarded.
 */
const MAX_PENDING = 4_096;

/**
 * The socket through which a recorded script reports on the stages of its pipeline; the functions of the script
 * document the messages. Messages are handled one after the other, because the script waits for a response to some of
 * them.
 */
export class StageChannel {
  readonly #socket: Duplex;
  readonly #options: ChannelOptions;
  readonly #stages = new Map<number, { status?: number; cut: boolean }>();
  /** The processes that copy the output of stages, each with a timer that ends it when idle. */
  readonly #copies = new Map<number, { readonly pid: number; idle?: NodeJS.Timeout }>();
  #pending = "";
  #work = Promise.resolve();

  constructor(socket: Duplex, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    // The socket fails if the script ended while it waited for a response, which then nobody reads.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      for (const id of this.#copies.keys()) this.#forget(id);
    });
    socket.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")));
  }

  /** The stage reports received so far. */
  async reports(): Promise<readonly StageReport[]> {
    await this.#work;
    return [...this.#stages].map(([id, { status, cut }]) => ({
      id,
      ...(status === undefined ? {} : { status }),
      isCut: cut,
    }));
  }

  #read(text: string): void {
    const lines = (this.#pending + text).split("\n");
    this.#pending = (lines.pop() ?? "").slice(0, MAX_PENDING);
    for (const line of lines) this.#work = this.#work.then(() => this.#take(line));
  }

  async #take(line: string): Promise<void> {
    const [, kind = "", first = "0", second = ""] = /^([a-z]) ?(\d*) ?(\d*)$/.exec(line) ?? [];
    const id = Number(first);
    if (kind === "b" || kind === "e") {
      await this.#options.settled();
      this.#options.onView(kind === "b");
      this.#socket.write("\n");
    } else if (kind === "s") this.#stage(id).status = Number(second);
    else if (kind === "t") this.#copies.set(id, { pid: Number(second) });
    else if (kind === "h") this.#endWhenIdle(id);
    else if (kind === "d") this.#forget(id);
    else if (kind === "k" || kind === "w") this.#stage(id).cut = kind === "k";
  }

  #stage(id: number): { status?: number; cut: boolean } {
    const known = this.#stages.get(id);
    if (known !== undefined) return known;
    const fresh = { cut: false };
    this.#stages.set(id, fresh);
    return fresh;
  }

  /**
   * Ends a process that copies a stage's output once it is idle. By itself it notices at its next write that its reader
   * is gone, and exits after recording what came before. If no output comes, killing it gives the stage its SIGPIPE at
   * the next write and not one write later.
   */
  #endWhenIdle(id: number): void {
    const copy = this.#copies.get(id);
    if (copy === undefined || copy.pid <= 1 || !this.#options.endsCopies) return;
    copy.idle = setTimeout(() => {
      this.#copies.delete(id);
      try {
        process.kill(copy.pid, "SIGTERM");
      } catch {
        // There is nothing to kill, because the process has just exited by itself.
      }
    }, IDLE_MS);
  }

  #forget(id: number): void {
    clearTimeout(this.#copies.get(id)?.idle);
    this.#copies.delete(id);
  }
}
