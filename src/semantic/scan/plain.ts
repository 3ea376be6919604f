import type { Scanner } from "./scanner.ts";

/** Rows a block: growing copies nothing. */
const BLOCK_ROWS = 4_096;

/** The scan without WebAssembly: the same answers, some ten times slower. */
export function createPlainScanner(dimensions: number): Scanner {
  const blocks: Int8Array[] = [];
  let rows = 0;
  const row = (number: number): Int8Array => {
    const start = (number % BLOCK_ROWS) * dimensions;
    const block = blocks[Math.floor(number / BLOCK_ROWS)] ?? new Int8Array();
    return block.subarray(start, start + dimensions);
  };
  return {
    engine: "plain",
    dimensions,
    size: () => rows,
    add(codes) {
      if (rows === blocks.length * BLOCK_ROWS) blocks.push(new Int8Array(BLOCK_ROWS * dimensions));
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
    bytes: () => blocks.length * BLOCK_ROWS * dimensions,
    clear() {
      rows = 0;
    },
  };
}
