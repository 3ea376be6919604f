/** A row as the driver returns it: values by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** These functions convert column values to the type of the schema; drivers return large integers as bigint or text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "string"
    ? Number(value)
    : 0;
}

/** Converts a column with a time to milliseconds; undefined if the column is empty. */
export function timeOf(value: unknown): number | undefined {
  return value instanceof Date ? value.getTime() : undefined;
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}
