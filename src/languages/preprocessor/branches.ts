import type { CodeSymbol } from "../../model/symbol.ts";
import {
  STATEMENTS,
  conditionOf,
  chooseBranches,
  type Group,
  isWholeBranch,
  type Range,
  type ReadBranch,
  type State,
} from "./branch-choice.ts";
import { type Body, openBodyAt, classifyBrace, checkLine, skippablePart } from "./function-bodies.ts";
import { commentsIn, directiveEnd } from "./directive-text.ts";
import { lineCounter } from "../lines.ts";
import { skipLiteral, type Literals } from "./literals.ts";
import { oneLine } from "../signature.ts";

export interface Branches {
  readonly groups: readonly Group[];
  /** All `#define` and `#include` directives, which are kept even in branches that are replaced with spaces. */
  readonly kept: readonly Range[];
  /** Text that grammars cannot parse: comments in directives, and directives in the middle of a list. */
  readonly unreadable: readonly Range[];
  /** Macros that are defined in the middle of a list, where grammars cannot parse them. */
  readonly macros: readonly CodeSymbol[];
  /**
   * Bodies of functions and values of variables that contain no definitions for the outline; found only in C and C++.
   */
  readonly bodies: readonly Range[];
}

/** An `#if` whose `#endif` has not been reached yet. */
interface Open {
  readonly before: State;
  /** First character and lowest bracket depth of the enclosing branch, which are restored at the `#endif`. */
  readonly outer: { readonly first: number; readonly low: number };
  readonly directives: Range[];
  readonly branches: ReadBranch[];
  start: number;
  line: number;
  /** Condition of the branch that is being read; undefined for `#else`. */
  condition: string | undefined;
}

interface Scan {
  readonly text: string;
  readonly literals: Literals;
  readonly lineAt: (index: number) => number;
  readonly open: Open[];
  readonly groups: Group[];
  readonly kept: Range[];
  readonly unreadable: Range[];
  readonly macros: CodeSymbol[];
  readonly bodies: Range[];
  readonly known: Map<string, boolean>;
  stack: number[];
  last: number;
  /** First character of code since the branch began, and the lowest bracket depth since then. */
  first: number;
  low: number;
  lineStart: number;
  /** Offset and column at which the current declaration begins. */
  head: number;
  column: number;
  body: Body | undefined;
}

/** Maximum nesting depth of brackets and `#if` directives; deeper nesting occurs only in hostile input. */
const MAX_DEPTH = 500;

/** Finds the branches of all `#if` directives. It finds none if brackets or directives nest too deeply. */
export function findBranches(text: string, literals: Literals): Branches {
  const scan = startOf(text, literals);
  let isLineStart = true;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code <= 0x20) {
      if (code === 0x0a) {
        isLineStart = true;
        scan.lineStart = at + 1;
      }
      at += 1;
    } else if (code === 0x23 && isLineStart) at = directive(at, scan);
    else if (code === 0x2f || code === 0x22 || code === 0x27) {
      const end = skipLiteral(text, at, literals);
      const isComment = code === 0x2f && end > at + 1;
      if (!isComment) readCharacter(code, scan);
      isLineStart &&= isComment;
      at = end;
    } else {
      if (isLineStart || isEnd(scan.last)) startLine(at, isLineStart, scan);
      isLineStart = false;
      if (code > 0x7a || code === 0x28 || code === 0x29 || code === 0x5b || code === 0x5d)
        bracket(at, code, scan);
      readCharacter(code, scan);
      at += 1;
    }
    if (scan.stack.length > MAX_DEPTH || scan.open.length > MAX_DEPTH) return startOf(text, literals);
  }
  for (let rest = scan.open.at(-1); rest !== undefined; rest = scan.open.at(-1)) {
    endBranch(rest, text.length, scan);
    endGroup(rest, scan);
  }
  return scan;
}

function startOf(text: string, literals: Literals): Scan {
  return {
    text,
    literals,
    lineAt: lineCounter(text),
    open: [],
    groups: [],
    kept: [],
    unreadable: [],
    macros: [],
    bodies: [],
    known: new Map(),
    stack: [],
    last: 0,
    first: 0,
    low: 0,
    lineStart: 0,
    head: 0,
    column: 0,
    body: undefined,
  };
}

/** True if a new declaration may begin after a character with this code. */
function isEnd(code: number): boolean {
  return code === 0x3b || code === 0x7b || code === 0x7d || code === 0;
}

function startLine(at: number, isLineStart: boolean, scan: Scan): void {
  const column = at - scan.lineStart;
  if (isEnd(scan.last) || (isLineStart && scan.last === 0x3a)) [scan.head, scan.column] = [at, column];
  if (isLineStart && scan.body !== undefined) checkLine(scan.body, scan.text, { at, column });
}

function readCharacter(code: number, scan: Scan): void {
  scan.last = code;
  if (scan.first === 0) scan.first = code;
}

function bracket(at: number, code: number, scan: Scan): void {
  const { stack } = scan;
  if (code === 0x28 || code === 0x5b) stack.push(code);
  else if (code === 0x7b) openBrace(at, scan);
  else if (code === 0x7d || code === 0x29 || code === 0x5d) {
    scan.low = Math.min(scan.low, stack.pop() === undefined ? -1 : stack.length);
    if (code === 0x7d && scan.body !== undefined && stack.length <= scan.body.depth)
      closeBody(at, scan.body, scan);
  }
}

/**
 * Matches the call before a block such as `CASE("some words") {`, whose variables are listed like those of the file.
 */
const CALL = /^\w+\s*\(\s*"/u;

function openBrace(at: number, scan: Scan): void {
  const { stack, column } = scan;
  const kind = classifyBrace(at, scan);
  const depth = stack.length;
  const isPlain = scan.literals === "c" && stack.every((around) => around === 0x7b);
  if (isPlain && !CALL.test(scan.text.slice(scan.head, Math.min(at, scan.head + 80))))
    scan.body = openBodyAt(at, kind, { depth, column, branch: branchOf(scan) });
  stack.push(kind);
}

function closeBody(at: number, body: Body, scan: Scan): void {
  scan.body = undefined;
  const isOwn = scan.stack.length === body.depth;
  const place = { at, column: at - scan.lineStart, branch: branchOf(scan) };
  const inside = isOwn ? skippablePart(body, scan.text, place) : undefined;
  if (inside !== undefined) scan.bodies.push(inside);
}

/** Returns the directive that began the innermost open branch. */
function branchOf({ open }: Scan): Range | undefined {
  return open.at(-1)?.directives.at(-1);
}

const WORD = /#[ \t]*(\w*)/uy;

function directive(at: number, scan: Scan): number {
  WORD.lastIndex = at;
  const word = WORD.exec(scan.text)?.[1] ?? "";
  const end = directiveEnd(scan.text, at);
  const around = scan.open.at(-1);
  const range: Range = [at, end];
  if (scan.literals === "c")
    for (const comment of commentsIn(scan.text, range)) scan.unreadable.push(comment);
  if (/^if(?:n?def)?$/u.test(word)) scan.open.push(openGroup(range, scan));
  else if (around === undefined || !/^(?:endif|else|elif(?:n?def)?)$/u.test(word)) {
    keepDirective(word, range, scan);
    return end;
  } else {
    around.directives.push(range);
    endBranch(around, at, scan);
    if (word === "endif") {
      endGroup(around, scan);
      return end;
    }
  }
  const now = scan.open.at(-1);
  if (now === undefined) return end;
  now.start = end;
  now.line = scan.lineAt(at) + 1;
  now.condition = conditionOf(word, scan.text.slice(WORD.lastIndex, end));
  [scan.stack, scan.last, scan.first, scan.low] = [
    [...now.before.stack],
    now.before.last,
    0,
    now.before.stack.length,
  ];
  return end;
}

const DEFINED = /^#[ \t]*define[ \t]+(\w+)/u;

/**
 * Keeps a directive that is not part of an `#if`. In C, a directive inside a list is marked as unreadable, because no
 * grammar accepts it there.
 */
function keepDirective(word: string, range: Range, scan: Scan): void {
  const [start, end] = range;
  const around = scan.stack.at(-1);
  const isInList = around !== undefined && around !== STATEMENTS && around !== 0x7b;
  if (!isInList || scan.literals !== "c") {
    if (word === "define" || word === "include") scan.kept.push(range);
    return;
  }
  scan.unreadable.push(range);
  const directive = scan.text.slice(start, end);
  const name = DEFINED.exec(directive)?.[1];
  if (name === undefined) return;
  const lineStart = scan.lineAt(start);
  const lineEnd = lineStart + directive.split("\n").length - 1;
  const signature = oneLine(directive.split("\n", 1)[0]?.replace(/\\\s*$/u, "") ?? "", C_COMMENTS);
  scan.macros.push({ kind: "macro", name, qualifiedName: name, signature, lineStart, lineEnd });
}

const C_COMMENTS = { line: ["//"], block: ["/*", "*/"] } as const;

function openGroup(range: Range, { stack, last, first, low }: Scan): Open {
  return {
    before: { stack, last },
    outer: { first, low },
    directives: [range],
    branches: [],
    start: range[1],
    line: 0,
    condition: undefined,
  };
}

/** Matches text that consists only of macro calls on lines of their own. */
const MACROS = /^(?:\s*[A-Z][A-Z0-9_]{3,}\([^\n"]{0,200}\)[ \t]*(?=\r?\n))+\s*$/u;

function endBranch(group: Open, end: number, scan: Scan): void {
  const { start, line, condition, before } = group;
  const { stack, last, first, low } = scan;
  const after = { stack, last };
  group.branches.push({
    start,
    end,
    line,
    lines: scan.lineAt(end) - line,
    hasCode: first !== 0,
    condition,
    isIdle: before.stack.length === 0 && before.last !== 0x7d && MACROS.test(scan.text.slice(start, end)),
    isWhole: isWholeBranch({ before, after, first, low }),
    after,
    first,
    low,
  });
}

function endGroup({ directives, branches, before, outer }: Open, scan: Scan): void {
  scan.open.pop();
  const { group, taken } = chooseBranches({ directives, branches, before }, scan.known);
  scan.groups.push(group);
  const { stack, last } = taken?.after ?? before;
  scan.stack = [...stack];
  scan.last = last;
  scan.first = outer.first === 0 ? (taken?.first ?? 0) : outer.first;
  scan.low = Math.min(outer.low, taken?.low ?? outer.low);
}
