import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Field, Fields } from "./field.ts";

/** What is wrong with one argument. */
interface Problem {
  readonly field: string;
  readonly problem: "missing" | "unknown" | "not allowed" | "given twice";
  readonly received?: string;
  readonly allowed?: string;
}

/** At most this much of a wrong value is repeated in the error. */
const SHOWN_VALUE = 60;

/**
 * Reads received arguments into values. Every problem is named at once, so that one correction is enough.
 * Absent and null mean the same: models send null for "not given".
 */
export function readArguments(
  tool: string,
  fields: Fields,
  aliases: Readonly<Record<string, string>>,
  received: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const problems: Problem[] = [];
  const given = rename(fields, aliases, received, problems);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given.get(name);
    values[name] = value === undefined ? field.fallback : field.read(value);
    if (value === undefined && field.required)
      problems.push({ field: name, problem: "missing", allowed: field.allowed });
    if (value !== undefined && values[name] === undefined) problems.push(notAllowed(name, field, value));
  }
  if (problems.length > 0) throw invalid(tool, problems);
  return values;
}

function rename(
  fields: Fields,
  aliases: Readonly<Record<string, string>>,
  received: Readonly<Record<string, unknown>>,
  problems: Problem[],
): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const [name, value] of Object.entries(received)) {
    if (value === undefined || value === null) continue;
    const target = Object.hasOwn(fields, name)
      ? name
      : Object.hasOwn(aliases, name)
        ? aliases[name]
        : undefined;
    if (target === undefined) problems.push(unknown(name, fields));
    else if (given.has(target)) problems.push({ field: target, problem: "given twice", received: name });
    else given.set(target, value);
  }
  return given;
}

function unknown(name: string, fields: Fields): Problem {
  const listed = Object.keys(fields).filter((field) => !fields[field]?.hidden);
  const nearest = nearestNames(name, listed, 2);
  return { field: name, problem: "unknown", allowed: (nearest.length > 0 ? nearest : listed).join(", ") };
}

function notAllowed(name: string, field: Field<unknown>, value: unknown): Problem {
  return { field: name, problem: "not allowed", received: shorten(value), allowed: field.allowed };
}

function shorten(value: unknown): string {
  const json = JSON.stringify(value) ?? typeof value;
  return json.length > SHOWN_VALUE ? `${json.slice(0, SHOWN_VALUE)}… (${json.length} characters)` : json;
}

function invalid(tool: string, problems: readonly Problem[]): PithError {
  return new PithError("invalid_input", `${tool}: ${problems.map(sentence).join("; ")}`, {
    fields: problems,
  });
}

function sentence({ field, problem, received, allowed }: Problem): string {
  switch (problem) {
    case "missing":
      return `${field} is missing (${allowed})`;
    case "unknown":
      return `${field} is no argument; did you mean ${allowed}?`;
    case "given twice":
      return `${field} is given twice (also as ${received})`;
    case "not allowed":
      return `${field} is ${received}; allowed: ${allowed}`;
    default:
      return problem satisfies never;
  }
}
