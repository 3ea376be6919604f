import { CONSTANTS, STATEMENTS, VALUES, type Range } from "./branch-choice.ts";

/** A function's body or a variable's value that is open. */
export interface Body {
  readonly at: number;
  /** How many brackets are open around it. */
  readonly depth: number;
  /** The column of the declaration that it belongs to. */
  readonly column: number;
  /** The branch that it began in; what is cut by branches is left as it is. */
  readonly branch: unknown;
  /** Its lines stand as its brackets say. */
  isSafe: boolean;
}

/** What a body may hold that an outline shows. */
const HOLDS_NAMES =
  /\b(?:struct|union|enum|class)\b[^;(){}=]{0,200}\{|\b(?:typedef|requires|extern|namespace)\b|\busing\s+\w+\s*=/u;

/** The body that a brace opens where declarations stand, if it can hold none. */
export function bodyAt(
  at: number,
  kind: number,
  { depth, column, branch }: Pick<Body, "depth" | "column" | "branch">,
): Body | undefined {
  if (kind !== STATEMENTS && kind !== VALUES) return undefined;
  return { at, depth, column, branch, isSafe: true };
}

const LABEL = /\w+\s*:(?!:)/uy;

/** Looks at the first character of a line in a body: code as far left as the declaration means that a bracket is missing. */
export function checkLine(body: Body, text: string, { at, column }: { at: number; column: number }): void {
  if (column > body.column) return;
  LABEL.lastIndex = at;
  if (/\w/u.test(text.charAt(at)) && !LABEL.test(text)) body.isSafe = false;
}

/** What can be left out of a body that a bracket closes: all of it, where it holds no names and the bracket is its own. */
export function insideOf(
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
/** `struct __attribute__((packed)) {`: the bracket is not that of parameters. */
const BEFORE_FIELDS =
  /\b(?:struct|union|class|enum)\s+(?:\w+\s*\(\(|(?:alignas|_Alignas|__declspec|[A-Z][A-Z0-9_]+)\s*\()[^;{}]*$/u;
const BEFORE_CONSTANTS = /\benum\b[^;{}()=]*$/u;

/** What a brace opens, told from what stands before it. */
export function braceAt(at: number, { last, text }: { last: number; text: string }): number {
  if (last === 0x3d) return VALUES;
  const before = text.slice(Math.max(0, at - 80), at);
  if (last === 0x29) return BEFORE_FIELDS.test(before) ? 0x7b : STATEMENTS;
  if (BEFORE_CONSTANTS.test(before)) return CONSTANTS;
  return BEFORE_BODY.test(before) ? STATEMENTS : 0x7b;
}
