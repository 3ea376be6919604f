import { LineMasker } from "./mask.ts";

/** A value as it is told to others, and how many different secrets were masked in it. */
export interface MaskedValue<T> {
  readonly value: T;
  readonly count: number;
}

/** Masks the secrets in all texts of a plain value: what JSON can hold. Everything else in it stays as it is. */
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
  // The same shape as before: only texts were replaced by texts.
  return { value: secrets.size === 0 ? value : (result as T), count: secrets.size };
}
