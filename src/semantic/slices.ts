/** A chunk of a blob as it is stored: its name and its lines. */
export interface Slice {
  readonly chunk: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** One line a slice: name, first line, number of further lines. */
export function encodeSlices(slices: readonly Slice[]): Uint8Array {
  return Buffer.from(
    slices.map(({ chunk, lineStart, lineEnd }) => `${chunk} ${lineStart} ${lineEnd - lineStart}`).join("\n"),
  );
}

/** Reads back what encodeSlices wrote. */
export function decodeSlices(bytes: Uint8Array): Slice[] {
  if (bytes.length === 0) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.split("\n").map((line) => {
    const [chunk = "", start = "", further = ""] = line.split(" ");
    return { chunk, lineStart: Number(start), lineEnd: Number(start) + Number(further) };
  });
}
