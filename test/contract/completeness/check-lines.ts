import { expect } from "vitest";
import type { ToolCall } from "./calls.ts";

/** The part of a numbered line that a reply shows. */
export interface Piece {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The content of a reply that shows numbered lines. */
export interface LineReply {
  readonly pieces: readonly Piece[];
  /** The number of omitted lines, as the reply states it. */
  readonly linesLeft: number;
  /** The lines that are shown in part, with the number of missing characters that the reply states. */
  readonly partial: readonly { readonly line: number; readonly characters: number }[];
  /** The calls for the missing lines, as the reply names them. */
  readonly rest: readonly ToolCall[];
}

export interface LineQuestion {
  readonly first: ToolCall;
  /** All lines of the text. */
  readonly lines: readonly string[];
  readonly ask: (call: ToolCall) => Promise<LineReply>;
}

/** More replies than any of these texts needs, which would mean an endless loop. */
const MAX_REPLIES = 400;

/**
 * Checks that the shown and the omitted lines of each reply add up to what was asked for, and that following all the calls that replies name
 * gives every line exactly once.
 */
export async function expectAllLines({ first, lines, ask }: LineQuestion): Promise<number> {
  const pieces: Piece[] = [];
  const queue: { call: ToolCall; wanted: ReadonlySet<number> }[] = [
    { call: first, wanted: numbersOf(lines) },
  ];
  let replies = 0;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { call, wanted } = next;
    const about = JSON.stringify(call);
    expect(++replies, `too many replies, at ${about}`).toBeLessThan(MAX_REPLIES);
    const reply = await ask(call);
    const begun = new Set(reply.pieces.map(({ line }) => line));
    expect([about, begun.size + reply.linesLeft]).toEqual([about, wanted.size]);
    expect([about, [...begun].filter((line) => !wanted.has(line))]).toEqual([about, []]);
    expectPartial(reply, lines, about);
    pieces.push(...reply.pieces);
    for (const rest of reply.rest) queue.push({ call: rest, wanted: wantedBy(rest, lines) });
  }
  expectNoGaps(pieces, lines, JSON.stringify(first));
  return replies;
}

function numbersOf(lines: readonly string[]): ReadonlySet<number> {
  return new Set(lines.map((_, index) => index + 1));
}

/** The lines that a call asks for. */
function wantedBy({ args }: ToolCall, lines: readonly string[]): ReadonlySet<number> {
  const start = Number(args["startLine"] ?? args["start_line"] ?? 1);
  const byDefault = args["column"] === undefined ? lines.length : start;
  const end = Math.min(Number(args["endLine"] ?? args["end_line"] ?? byDefault), lines.length);
  return new Set(Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => start + index));
}

function expectPartial({ pieces, partial }: LineReply, lines: readonly string[], about: string): void {
  const missing = new Map(partial.map(({ line, characters }) => [line, characters]));
  const wrong = pieces.flatMap(({ line, column, text }) => {
    const shown = lengthOf(text);
    const there = lengthOf(lines[line - 1] ?? "") - (column - 1);
    const left = missing.get(line) ?? 0;
    return shown + left === there ? [] : [`line ${line}: ${shown} shown + ${left} left out, ${there} there`];
  });
  expect([about, wrong]).toEqual([about, []]);
}

/** Checks that the pieces of each line follow each other without a gap or an overlap. */
function expectNoGaps(pieces: readonly Piece[], lines: readonly string[], about: string): void {
  const byLine = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const own = byLine.get(piece.line);
    if (own === undefined) byLine.set(piece.line, [piece]);
    else own.push(piece);
  }
  const wrong: string[] = [];
  for (const [index, line] of lines.entries()) {
    const own = (byLine.get(index + 1) ?? []).toSorted((a, b) => a.column - b.column);
    if (own.length === 0) wrong.push(`line ${index + 1} is missing`);
    let column = 1;
    for (const piece of own) {
      if (piece.column !== column)
        wrong.push(`line ${index + 1} goes on at ${piece.column}, not at ${column}`);
      column += lengthOf(piece.text);
    }
    if (own.map(({ text }) => text).join("") !== line) wrong.push(`line ${index + 1} differs`);
  }
  expect([about, wrong.slice(0, 5)]).toEqual([about, []]);
}

/** Counts characters; a surrogate pair is one. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}
