/** Compares a query with all vectors in memory. Each vector is a row of bytes, one per component. */
export interface Scanner {
  readonly engine: "simd" | "plain";
  readonly dimensions: number;
  size(): number;
  /** Adds a vector as a row and returns the number of the row. */
  add(codes: Int8Array): number;
  /** Returns a view of the bytes of a row, which is valid until the next `add`. */
  row(number: number): Int8Array;
  /** Writes the dot product of the query with each row to `out`, which must have room for all rows. */
  dots(query: Int8Array, out: Int32Array): void;
  /** Returns the amount of allocated memory in bytes. */
  bytes(): number;
  /** Removes all rows but keeps the memory for reuse. */
  clear(): void;
}

/** Number of rows for which memory is allocated at once, so that adding rows never copies existing ones. */
const ROWS_PER_BLOCK = 4_096;

/** Creates a scanner that works without WebAssembly; it returns the same results but is about ten times slower. */
export function createPlainScanner(dimensions: number): Scanner {
  const blocks: Int8Array[] = [];
  let rows = 0;
  const row = (number: number): Int8Array => {
    const start = (number % ROWS_PER_BLOCK) * dimensions;
    const block = blocks[Math.floor(number / ROWS_PER_BLOCK)] ?? new Int8Array();
    return block.subarray(start, start + dimensions);
  };
  return {
    engine: "plain",
    dimensions,
    size: () => rows,
    add(codes) {
      if (rows === blocks.length * ROWS_PER_BLOCK) blocks.push(new Int8Array(ROWS_PER_BLOCK * dimensions));
      row(rows).set(codes);
      return rows++;
    },
    row,
    dots(query, out) {
      for (let number = 0; number < rows; number++) {
        const codes = row(number);
        let sum = 0;
        for (let at = 0; at < dimensions; at++) sum += (query[at] ?? 0) * (codes[at] ?? 0);
        out[number] = sum;
      }
    },
    bytes: () => blocks.length * ROWS_PER_BLOCK * dimensions,
    clear() {
      rows = 0;
    },
  };
}
