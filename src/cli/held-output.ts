import type { StreamName } from "../model/run.ts";
import type { Io } from "./io.ts";

/** A command that says nothing for so long, such as a server that is ready, is waiting: what it said is due. */
const QUIET_MS = 4_000;

/** Output that waits for the decision whether it is shown as it is. Beyond a size it never is, and is let go. */
export class HeldOutput {
  readonly #io: Pick<Io, "write">;
  readonly #limit: number;
  #held: { readonly stream: StreamName; readonly chunk: Buffer }[] = [];
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(io: Pick<Io, "write">, limit: number) {
    this.#io = io;
    this.#limit = limit;
  }

  /** How much has come in all. */
  get bytes(): number {
    return this.#bytes;
  }

  take(stream: StreamName, chunk: Buffer): void {
    this.#bytes += chunk.length;
    clearTimeout(this.#timer);
    if (this.#bytes > this.#limit) {
      this.#held = [];
      return;
    }
    this.#held.push({ stream, chunk });
    this.#timer = setTimeout(() => this.release(), QUIET_MS);
  }

  /** Shows what is held, byte for byte. */
  release(): void {
    for (const { stream, chunk } of this.#held) this.#io.write(stream, chunk);
    this.#held = [];
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
