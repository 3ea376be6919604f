import { createHash } from "node:crypto";

/** Pseudo-random numbers from a seed: the same seed produces the same attack. */
export class Random {
  readonly seed: string;
  #state: number;

  constructor(seed: string) {
    this.seed = seed;
    this.#state = createHash("sha256").update(seed).digest().readUInt32LE(0);
  }

  /** Creates an independent generator, so that numbers drawn by one part do not affect another. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }

  /** Returns a number from 0 to below 1, by the mulberry32 generator. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer between both bounds, inclusive. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined && items.length === 0) throw new Error("nothing to pick from");
    return item as T;
  }

  /** Returns mostly small numbers and sometimes large ones. */
  size(max: number): number {
    return Math.floor(max ** this.next());
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(0, 255)));
  }

  /** Returns a word of lowercase letters that is most likely unique. */
  word(length = 8): string {
    return Array.from({ length }, () => String.fromCharCode(this.int(97, 122))).join("");
  }
}
