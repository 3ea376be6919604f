/** Column values as what the schema says they are. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown): number {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
}
