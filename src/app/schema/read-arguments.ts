import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Fields } from "./field.ts";

/** At most this much of a wrong value is repeated in the error. */
const SHOWN_VALUE = 60;
/** No tool has more arguments; more problems are counted. */
const SHOWN_PROBLEMS = 16;

/** What a tool takes: its fields, other names of them, and names that it does not look at. */
export interface Accepted {
  readonly fields: Fields;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly ignored?: readonly string[];
}

/**
 * Reads received arguments into values. Every problem is named at once, so that one correction is enough.
 * Absent and null mean the same: models send null for "not given".
 */
export function readArguments(
  tool: string,
  accepted: Accepted,
  received: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { fields } = accepted;
  const problems: string[] = [];
  const given = rename(accepted, received, problems);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given.get(name);
    values[name] = value === undefined ? field.fallback : field.read(value);
    if (value === undefined && field.required) problems.push(`${name} is missing (${field.allowed})`);
    if (value !== undefined && values[name] === undefined)
      problems.push(`${name} is ${shorten(value)}; allowed: ${field.allowed}${hasNul(value) ? NO_NUL : ""}`);
  }
  if (problems.length > 0) throw invalid(tool, problems);
  return values;
}

const NO_NUL = ", without NUL characters";

function hasNul(value: unknown): boolean {
  return JSON.stringify(value).includes("\\u0000");
}

function invalid(tool: string, problems: readonly string[]): PithError {
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])];
  return new PithError("invalid_input", `${tool}: ${shown.join("; ")}`);
}

function rename(
  { fields, aliases = {}, ignored = [] }: Accepted,
  received: Readonly<Record<string, unknown>>,
  problems: string[],
): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || value === null || ignored.includes(name)) continue;
    const target = Object.hasOwn(fields, name)
      ? name
      : Object.hasOwn(aliases, name)
        ? aliases[name]
        : undefined;
    if (target === undefined) problems.push(unknown(name, fields, aliases));
    else if (given.has(target) && !isSame(given.get(target), value))
      problems.push(`${target} is given twice (also as ${name})`);
    else given.set(target, value);
  }
  return given;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function unknown(name: string, fields: Fields, aliases: Readonly<Record<string, string>>): string {
  const listed = Object.keys(fields).filter((field) => !fields[field]?.hidden);
  const near = nearestNames(name, [...Object.keys(fields), ...Object.keys(aliases)], 2);
  // Another name of an argument is answered with the argument's own.
  const nearest = [...new Set(near.map((one) => aliases[one] ?? one))];
  return `${name.slice(0, SHOWN_VALUE)} is no argument; ${nearest.length > 0 ? `did you mean ${nearest.join(", ")}?` : `known: ${listed.join(", ")}`}`;
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? typeof value;
  return json.length > SHOWN_VALUE ? `${json.slice(0, SHOWN_VALUE)}… (${json.length} characters)` : json;
}
