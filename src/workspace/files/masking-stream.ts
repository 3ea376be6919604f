import { Redactor } from "../../security/redactor.ts";
import { countLineFeeds } from "../../logs/log-format.ts";
import type { MaskedSecret } from "../../model/masked.ts";
import { isVariablesFile } from "../../security/secrets/environment.ts";
import { addSecret } from "../../security/secrets/mask.ts";
import { MAX_KEY_LINES } from "../../security/secrets/private-key.ts";

const NEWLINE = 10;

/** Receives the bytes of a file after masking. */
interface LineSink {
  /** Number of the line to which the next byte belongs. */
  readonly line: number;
  /** True once no more lines are collected and the remaining ones are only counted. */
  readonly satisfied: boolean;
  feed(bytes: Buffer): void;
}

/**
 * Masks secrets in a stream of bytes before they reach the sink, so that all line and column numbers refer to the masked
 * text. Only the requested lines are examined, plus the lines before them in which a private key may have begun.
 */
export class MaskingStream {
  readonly #sink: LineSink;
  readonly #redactor: Redactor;
  readonly #firstLine: number;
  readonly secrets: MaskedSecret[] = [];

  constructor(sink: LineSink, firstWanted: number, path: string) {
    this.#sink = sink;
    this.#redactor = new Redactor({ isVariablesFile: isVariablesFile(path) });
    this.#firstLine = Math.max(1, firstWanted - MAX_KEY_LINES);
  }

  feed(chunk: Buffer): void {
    const unseen = endOfLines(chunk, this.#firstLine - this.#sink.line);
    if (unseen > 0) this.#sink.feed(chunk.subarray(0, unseen));
    const rest = chunk.subarray(unseen);
    if (this.#sink.satisfied) {
      this.end();
      this.#sink.feed(rest);
    } else this.#forward(this.#redactor.push(rest));
  }

  /**
   * Forwards the bytes that are still held back. It must be called at the end of the file, or when the remaining lines
   * are only counted.
   */
  end(): void {
    this.#forward(this.#redactor.end());
  }

  #forward(bytes: Buffer): void {
    for (const { offset, isFirst } of this.#redactor.masked)
      addSecret(this.secrets, this.#sink.line + countLineFeeds(bytes.subarray(0, offset)), isFirst);
    this.#sink.feed(bytes);
  }
}

/** Returns the offset in the chunk after the given number of lines. */
function endOfLines(chunk: Buffer, lines: number): number {
  let end = 0;
  for (let left = lines; left > 0; left--) {
    const newline = chunk.indexOf(NEWLINE, end);
    if (newline < 0) return chunk.length;
    end = newline + 1;
  }
  return end;
}
