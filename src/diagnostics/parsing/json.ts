import { stripEscapes } from "../clean/escapes.ts";

/** Readers for JSON of unknown shape. Unexpected values become undefined or empty; nothing throws. */

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON, or returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not an error: the text is then offered to the other parsers.
  }
}

export function asObject(value: unknown): JsonObject | undefined {
  // The cast is safe because the keys of a JSON object are always strings.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/**
 * Returns the keys of one object in a JSON file, such as `scripts`; none if the text is not valid JSON, for example
 * while it is being edited.
 */
export function keysOfSection(text: string, section: string): readonly string[] {
  const document = asObject(parseJson(text.replace(/^\uFEFF/, "")));
  return Object.keys(asObject(document?.[section]) ?? {});
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects of an array and leaves out everything else. */
export function asObjects(value: unknown): readonly JsonObject[] {
  return asArray(value)
    .map(asObject)
    .filter((item) => item !== undefined);
}

/** Returns a string without the color escapes that some tools put into their reports. */
export function asText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return value.includes("\u001B") ? stripEscapes(value) : value;
}

/** Returns a finite number, also if it is given as a string. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** Removes the undefined fields of an object, for records whose optional fields must be absent. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // The cast is safe because only entries with defined values remain.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
