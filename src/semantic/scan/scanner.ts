/** Quantised vectors in memory, as rows of bytes; each query is compared with every row. */
export interface Scanner {
  readonly engine: "simd" | "plain";
  readonly dimensions: number;
  size(): number;
  /** Adds a row and returns its number. */
  add(codes: Int8Array): number;
  /** Returns a view of a row, which is valid until the next `add`. */
  row(number: number): Int8Array;
  /** Writes the dot product of the query with every row to `out`, which must be long enough. */
  dots(query: Int8Array, out: Int32Array): void;
  /** Allocated memory in bytes. */
  bytes(): number;
  /** Removes all rows but keeps the memory for reuse. */
  clear(): void;
}

/** Memory is allocated in blocks of this many rows, so that growing copies nothing. */
const ROWS_PER_BLOCK = 4_096;

/** Scanner without WebAssembly: it returns the same results but is about ten times slower. */
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
