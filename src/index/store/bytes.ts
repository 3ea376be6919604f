/** Writes numbers and texts into one buffer. Numbers are variable-length: seven bits per byte, low bits first. */
export interface ByteWriter {
  number(value: number): void;
  numbers(values: Uint32Array): void;
  text(value: string): void;
  append(bytes: Uint8Array): void;
  bytes(): Buffer;
}

export function createByteWriter(size = 4_096): ByteWriter {
  let buffer = Buffer.allocUnsafe(size);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + more));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  const number = (value: number): void => {
    reserve(5);
    let rest = value;
    while (rest > 127) {
      buffer[length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    buffer[length++] = rest;
  };
  return {
    number,
    numbers(values) {
      reserve(values.length * 5);
      const bytes = buffer;
      let at = length;
      for (let i = 0; i < values.length; i++) {
        let rest = values[i] ?? 0;
        while (rest > 127) {
          bytes[at++] = (rest & 127) | 128;
          rest >>>= 7;
        }
        bytes[at++] = rest;
      }
      length = at;
    },
    append(bytes) {
      reserve(bytes.length);
      buffer.set(bytes, length);
      length += bytes.length;
    },
    text(value) {
      const size = Buffer.byteLength(value);
      number(size);
      reserve(size);
      length += buffer.write(value, length);
    },
    bytes: () => Buffer.from(buffer.subarray(0, length)),
  };
}

export interface ByteReader {
  number(): number;
  text(): string;
  /** Returns the next bytes, without copying them. */
  bytes(count: number): Uint8Array;
  /** Returns all bytes that are left. */
  rest(): Uint8Array;
  /** Returns the number of bytes that are left. */
  left(): number;
  /** Returns the number of bytes read so far. */
  position(): number;
}

/** Creates a reader for the output of a ByteWriter. Past the end it returns zeros and empty texts. */
export function createByteReader(bytes: Uint8Array): ByteReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = buffer[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  return {
    number,
    position: () => at,
    left: () => Math.max(0, buffer.length - at),
    bytes(count) {
      at += count;
      return buffer.subarray(at - count, at);
    },
    rest() {
      const from = at;
      at = buffer.length;
      return buffer.subarray(from);
    },
    text() {
      const size = number();
      at += size;
      return buffer.toString("utf8", at - size, at);
    },
  };
}
