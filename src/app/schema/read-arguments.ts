import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Fields } from "./field.ts";

/** The most characters of an invalid value that the error message repeats. */
const MAX_SHOWN_VALUE = 60;
/** The most problems that the error message lists; further ones are only counted. */
const MAX_SHOWN_PROBLEMS = 16;

/** The arguments that a tool accepts: its fields, aliases of them, and names that it ignores. */
export interface Accepted {
  readonly fields: Fields;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly ignored?: readonly string[];
}

/** How an error names a tool and its arguments to those who read it: as the MCP schema does, or as a command line. */
export interface ArgumentNames {
  tool(name: string): string;
  argument(name: string): string;
}

const SCHEMA_NAMES: ArgumentNames = { tool: (name) => name, argument: (name) => name };

/**
 * Parses the arguments of a call. The error lists every problem at once, so that one correction is enough. Null means
 * absent, because models send null for arguments that they do not give.
 */
export function readArguments(
  tool: string,
  accepted: Accepted,
  received: Readonly<Record<string, unknown>>,
  names: ArgumentNames = SCHEMA_NAMES,
): Record<string, unknown> {
  const { fields } = accepted;
  const problems: string[] = [];
  const given = rename(accepted, received, problems);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given.get(name);
    values[name] = value === undefined ? field.fallback : field.read(value);
    if (value === undefined && field.required)
      problems.push(`${names.argument(name)} is missing (${field.allowed})`);
    if (value !== undefined && values[name] === undefined)
      problems.push(
        `${names.argument(name)} is ${shorten(value)}; allowed: ${field.allowed}${hasNul(value) ? NO_NUL : ""}`,
      );
  }
  if (problems.length > 0) throw invalid(names.tool(tool), problems);
  return values;
}

const NO_NUL = ", without NUL characters";

function hasNul(value: unknown): boolean {
  return JSON.stringify(value).includes("\\u0000");
}

function invalid(tool: string, problems: readonly string[]): PithError {
  const more = problems.length - MAX_SHOWN_PROBLEMS;
  const shown = [...problems.slice(0, MAX_SHOWN_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])];
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
  // If the nearest name is an alias, the error suggests the listed name of that argument.
  const nearest = [...new Set(near.map((one) => aliases[one] ?? one))];
  return `${name.slice(0, MAX_SHOWN_VALUE)} is no argument; ${nearest.length > 0 ? `did you mean ${nearest.join(", ")}?` : `known: ${listed.join(", ")}`}`;
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? typeof value;
  return json.length > MAX_SHOWN_VALUE
    ? `${json.slice(0, MAX_SHOWN_VALUE)}… (${json.length} characters)`
    : json;
}
