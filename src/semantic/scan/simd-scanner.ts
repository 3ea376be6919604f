import { createPlainScanner, type Scanner } from "./scanner.ts";
import { scanProgram, STEP } from "./wasm-program.ts";

/** The part of the WebAssembly API that is used here. TypeScript declares this API only together with browser types. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface Exports {
  readonly memory: WasmMemory;
  scan(query: number, codes: number, out: number, count: number, width: number): void;
}
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: Exports };
}

const PAGE_BYTES = 65_536;
/**
 * Number of rows that one call of the WebAssembly program compares; the results are written to a fixed area of memory
 * before the rows.
 */
const ROWS_PER_CALL = 4_096;
/** Share of its size by which memory grows, at most 8 MB, so that adding rows one by one seldom has to grow it. */
const GROWTH = 0.25;
const MAX_GROWTH_PAGES = 128;

/** Creates a scanner with SIMD where WebAssembly supports it, otherwise one with a plain loop. */
export function createScanner(dimensions: number): Scanner {
  return createSimdScanner(dimensions) ?? createPlainScanner(dimensions);
}

/** Creates a scanner that uses SIMD instructions; undefined if this version of Node cannot run them. */
export function createSimdScanner(dimensions: number): Scanner | undefined {
  const exports = loadProgram();
  if (exports === undefined) return undefined;
  const { memory } = exports;
  const width = Math.ceil(dimensions / STEP) * STEP;
  const outAt = width * 2;
  const codesAt = outAt + ROWS_PER_CALL * 4;
  let rows = 0;
  const reserve = (end: number): void => {
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE_BYTES);
    const ahead = Math.min(MAX_GROWTH_PAGES, Math.ceil((memory.buffer.byteLength / PAGE_BYTES) * GROWTH));
    if (missing > 0) memory.grow(Math.max(missing, ahead));
  };
  reserve(codesAt);
  return {
    engine: "simd",
    dimensions,
    size: () => rows,
    add(codes) {
      reserve(codesAt + (rows + 1) * width);
      const row = new Int8Array(memory.buffer, codesAt + rows * width, width);
      row.set(codes.subarray(0, dimensions));
      row.fill(0, dimensions);
      return rows++;
    },
    row: (number) => new Int8Array(memory.buffer, codesAt + number * width, dimensions),
    dots(query, out) {
      const wide = new Int16Array(memory.buffer, 0, width);
      wide.fill(0).set(query.subarray(0, dimensions));
      for (let first = 0; first < rows; first += ROWS_PER_CALL) {
        const count = Math.min(ROWS_PER_CALL, rows - first);
        exports.scan(0, codesAt + first * width, outAt, count, width);
        out.set(new Int32Array(memory.buffer, outAt, count), first);
      }
    },
    bytes: () => memory.buffer.byteLength,
    clear() {
      rows = 0;
    },
  };
}

let module: object | undefined;

function loadProgram(): Exports | undefined {
  // WebAssembly is missing only if Node was started without a just-in-time compiler.
  const wasm = Reflect.get(globalThis, "WebAssembly") as Wasm | undefined;
  if (wasm === undefined) return undefined;
  try {
    module ??= new wasm.Module(scanProgram());
    return new wasm.Instance(module).exports;
  } catch {
    // A processor or a version of Node without SIMD rejects the WebAssembly module; the plain scanner is then used.
    return undefined;
  }
}
