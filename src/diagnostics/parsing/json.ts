import { stripEscapes } from "../clean/escapes.ts";

/** Readers of JSON whose shape nobody vouches for: what is not as expected is undefined or empty, never an exception. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The parsed text, or undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON is an answer here: the text then goes to the other parsers.
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  // A JSON object's keys are strings by definition.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array; anything else in it is left out. */
export function asObjects(value: unknown): readonly JsonObject[] {
  return asArray(value)
    .map(asObject)
    .filter((item) => item !== undefined);
}

/** A text, without the colours that tools also put into their reports. */
export function asText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.includes("\u001B") ? stripEscapes(value) : value;
}

/** A finite number, also one that stands in a string. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** The object without its undefined fields, for records whose absent fields must be absent. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // The entries that are left are the ones whose values are not undefined.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
