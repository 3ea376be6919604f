import { type Masked, maskedAt, type MaskedSecret } from "../model/masked.ts";
import type { StreamName } from "../model/run.ts";
import { addSecret } from "../security/secrets/mask.ts";

/** A mask in an unfinished line of a stream. */
interface OpenMask {
  readonly stream: StreamName;
  /** In its stream. */
  readonly line: number;
  readonly isFirst: boolean;
}

/** Of more secrets than this only the number is known. */
const MAX_SECRETS = 100;

/** Knows in which lines of a log secrets were masked. A line has its number once it is complete. */
export class MaskedLog {
  readonly #secrets: MaskedSecret[] = [];
  #more = 0;
  #open: OpenMask[] = [];

  add(mask: OpenMask): void {
    this.#open.push(mask);
  }

  /** So many lines of a stream have come to their end; `before` says how many had until then. */
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
