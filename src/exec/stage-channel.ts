import type { Duplex } from "node:stream";

/** What a stage of a recorded script told. */
export interface StageReport {
  readonly id: number;
  /** Its exit code as a shell counts it; absent where it never ended by itself. */
  readonly status?: number;
  /** The filter behind it ended first, and some of its output came too late to be recorded. */
  readonly isCut: boolean;
}

interface ChannelOptions {
  /** Resolves when all output that was written before is taken. */
  settled(): Promise<void>;
  /** From now on what the script prints is a view on what is recorded, or no longer. */
  onView(isView: boolean): void;
}

/** As long as a burst of output lasts. */
const IDLE_MS = 250;
/** A message is a letter and two numbers; whatever is longer is none of ours. */
const MAX_PENDING = 4_096;

/**
 * The socket by which a recorded script tells of its stages; the messages are described with the script's functions. They are
 * taken one after the other, because two of them wait for an answer.
 */
export class StageChannel {
  readonly #socket: Duplex;
  readonly #options: ChannelOptions;
  readonly #stages = new Map<number, { status?: number; cut: boolean }>();
  /** The processes that copy output, and when they are ended. */
  readonly #copies = new Map<number, { readonly pid: number; idle?: NodeJS.Timeout }>();
  #pending = "";
  #work = Promise.resolve();

  constructor(socket: Duplex, options: ChannelOptions) {
    this.#socket = socket;
    this.#options = options;
    // The script ended in the middle of a question: nobody waits for the answer.
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      for (const id of this.#copies.keys()) this.#forget(id);
    });
    socket.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")));
  }

  /** All that was told so far. */
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
   * Whoever copies notices at its next write that nobody reads any more, and ends with all before it recorded. Where nothing comes it is
   * ended from here, so that the stage gets its SIGPIPE at its own next write and not at the one after.
   */
  #endWhenIdle(id: number): void {
    const copy = this.#copies.get(id);
    if (copy === undefined || copy.pid <= 1) return;
    copy.idle = setTimeout(() => {
      this.#copies.delete(id);
      try {
        process.kill(copy.pid, "SIGTERM");
      } catch {
        // It has just ended by itself.
      }
    }, IDLE_MS);
  }

  #forget(id: number): void {
    clearTimeout(this.#copies.get(id)?.idle);
    this.#copies.delete(id);
  }
}
