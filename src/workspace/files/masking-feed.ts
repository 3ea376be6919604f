import { Redactor } from "../../security/redactor.ts";
import { countLineFeeds } from "../../logs/log-format.ts";
import type { MaskedSecret } from "../../model/masked.ts";
import { isVariablesFile } from "../../security/secrets/environment.ts";
import { addSecret } from "../../security/secrets/mask.ts";
import { MAX_KEY_LINES } from "../../security/secrets/private-key.ts";

const NEWLINE = 10;

/** What takes the lines of a file. */
interface LineSink {
  /** The number of the line that the next byte belongs to. */
  readonly line: number;
  /** The rest is only counted. */
  readonly satisfied: boolean;
  feed(bytes: Buffer): void;
}

/**
 * Hands on the bytes of a file, secrets masked, so that every line and column that is known of it is one of the masked
 * text. Only the lines that are wanted are looked at, and those before them in which a private key that
 * reaches into them may have begun.
 */
export class MaskingFeed {
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
    } else this.#give(this.#redactor.push(rest));
  }

  /** The file is over, or the rest of it is only counted. */
  end(): void {
    this.#give(this.#redactor.end());
  }

  #give(bytes: Buffer): void {
    for (const { offset, isFirst } of this.#redactor.masked)
      addSecret(this.secrets, this.#sink.line + countLineFeeds(bytes.subarray(0, offset)), isFirst);
    this.#sink.feed(bytes);
  }
}

/** Where this many lines end. */
function endOfLines(chunk: Buffer, lines: number): number {
  let end = 0;
  for (let left = lines; left > 0; left--) {
    const newline = chunk.indexOf(NEWLINE, end);
    if (newline < 0) return chunk.length;
    end = newline + 1;
  }
  return end;
}
