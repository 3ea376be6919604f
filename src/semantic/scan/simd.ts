import { scanProgram, STEP } from "./program.ts";
import type { Scanner } from "./scanner.ts";

/** The part of WebAssembly that is used; the library's types for it come with a browser's only. */
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

const PAGE = 65_536;
/** Rows a call: its results lie in a small place before the rows, and are read from there. */
const CALL_ROWS = 4_096;
/** Memory grows by this share, so that adding rows one by one seldom does, and by 8 MB at most. */
const GROWTH = 0.25;
const MOST_PAGES = 128;

/** Undefined where this Node cannot run it. */
export function createSimdScanner(dimensions: number): Scanner | undefined {
  const exports = load();
  if (exports === undefined) return undefined;
  const { memory } = exports;
  const width = Math.ceil(dimensions / STEP) * STEP;
  const outAt = width * 2;
  const codesAt = outAt + CALL_ROWS * 4;
  let rows = 0;
  const reserve = (end: number): void => {
    const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE);
    const ahead = Math.min(MOST_PAGES, Math.ceil((memory.buffer.byteLength / PAGE) * GROWTH));
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
      for (let first = 0; first < rows; first += CALL_ROWS) {
        const count = Math.min(CALL_ROWS, rows - first);
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

function load(): Exports | undefined {
  // Node always has it unless it was started without a just-in-time compiler.
  const wasm = Reflect.get(globalThis, "WebAssembly") as Wasm | undefined;
  if (wasm === undefined) return undefined;
  try {
    module ??= new wasm.Module(scanProgram());
    return new wasm.Instance(module).exports;
  } catch {
    // A processor or a Node without SIMD refuses the module: the plain loop serves.
    return undefined;
  }
}
