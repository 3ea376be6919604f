import { CONSTANTS, STATEMENTS, VALUES, type Range } from "./branch-choice.ts";

/** The body of a function, or the value of a variable in braces, whose closing brace has not been reached. */
export interface Body {
  readonly at: number;
  /** Number of brackets that are open outside the body. */
  readonly depth: number;
  /** Column of the declaration to which the body belongs. */
  readonly column: number;
  /** The `#if` branch in which the body began. A body that ends in another branch is not skipped. */
  readonly branch: unknown;
  /** False if the indentation shows that a bracket is missing. */
  isSafe: boolean;
}

/** Matches code inside a function body that defines names for the outline. */
const HOLDS_NAMES =
  /\b(?:struct|union|enum|class)\b[^;(){}=]{0,200}\{|\b(?:typedef|requires|extern|namespace)\b|\busing\s+\w+\s*=/u;

/** Returns the body that a brace opens if the brace begins statements or values; undefined for types. */
export function openBodyAt(
  at: number,
  kind: number,
  { depth, column, branch }: Pick<Body, "depth" | "column" | "branch">,
): Body | undefined {
  if (kind !== STATEMENTS && kind !== VALUES) return undefined;
  return { at, depth, column, branch, isSafe: true };
}

const LABEL = /\w+\s*:(?!:)/uy;

/**
 * Checks the first character of a line in a body. A line that begins as far left as the declaration means that a
 * closing bracket is missing.
 */
export function checkLine(body: Body, text: string, { at, column }: { at: number; column: number }): void {
  if (column > body.column) return;
  LABEL.lastIndex = at;
  if (/\w/u.test(text.charAt(at)) && !LABEL.test(text)) body.isSafe = false;
}

/**
 * Returns the text between the braces of a body if it can be skipped: it must define no names, and its brackets must
 * agree with the indentation.
 */
export function skippablePart(
  body: Body,
  text: string,
  { at, column, branch }: { at: number; column: number; branch: unknown },
): Range | undefined {
  if (!body.isSafe || body.branch !== branch) return undefined;
  const inside = text.slice(body.at + 1, at);
  if (inside.includes("\n") && column !== body.column) return undefined;
  return HOLDS_NAMES.test(inside) ? undefined : [body.at + 1, at];
}

const BEFORE_BODY =
  /\b(?:else|do|try|get|set)\s*$|\)\s*(?:(?:const|noexcept|override|final|mutable|volatile|&&?)\s*)*(?:->[^;{}()]*)?$/u;
/**
 * Matches the start of a type such as `struct __attribute__((packed)) {`, where the bracket before the brace does not
 * close a list of parameters.
 */
const BEFORE_FIELDS =
  /\b(?:struct|union|class|enum)\s+(?:\w+\s*\(\(|(?:alignas|_Alignas|__declspec|[A-Z][A-Z0-9_]+)\s*\()[^;{}]*$/u;
const BEFORE_CONSTANTS = /\benum\b[^;{}()=]*$/u;

/**
 * Determines from the text before a brace whether it opens statements, values, the constants of an enum or other
 * members.
 */
export function classifyBrace(at: number, { last, text }: { last: number; text: string }): number {
  if (last === 0x3d) return VALUES;
  const before = text.slice(Math.max(0, at - 80), at);
  if (last === 0x29) return BEFORE_FIELDS.test(before) ? 0x7b : STATEMENTS;
  if (BEFORE_CONSTANTS.test(before)) return CONSTANTS;
  return BEFORE_BODY.test(before) ? STATEMENTS : 0x7b;
}
