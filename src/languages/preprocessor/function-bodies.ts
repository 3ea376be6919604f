import { CONSTANTS, STATEMENTS, VALUES, type Range } from "./branch-choice.ts";

/** The body of a function or the value of a variable that is still open. */
export interface Body {
  readonly at: number;
  /** Number of brackets that are open around the body. */
  readonly depth: number;
  /** Column of the declaration to which the body belongs. */
  readonly column: number;
  /** The `#if` branch in which it began; a body that spans branches is kept. */
  readonly branch: unknown;
  /** False if the indentation contradicts the brackets. */
  isSafe: boolean;
}

/** Matches code in a body that defines names which an outline shows. */
const HOLDS_NAMES =
  /\b(?:struct|union|enum|class)\b[^;(){}=]{0,200}\{|\b(?:typedef|requires|extern|namespace)\b|\busing\s+\w+\s*=/u;

/** Returns the body that a brace opens, if it is one of statements or values. */
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
 * Checks the first character of a line in a body. Code as far left as the declaration means that a bracket is
 * missing.
 */
export function checkLine(body: Body, text: string, { at, column }: { at: number; column: number }): void {
  if (column > body.column) return;
  LABEL.lastIndex = at;
  if (/\w/u.test(text.charAt(at)) && !LABEL.test(text)) body.isSafe = false;
}

/**
 * Returns the part of a closed body that can be skipped: all of it, if it defines no names and its brackets are
 * consistent.
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
/** Matches `struct __attribute__((packed)) {`, where the bracket before the brace does not close parameters. */
const BEFORE_FIELDS =
  /\b(?:struct|union|class|enum)\s+(?:\w+\s*\(\(|(?:alignas|_Alignas|__declspec|[A-Z][A-Z0-9_]+)\s*\()[^;{}]*$/u;
const BEFORE_CONSTANTS = /\benum\b[^;{}()=]*$/u;

/** Determines what a brace opens from the text before it. */
export function classifyBrace(at: number, { last, text }: { last: number; text: string }): number {
  if (last === 0x3d) return VALUES;
  const before = text.slice(Math.max(0, at - 80), at);
  if (last === 0x29) return BEFORE_FIELDS.test(before) ? 0x7b : STATEMENTS;
  if (BEFORE_CONSTANTS.test(before)) return CONSTANTS;
  return BEFORE_BODY.test(before) ? STATEMENTS : 0x7b;
}
