/** Replaces NUL characters by the symbol for NUL (U+2400), because PostgreSQL cannot store NUL in a text. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u2400");
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
