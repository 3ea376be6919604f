/** Column values as what the schema says they are; the driver gives large whole numbers as text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "string" ? Number(value) : 0;
}

/** PostgreSQL keeps no NUL in a text; what shows one in its place is kept. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\u2400");
}

export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}
