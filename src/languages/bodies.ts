import { STATEMENTS, VALUES, type Range } from "./branch-choice.ts";

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
