import type { Duplex } from "node:stream";

/** The report of one stage of a recorded script. */
export interface StageReport {
  readonly id: number;
  /** The exit code as a shell sees it; absent if the stage never exited by itself. */
  readonly status?: number;
  /** The filter after the stage ended first, and some output of the stage came too late to be recorded. */
  readonly isCut: boolean;
}

interface ChannelOptions {
  /** Resolves when all output that was written before the call has been taken. */
  settled(): Promise<void>;
  /** Called when the script starts or stops printing a filtered view of the recorded output. */
  onView(isView: boolean): void;
}

/** Without output for this long, a copying process is idle. */
const IDLE_MS = 250;
/** A message is a letter and two numbers; longer text is not one and is discarded. */
const MAX_PENDING = 4_096;

/**
 * The socket through which a recorded script reports its stages; the script's functions document the messages. They are
 * handled one after the other, because two kinds of them wait for a response.
 */
export class StageChannel {
  readonly #socket: Duplex;
  readonly #options: ChannelOptions;
  readonly #stages = new Map<number, { status?: number; cut: boolean }>();
  /** The processes that copy output, each with the timer that ends it when idle. */
  readonly #copies = new Map<number, { readonly pid: number; idle?: NodeJS.Timeout }>();
  #pending = "";
  #work = Promise.resolve();

  constructor(socket: Duplex, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    // The script ended while it waited for a response, so nobody reads it.
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
   * A copying process notices at its next write that its reader is gone, and exits after it has recorded everything before.
   * If no output comes, it is killed here, so that the stage gets its SIGPIPE at its next write and not one write later.
   */
  #endWhenIdle(id: number): void {
    const copy = this.#copies.get(id);
    if (copy === undefined || copy.pid <= 1) return;
    copy.idle = setTimeout(() => {
      this.#copies.delete(id);
      try {
        process.kill(copy.pid, "SIGTERM");
      } catch {
        // The process has just exited by itself.
      }
    }, IDLE_MS);
  }

  #forget(id: number): void {
    clearTimeout(this.#copies.get(id)?.idle);
    this.#copies.delete(id);
  }
}
