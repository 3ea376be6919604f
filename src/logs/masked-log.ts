import { type Masked, maskedAt, type MaskedSecret } from "../model/masked.ts";
import type { StreamName } from "../model/run.ts";
import { addSecret } from "../security/secrets/mask.ts";

/** A secret that was masked in a line which is not complete yet. */
interface OpenMask {
  readonly stream: StreamName;
  /** The number of the line in its stream. */
  readonly line: number;
  readonly isFirst: boolean;
}

/** Upper bound on the masked secrets whose lines are listed; further ones are only counted. */
const MAX_SECRETS = 100;

/** Tracks the lines of a log in which secrets were masked. A line gets its number in the log when it is complete. */
export class MaskedLog {
  readonly #secrets: MaskedSecret[] = [];
  #more = 0;
  #open: OpenMask[] = [];

  add(mask: OpenMask): void {
    this.#open.push(mask);
  }

  /**
   * Assigns numbers to the lines of a stream that were just completed; `before` is the number of lines completed
   * earlier, per stream.
   */
  complete(stream: StreamName, before: Readonly<Record<StreamName, number>>, lines: number): void {
    if (this.#open.length === 0) return;
    const other = stream === "stdout" ? before.stderr : before.stdout;
    const done = this.#open.filter((mask) => mask.stream === stream && mask.line <= before[stream] + lines);
    this.#open = this.#open.filter((mask) => !done.includes(mask));
    for (const { line, isFirst } of done) {
      if (this.#secrets.length < MAX_SECRETS) addSecret(this.#secrets, line + other, isFirst);
      else if (isFirst) this.#more++;
    }
  }

  summary(): Masked | undefined {
    const masked = maskedAt(this.#secrets);
    return masked && { ...masked, count: masked.count + this.#more };
  }
}
