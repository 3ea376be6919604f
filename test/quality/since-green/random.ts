/** Random choices that a seed repeats. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed % 2_147_483_647 || 1;
  }

  /** A whole number from 0 up to below the limit. */
  below(limit: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % limit;
  }

  choose<T>(values: readonly T[]): T | undefined {
    return values[this.below(Math.max(1, values.length))];
  }

  shuffle<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, key: this.below(1_000_003) }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ value }) => value);
  }
}
