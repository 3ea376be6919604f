import type { StreamName } from "../model/run.ts";
import type { Io } from "./io.ts";

/**
 * Buffered output is shown once a command prints nothing for this long, because the command is then probably waiting,
 * like a server that is ready.
 */
const IDLE_FLUSH_MS = 4_000;

/**
 * Buffers a command's output until it is decided whether to show it unchanged. If it exceeds the size limit, it is
 * never shown unchanged, so the buffer is then dropped.
 */
export class BufferedOutput {
  readonly #io: Pick<Io, "write">;
  readonly #limit: number;
  #buffered: { readonly stream: StreamName; readonly chunk: Buffer }[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(io: Pick<Io, "write">, limit: number) {
    this.#io = io;
    this.#limit = limit;
  }

  /** The total number of bytes received. */
  get bytes(): number {
    return this.#bytes;
  }

  add(stream: StreamName, chunk: Buffer): void {
    this.#bytes += chunk.length;
    clearTimeout(this.#timer);
    if (this.#bytes > this.#limit) {
      this.#buffered = [];
      return;
    }
    this.#buffered.push({ stream, chunk });
    this.#timer = setTimeout(() => this.flush(), IDLE_FLUSH_MS);
  }

  /** Writes the buffered output unchanged. */
  flush(): void {
    for (const { stream, chunk } of this.#buffered) this.#io.write(stream, chunk);
    this.#buffered = [];
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
