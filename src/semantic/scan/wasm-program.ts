/**
 * The dot-product scan as a WebAssembly program, assembled here instruction by instruction, so that it needs neither a
 * compiler nor a separate file. In the text format it would be:
 *
 *   (func (export "scan") (param $query i32) (param $codes i32) (param $out i32) (param $count i32) (param $width i32)
 *     … for each of $count rows of $width bytes: out = Σ query[i] * codes[i]
 *
 * The numbers of the query are 16 bits wide, so that one instruction multiplies eight pairs and adds neighbouring products.
 */
const PARAMETERS = { query: 0, codes: 1, out: 2, count: 3, width: 4 } as const;
const LOCALS = { at: 5, end: 6, even: 7, odd: 8 } as const;

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION = 0x60;
const EMPTY_BLOCK = 0x40;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const constant = (value: number): number[] => [0x41, value];
const add = [0x6a];
const subtract = [0x6b];
const isZero = [0x45];
const isLess = [0x49];
const loop = (body: number[]): number[] => [0x03, EMPTY_BLOCK, ...body, 0x0b];
const block = (body: number[]): number[] => [0x02, EMPTY_BLOCK, ...body, 0x0b];
const branchIf = (depth: number): number[] => [0x0d, depth];
const storeI32 = [0x36, 2, 0];
const simd = (...code: number[]): number[] => [0xfd, ...code];
const zeroes = simd(0x0c, ...Array.from({ length: 16 }, () => 0));
const load16Bytes = (offset: number): number[] => simd(0x00, 0, offset);
/** Loads eight signed bytes and widens each to 16 bits. */
const load8Widened = (offset: number): number[] => simd(0x01, 0, offset);
const multiplyAndPair = simd(0xba, 0x01);
const addLanes = simd(0xae, 0x01);
const lane = (index: number): number[] => simd(0x1b, index);

/** Adds the products of eight dimensions to a sum: sum += codes[offset …] · query[offset …]. */
function step(sum: number, offset: number): number[] {
  return [
    ...get(sum),
    ...get(PARAMETERS.codes),
    ...load8Widened(offset),
    ...get(LOCALS.at),
    ...load16Bytes(offset * 2),
    ...multiplyAndPair,
    ...addLanes,
    ...set(sum),
  ];
}

const advance = (local: number, by: number): number[] => [
  ...get(local),
  ...constant(by),
  ...add,
  ...set(local),
];

/** Number of dimensions per step of the inner loop; rows are padded with zeros to a multiple of it. */
export const STEP = 16;

const sumOfLanes = [0, 1, 2, 3].flatMap((index) => [
  ...get(LOCALS.even),
  ...lane(index),
  ...(index === 0 ? [] : add),
]);

const body = [
  ...block([
    ...get(PARAMETERS.count),
    ...isZero,
    ...branchIf(0),
    ...loop([
      ...zeroes,
      ...set(LOCALS.even),
      ...zeroes,
      ...set(LOCALS.odd),
      ...get(PARAMETERS.query),
      ...set(LOCALS.at),
      ...get(PARAMETERS.codes),
      ...get(PARAMETERS.width),
      ...add,
      ...set(LOCALS.end),
      ...loop([
        ...step(LOCALS.even, 0),
        ...step(LOCALS.odd, 8),
        ...advance(PARAMETERS.codes, STEP),
        ...advance(LOCALS.at, STEP * 2),
        ...get(PARAMETERS.codes),
        ...get(LOCALS.end),
        ...isLess,
        ...branchIf(0),
      ]),
      ...get(LOCALS.even),
      ...get(LOCALS.odd),
      ...addLanes,
      ...set(LOCALS.even),
      ...get(PARAMETERS.out),
      ...sumOfLanes,
      ...storeI32,
      ...advance(PARAMETERS.out, 4),
      ...get(PARAMETERS.count),
      ...constant(1),
      ...subtract,
      ...set(PARAMETERS.count),
      ...get(PARAMETERS.count),
      ...branchIf(0),
    ]),
  ]),
  0x0b,
];

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Returns the bytes of a WebAssembly module that exports `scan` and `memory`. */
export function scanProgram(): Uint8Array {
  const name = (text: string): number[] => [text.length, ...Buffer.from(text)];
  const parameters = Object.keys(PARAMETERS).map(() => I32);
  const locals = [2, 2, I32, 2, V128];
  const code = [...locals, ...body];
  return Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, [1, FUNCTION, parameters.length, ...parameters, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0x00, 1]),
    ...section(7, [2, ...name("memory"), 0x02, 0, ...name("scan"), 0x00, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ]);
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

/** Encodes an unsigned number as LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
