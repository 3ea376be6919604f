import { get } from "../api.ts";
import type { LogRange, WireLine } from "../../ui/wire.ts";

export type Stream = "both" | "stdout" | "stderr";

const LINES_PER_BLOCK = 200;
/** Blocks that are kept; those that were not used for the longest time are dropped first. */
const MAX_BLOCKS = 40;

/** The lines of a log that were read lately. Everything else stays on the server. */
export class LogLines {
  readonly #id: string;
  readonly #stream: Stream;
  readonly #onRead: () => void;
  readonly #blocks = new Map<number, readonly WireLine[]>();
  readonly #asked = new Set<number>();

  constructor(id: string, stream: Stream, onRead: () => void) {
    this.#id = id;
    this.#stream = stream;
    this.#onRead = onRead;
  }

  /** Returns a line by its number in the stream; undefined until it was read. */
  line(number: number): WireLine | undefined {
    const block = Math.floor((number - 1) / LINES_PER_BLOCK);
    return this.#blocks.get(block)?.[(number - 1) % LINES_PER_BLOCK];
  }

  /** Reads the blocks of these lines that are missing, or that had fewer lines when they were read. */
  want(first: number, last: number): void {
    const from = Math.floor((first - 1) / LINES_PER_BLOCK);
    const to = Math.floor((last - 1) / LINES_PER_BLOCK);
    for (let block = from; block <= to; block++) {
      const known = this.#blocks.get(block);
      const wanted = Math.min(LINES_PER_BLOCK, last - block * LINES_PER_BLOCK);
      if (known !== undefined) {
        this.#blocks.delete(block);
        this.#blocks.set(block, known);
      }
      if ((known === undefined || known.length < wanted) && !this.#asked.has(block)) void this.#read(block);
    }
  }

  /** Forgets the last block, whose last line may have grown. */
  refresh(lastLine: number): void {
    this.#blocks.delete(Math.floor(Math.max(0, lastLine - 1) / LINES_PER_BLOCK));
  }

  async #read(block: number): Promise<void> {
    this.#asked.add(block);
    const from = block * LINES_PER_BLOCK + 1;
    try {
      const query = { id: this.#id, stream: this.#stream, from, count: LINES_PER_BLOCK };
      const { lines } = await get<LogRange>("log", query);
      this.#blocks.set(block, lines);
      const [oldest] = this.#blocks.keys();
      if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest);
      this.#onRead();
    } catch {
      // The lines stay empty; they are asked for again when they are scrolled to.
    } finally {
      this.#asked.delete(block);
    }
  }
}
