/** The id and the line range of one chunk of a file content, as they are stored. */
export interface Slice {
  readonly chunk: string;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Encodes slices as text with one slice per line: the chunk id, the first line and the number of further lines. */
export function encodeSlices(slices: readonly Slice[]): Uint8Array {
  return Buffer.from(
    slices.map(({ chunk, lineStart, lineEnd }) => `${chunk} ${lineStart} ${lineEnd - lineStart}`).join("\n"),
  );
}

export function decodeSlices(bytes: Uint8Array): Slice[] {
  if (bytes.length === 0) return [];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return text.split("\n").map((line) => {
    const [chunk = "", start = "", further = ""] = line.split(" ");
    return { chunk, lineStart: Number(start), lineEnd: Number(start) + Number(further) };
  });
}
