import { ConsoleRecords, RECORD_MARK } from "../clean/console-records.ts";
import type { NumberedLine } from "../clean/console-records.ts";
import { settleLine } from "../clean/escapes.ts";
import { PrefixUnwrapper } from "../clean/prefixes.ts";
import type { Unwrapped } from "../clean/prefixes.ts";
import type { ReadLines } from "../clean/prefix-learner.ts";
import { StreamInput } from "./input.ts";
import type { DecodedLines } from "./input.ts";
import type { Stream } from "../tool.ts";

/** Number of characters of output that are read and searched for signatures before their lines are parsed. */
const WINDOW = 256 * 1024;

/** A line as it was read: without escapes, and with its prefixes taken apart. */
export interface ReadLine extends Omit<Unwrapped, "repeated"> {
  /** The line with its prefixes. */
  readonly whole: string;
  readonly number: number;
  readonly stream: Stream;
}

export interface LineReaderOptions {
  /** Maximum length of a line, which may be a whole report. */
  readonly maxLine: number;
  /** Tells how well the tools understand some lines, to learn a prefix that nearly all lines share; absent: none is learned. */
  readonly understood: ReadLines | undefined;
  /** Called with the lines of each window, a stretch of output of about 256 KB. */
  readonly onWindow: (lines: readonly ReadLine[]) => void;
}

/** Turns the bytes of both streams into windows of clean lines. */
export class LineReader {
  readonly #onWindow: LineReaderOptions["onWindow"];
  readonly #inputs: Record<Stream, StreamInput>;
  readonly #prefixes: PrefixUnwrapper;
  readonly #records = new Map<Stream, ConsoleRecords>();
  #pending: DecodedLines[] = [];
  #pendingLength = 0;
  #window: ReadLine[] = [];
  #lines = 0;

  constructor({ maxLine, understood, onWindow }: LineReaderOptions) {
    this.#onWindow = onWindow;
    this.#prefixes = new PrefixUnwrapper(understood);
    this.#inputs = {
      stdout: new StreamInput("stdout", maxLine),
      stderr: new StreamInput("stderr", maxLine),
    };
  }

  /** Number of lines read so far. */
  get lines(): number {
    return this.#lines;
  }

  write(chunk: Uint8Array | string, stream: Stream): void {
    // Large chunks are split so that the amount of output that is searched at once does not depend on the caller.
    for (let from = 0; from < chunk.length; from += WINDOW) {
      const piece = chunk.length <= WINDOW ? chunk : chunk.slice(from, from + WINDOW);
      this.#queue(this.#inputs[stream].write(piece));
    }
  }

  end(): void {
    this.#queue(this.#inputs.stdout.end());
    this.#queue(this.#inputs.stderr.end());
    this.#readPending();
    for (const [stream, records] of this.#records)
      for (const line of records.end()) this.#readLine(line, stream);
    this.#handOver();
  }

  #queue(block: DecodedLines | undefined): void {
    if (block === undefined) return;
    this.#pending.push(block);
    this.#pendingLength += block.text.length;
    if (this.#pendingLength >= WINDOW) this.#readPending();
  }

  #readPending(): void {
    const blocks = this.#pending;
    this.#pending = [];
    this.#pendingLength = 0;
    this.#prefixes.observe(blocks.map((block) => block.text));
    for (const { stream, text } of blocks) {
      if (!this.#records.has(stream) && text.includes(RECORD_MARK))
        this.#records.set(stream, new ConsoleRecords());
      const settled = !text.includes("\r") && !text.includes("\b");
      for (let from = 0; from < text.length;) {
        const to = text.indexOf("\n", from);
        const raw = text.slice(from, to);
        this.#readRawLine(settled ? raw : settleLine(raw), stream);
        from = to + 1;
      }
    }
    this.#handOver();
  }

  #readRawLine(text: string, stream: Stream): void {
    const number = ++this.#lines;
    const records = this.#records.get(stream);
    if (records === undefined) this.#readLine({ text, number }, stream);
    else for (const line of records.push(text, number)) this.#readLine(line, stream);
  }

  #readLine({ text, number }: NumberedLine, stream: Stream): void {
    const { channel, rest, level, repeated, step, section } = this.#prefixes.unwrap(text);
    if (repeated === true) return;
    this.#window.push({
      whole: text,
      rest,
      channel,
      number,
      stream,
      ...(level === undefined ? {} : { level }),
      ...(step === undefined ? {} : { step }),
      ...(section === undefined ? {} : { section }),
    });
  }

  #handOver(): void {
    const lines = this.#window;
    this.#window = [];
    this.#onWindow(lines);
  }
}
