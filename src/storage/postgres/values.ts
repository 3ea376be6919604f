/** PostgreSQL keeps no NUL in a text; what shows one in its place is kept. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u2400");
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
