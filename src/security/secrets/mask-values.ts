import { LineMasker } from "./mask.ts";

/** A value with its secrets masked, and the number of different secrets in it. */
export interface MaskedValue<T> {
  readonly value: T;
  readonly count: number;
}

/** Masks the secrets in all strings of a JSON-like value and leaves everything else unchanged. */
export function maskValues<T>(value: T): MaskedValue<T> {
  const secrets = new Set<string>();
  const masked = (one: unknown): unknown => {
    if (typeof one === "string") {
      const masker = new LineMasker();
      return one.replaceAll(/[^\n]+/g, (line) => {
        const found = masker.next(line);
        for (const { range } of found?.parts ?? []) secrets.add(line.slice(...range));
        return found?.text ?? line;
      });
    }
    if (Array.isArray(one)) return one.map(masked);
    if (typeof one !== "object" || one === null || Object.getPrototypeOf(one) !== Object.prototype)
      return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, masked(inner)]));
  };
  const result = masked(value);
  // The cast is safe: only strings were replaced, and by strings.
  return { value: secrets.size === 0 ? value : (result as T), count: secrets.size };
}
