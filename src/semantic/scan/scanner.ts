import { createPlainScanner } from "./plain.ts";
import { createSimdScanner } from "./simd.ts";

/** Rows of bytes in memory that a query is compared with, all of them. */
export interface Scanner {
  readonly engine: "simd" | "plain";
  readonly dimensions: number;
  /** How many rows there are. */
  size(): number;
  /** Keeps a row; gives its number. */
  add(codes: Int8Array): number;
  /** A row as it was added. Good until the next `add`. */
  row(number: number): Int8Array;
  /** The dot product of the query with every row, into a list that is long enough. */
  dots(query: Int8Array, out: Int32Array): void;
  /** Bytes of memory held. */
  bytes(): number;
  /** Forgets all rows and keeps the memory. */
  clear(): void;
}

/** Scans with SIMD; where WebAssembly has none or is forbidden, with a plain loop. */
export function createScanner(dimensions: number): Scanner {
  return createSimdScanner(dimensions) ?? createPlainScanner(dimensions);
}
