import type { JailedPath } from "../../workspace/jail.ts";

/** The subset of JSON Schema for one argument that every MCP client understands. */
export interface PropertySchema {
  readonly type: "string" | "integer" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string" };
}

/** One argument of a tool: its schema for the model, and a function that parses a received value. */
export interface Field<T> {
  readonly schema: PropertySchema;
  readonly required: boolean;
  readonly fallback?: T;
  /** True if the argument is accepted but not shown in the schema, to keep the tool list small. */
  readonly hidden: boolean;
  /** True if the value is a path. It is resolved inside the workspace before the tool receives it. */
  readonly path: boolean;
  /** The allowed values in words, for the error about an invalid one. */
  readonly allowed: string;
  /** Parses a received value; returns undefined if it is invalid. */
  read(value: unknown): unknown;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The types of the values that a tool receives for its arguments. */
export type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

export function text(about?: string): Field<string | undefined> {
  return field("string", about, "a text", (v) =>
    typeof v === "string" && !v.includes("\0") ? v : undefined,
  );
}

/** An argument whose value is a text that is not blank. */
export function words(about?: string): Field<string | undefined> {
  const base = text(about);
  const read = (v: unknown): unknown => (typeof v === "string" && v.trim() === "" ? undefined : base.read(v));
  return { ...base, allowed: "a text that is not empty", read };
}

/** An argument whose value is a whole number. Texts such as "10" are accepted as well, because models send them. */
export function integer(about: string, [min, max]: readonly [number, number]): Field<number | undefined> {
  const bounds = `${min}..${max}`;
  return field("integer", joinWords(about, bounds), `a whole number ${bounds}`, (v) => {
    const number = typeof v === "string" && v.trim() !== "" ? Number(v) : v;
    return typeof number === "number" && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined;
  });
}

/** An argument whose value is a whole number from `min` on; its description shows no bounds. */
export function count(about?: string, min = 1): Field<number | undefined> {
  return { ...whole(about, min), allowed: `a whole number from ${min}` };
}

/** An argument whose value is any whole number; its description shows no bounds. */
export function whole(about: string | undefined, min = Number.MIN_SAFE_INTEGER): Field<number | undefined> {
  const plain = integer("", [min, Number.MAX_SAFE_INTEGER]);
  return { ...plain, schema: schemaOf("integer", about), allowed: "a whole number" };
}

export function flag(about?: string): Field<boolean | undefined> {
  return field("boolean", about, "true or false", (v) => {
    if (v === true || v === "true") return true;
    return v === false || v === "false" ? false : undefined;
  });
}

export function choice<const C extends string>(choices: readonly C[], about?: string): Field<C | undefined> {
  const base = field<C | undefined>("string", about, choices.join(", "), (v) =>
    choices.find((one) => one === v),
  );
  return { ...base, schema: { ...base.schema, enum: choices } };
}

/**
 * A choice that also accepts values which the schema does not list, so that they cost no tokens in the tool list.
 * Replies name such a value where it applies.
 */
export function choiceWithUnlisted<const C extends string, const D extends string>(
  choices: readonly C[],
  unlisted: readonly D[],
): Field<C | D | undefined> {
  return { ...choice<C | D>([...choices, ...unlisted]), schema: choice(choices).schema };
}

/**
 * An argument whose value is a list of texts. A JSON-encoded list and a single text are accepted as well, because
 * models send both.
 */
export function texts(about: string | undefined, max: number): Field<readonly string[] | undefined> {
  const base = field<readonly string[] | undefined>("array", about, `a list of at most ${max} texts`, (v) =>
    readTexts(v, max),
  );
  return { ...base, schema: { ...base.schema, items: { type: "string" } } };
}

/**
 * An argument for a pattern. The schema shows a single text, but a list is accepted, because models send it. A text is
 * never decoded as a list, because a pattern may begin with a bracket.
 */
export function patternTexts(): Field<readonly string[] | undefined> {
  return field("string", undefined, `a text, or a list of at most ${MAX_PATTERNS}`, (v) =>
    readTexts(typeof v === "string" ? [v] : v, MAX_PATTERNS),
  );
}

const MAX_PATTERNS = 50;

/** An argument whose value is two whole numbers, as a list or as a JSON-encoded list. */
export function pair(about: string): Field<readonly [number, number] | undefined> {
  const read = (v: unknown): unknown => {
    const list = typeof v === "string" ? decodeList(v) : v;
    const isPair = Array.isArray(list) && list.length === 2 && list.every((one) => Number.isSafeInteger(one));
    return isPair ? list : undefined;
  };
  return field("array", about, "a list of two whole numbers", read);
}

/**
 * An argument for environment variables. Numbers, booleans and a JSON-encoded object are accepted as well, because
 * models send them.
 */
export function record(about?: string): Field<Readonly<Record<string, string>> | undefined> {
  return field("object", about, "an object of names without = and their texts", readRecord);
}

/** An argument whose value is a path. A list with one path is accepted as well, because models send it. */
export function path(about?: string): Field<JailedPath | undefined> {
  const read = (v: unknown): unknown => {
    const only: unknown = Array.isArray(v) && v.length === 1 ? v[0] : v;
    return typeof only === "string" && only !== "" ? only : undefined;
  };
  return { ...field("string", about, "one path", read), path: true };
}

/**
 * An argument for one or more paths. The schema shows a single text, but a list and a JSON-encoded list are accepted,
 * because models send both.
 */
export function paths(about?: string): Field<readonly JailedPath[] | undefined> {
  const read = (v: unknown): unknown => {
    const list = readTexts(v, MAX_PATHS);
    return list === undefined || list.length === 0 || list.includes("") ? undefined : list;
  };
  return { ...field("string", about, `a path, or a list of at most ${MAX_PATHS}`, read), path: true };
}

/**
 * An argument for one folder or several. The schema shows a single text; the pipeline opens the folders, and a tool gets
 * the first.
 */
export function folders(about?: string): Field<JailedPath | undefined> {
  const read = (v: unknown): unknown => {
    const list = readTexts(v, MAX_PATHS);
    if (list === undefined || list.length === 0 || list.includes("")) return undefined;
    return list.length === 1 ? list[0] : list;
  };
  return { ...field("string", about, "one path, or a list", read), path: true };
}

/**
 * An argument for one or more names. The schema shows a single text, but a list and a JSON-encoded list are accepted,
 * because models send both.
 */
export function names(max: number): Field<readonly string[] | undefined> {
  const read = (v: unknown): unknown => {
    const list = readTexts(v, max);
    return list === undefined || list.length === 0 || list.some((one) => one.trim() === "")
      ? undefined
      : list;
  };
  return field("string", undefined, `a text that is not empty, or a list of at most ${max}`, read);
}

/** The most paths in one argument, which is more than a shell glob expands to in most repositories. */
const MAX_PATHS = 2_000;

export function required<T>(base: Field<T | undefined>): Field<T> {
  return { ...base, required: true, fallback: undefined } as Field<T>;
}

/** Gives an argument a default value and adds it to the description. */
export function byDefault<T extends string | number | boolean>(
  base: Field<T | undefined>,
  fallback: T,
): Field<T> {
  const description = joinWords(base.schema.description, `default ${fallback}`);
  return { ...base, fallback, schema: { ...base.schema, description } };
}

/** Makes an argument hidden: it is accepted but not shown in the schema. */
export function hidden<T>(base: Field<T>): Field<T> {
  return { ...base, hidden: true };
}

function field<T>(
  type: PropertySchema["type"],
  about: string | undefined,
  allowed: string,
  read: (value: unknown) => unknown,
): Field<T> {
  return { schema: schemaOf(type, about), required: false, hidden: false, path: false, allowed, read };
}

function schemaOf(type: PropertySchema["type"], about: string | undefined): PropertySchema {
  return about === undefined || about === "" ? { type } : { type, description: about };
}

function joinWords(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}

function readTexts(value: unknown, max: number): readonly string[] | undefined {
  const list = typeof value === "string" ? decodeList(value) : value;
  if (!Array.isArray(list) || list.length > max) return undefined;
  const items = list.filter((item): item is string => typeof item === "string" && !item.includes("\0"));
  return items.length === list.length ? items : undefined;
}

function decodeList(value: string): unknown {
  if (!value.trimStart().startsWith("[")) return [value];
  try {
    const decoded: unknown = JSON.parse(value);
    return decoded;
  } catch {
    // The value is not JSON but a text that begins with a bracket, such as a regular expression.
    return [value];
  }
}

function readRecord(received: unknown): Readonly<Record<string, string>> | undefined {
  const value = typeof received === "string" ? decodeObject(received) : received;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    typeof item === "number" || typeof item === "boolean" ? String(item) : item,
  ]);
  const fits = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string" && !entry.join("").includes("\0") && !/^$|=/.test(entry[0]);
  return entries.every(fits) ? Object.fromEntries(entries) : undefined;
}

function decodeObject(value: string): unknown {
  try {
    const decoded: unknown = JSON.parse(value);
    return decoded;
  } catch {
    // The value is not a JSON object, so the caller gets an error that says what is allowed.
    return undefined;
  }
}
