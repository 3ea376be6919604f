/** A row as a driver gives it: columns by name. */
export type Row = Readonly<Record<string, unknown>>;

/** Column values as what the schema says they are; drivers give large whole numbers as bigint or text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "string"
    ? Number(value)
    : 0;
}

/** Undefined where the column is empty. */
export function timeOf(value: unknown): number | undefined {
  return value instanceof Date ? value.getTime() : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}
